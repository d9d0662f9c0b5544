// What the bank's list shows besides the transfers that its messages have named. Each has a message of its own, and there is the sweep; but
// who is paid by now need not wait for them. So it is dealt with last, when all that was named is, and shortly.
import type { Environment } from '@kestrel/contract'

import type { ListedTransfer, TransferState } from '../../../rail/transfer.ts'
import type { Deps } from '../../deps.ts'
import { newestOfEach, transfersApplier } from './apply-transfers.ts'
import { memoryOf } from './bank-memory.ts'
import type { DealtWith } from './dealt-with.ts'
import { noteApplied } from './note-applied.ts'
import { readHaving } from './payout-of-transfer.ts'
import { byTheWay } from './wallet-patience.ts'

/** One that was just made is left to whoever has made it. */
export function isNews(transfer: ListedTransfer, dealt: DealtWith): boolean {
  return HAS_MOVED.has(transfer.state) && !dealt.hasSeen(transfer)
}

const HAS_MOVED: ReadonlySet<TransferState> = new Set([
  'submitted',
  'settled',
  'undeliverable',
  'returned',
  'cancelled',
])

/**
 * What no payout has yet is left alone: an order may be on its way back to whoever made it, and the transfer would be nobody's. So is what
 * was written of a payout since the list was read.
 */
export async function applySeenByTheWay(
  deps: Deps,
  environment: Environment,
  seen: readonly ListedTransfer[],
): Promise<void> {
  if (seen.length === 0) return
  const { lately } = memoryOf(deps, environment)
  const transfers = newestOfEach(seen)
  const having = await readHaving(deps, deps.db, { environment, transfers })
  const ours = transfers.filter((transfer) => {
    const has = having(transfer)
    return has.has === 'one' && (has.payout.bankUpdatedAt ?? BEGINNING) < transfer.updatedAt
  })
  const unsettled = await transfersApplier(deps, environment, byTheWay(deps.clock, lately))(ours)
  // Who has it locked is no reason to read a list again: its message comes.
  const waiting = unsettled.filter(({ reason }) => reason !== 'locked')
  await noteApplied(deps, environment, { transfers: ours, unsettled, waiting })
}

const BEGINNING = new Date(0)
