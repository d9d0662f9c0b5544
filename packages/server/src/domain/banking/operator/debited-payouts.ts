// A debit that names a payout, or a transfer that was told of for one, takes out of the books what the bank has sent. It is
// refused while the books have that money out already, and afterwards the payout is never sent again. Both would take the
// money twice.
import { AppError } from '../../../core/errors.ts'
import { isUuid } from '../../../core/ids.ts'
import type { Scope } from '../../../core/scope.ts'
import type { OperatorMovement } from '../../../storage/operator-movements.ts'
import { lockPayouts } from '../../../storage/payout-records.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import { keepDebited } from '../../../storage/refused-attempts.ts'
import type { Tx } from '../../../storage/sql.ts'
import { listToldOf } from '../../../storage/told-alarms.ts'
import { stageNameOf, stageOf } from '../../payouts/progress.ts'
import { madeThoughGivenUp } from '../../payouts/record/news-concerns.ts'
import { causeOf } from '../../payouts/record/tell-once.ts'

const PAYOUT = /^payout:(.+)$/
const TRANSFER = /^transfer:(.+)$/

/** The payouts that a movement is about, locked. Payouts are locked before their wallet, as everywhere. */
export async function lockDebitedPayouts(tx: Tx, scope: Scope, movement: OperatorMovement): Promise<PayoutRow[]> {
  if (movement.kind !== 'debit') return []
  const id = PAYOUT.exec(movement.reference)?.[1]?.toLowerCase()
  const transferRef = TRANSFER.exec(movement.reference)?.[1]
  if (id !== undefined && isUuid(id)) return lockPayouts(tx, scope, [id])
  if (transferRef === undefined) return []
  return lockPayouts(tx, scope, await listToldOf(tx, scope, causeOf(madeThoughGivenUp('', transferRef))))
}

export function debitPayouts(
  tx: Tx,
  scope: Scope,
  { payouts, movement, at }: { payouts: readonly PayoutRow[]; movement: OperatorMovement; at: Date },
): void {
  const id = movement.kind === 'debit' ? PAYOUT.exec(movement.reference)?.[1] : undefined
  if (id !== undefined && isUuid(id.toLowerCase()) && payouts.length === 0) {
    throw new AppError('invalid_request', `This wallet has no payout ${id}. Nothing was moved.`)
  }
  for (const payout of payouts) {
    refuseIfOut(payout, movement.reference)
    keepDebited(tx, scope, payout.id, at)
  }
}

/** A payout that has another transfer is paid for by that one: the debit is about one too many. */
function refuseIfOut(payout: PayoutRow, reference: string): void {
  const transferRef = TRANSFER.exec(reference)?.[1]
  const isAnothers = transferRef !== undefined && payout.transferRef !== null && payout.transferRef !== transferRef
  if (isAnothers || stageOf(payout).money === 'available') return
  throw new AppError(
    'invalid_request',
    `${payout.id} is ${stageNameOf(payout)}: its money has left the wallet, and a debit would take it a second time. kestrel payout show says how it stands. Nothing was moved.`,
  )
}
