import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'
import type { Deps } from '../../deps.ts'
import { type Unsettled, keepUnsettled } from './unsettled-rows.ts'

/** How far back the list is read for a transfer that could not be read by its id. */
const LOOK_BACK_MS = 60 * 60_000

/** Keeps what could not be settled. The list is read on from where each of them is found in it again. */
export function keepToReadAgain(
  deps: Deps,
  environment: Environment,
  { transfers, rows }: { transfers: readonly ListedTransfer[]; rows: readonly Unsettled[] },
): Promise<void> {
  const moments = new Map(transfers.map((each) => [each.transferRef, after(each.updatedAt, -1)]))
  const since = after(deps.clock.now(), -LOOK_BACK_MS)
  return keepUnsettled(
    deps,
    { environment, feed: 'transfers', since },
    rows.map((row) => ({ ...row, since: moments.get(row.ref) ?? since })),
  )
}
