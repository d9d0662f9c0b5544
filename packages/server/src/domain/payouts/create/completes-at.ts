// When a payout that is on its way from the start completes, where its rail says that beforehand too. Then it is completed at that
// moment without being asked about again (follow/end-as-foretold.ts).
import type { Environment } from '@kestrel/contract'

import type { TransferSnapshot } from '../../../rail/transfer.ts'
import type { PayoutChange } from '../../../storage/payout-records.ts'

/** What the rail says of a transfer of its own at a later moment. */
export type LaterSnapshot = (transferRef: string, at: Date) => TransferSnapshot | null

/** Null where anything else comes of it, then or later: that is asked for and decided at its time. In live a completion is charged. */
export function completesAt(
  environment: Environment,
  { transferRef, bankState, nextCheckAt }: Pick<PayoutChange, 'transferRef' | 'bankState' | 'nextCheckAt'>,
  later: LaterSnapshot,
): Date | null {
  if (environment === 'live' || transferRef === null || nextCheckAt === null) return null
  const transfer = later(transferRef, nextCheckAt)
  return transfer !== null && hasSimplyArrived(transfer, { transferRef, bankState }) ? nextCheckAt : null
}

/** Whatever else a rail may say has consequences that the statement does not write (storage/foretold-ends.ts). */
const SAID_OF_ANY: ReadonlySet<string> = new Set<keyof TransferSnapshot>([
  'transferRef',
  'state',
  'refund',
  'reason',
  'bankState',
  'nextChangeAt',
])

function hasSimplyArrived(
  transfer: TransferSnapshot,
  before: { readonly transferRef: string; readonly bankState: string | null },
): boolean {
  const { state, refund, reason, nextChangeAt, bankState, transferRef } = transfer
  const isOver = state === 'settled' && refund === 'none' && reason === null && nextChangeAt === null
  const isSame = bankState === before.bankState && transferRef === before.transferRef
  return isOver && isSame && Object.keys(transfer).every((said) => SAID_OF_ANY.has(said))
}
