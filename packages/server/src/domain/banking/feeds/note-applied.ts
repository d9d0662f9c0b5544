// What is left of transfers that were applied: a row for each that could not be settled, and how this process has seen them.
import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'
import type { Deps } from '../../deps.ts'
import { memoryOf } from './bank-memory.ts'
import { type Unsettled, keepUnsettled } from './unsettled-rows.ts'

/** How far back the list is read for a transfer that could not be read by its id. */
const LOOK_BACK_MS = 60 * 60_000

interface Applied {
  readonly transfers: readonly ListedTransfer[]
  readonly unsettled: readonly Unsettled[]
  /** Those of the unsettled that wait: the list is read on from where each of them is found in it again. */
  readonly waiting?: readonly Unsettled[]
}

export async function noteApplied(
  deps: Deps,
  environment: Environment,
  { transfers, unsettled, waiting = unsettled }: Applied,
): Promise<void> {
  const moments = new Map(transfers.map((each) => [each.transferRef, after(each.updatedAt, -1)]))
  const since = after(deps.clock.now(), -LOOK_BACK_MS)
  await keepUnsettled(
    deps,
    { environment, feed: 'transfers', since },
    waiting.map((row) => ({ ...row, since: moments.get(row.ref) ?? since })),
  )
  const { dealt } = memoryOf(deps, environment)
  const open = new Set(unsettled.map(({ ref }) => ref))
  for (const transfer of transfers) dealt.add(transfer, !open.has(transfer.transferRef))
}
