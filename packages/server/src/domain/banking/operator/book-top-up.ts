// What the bank has added to a payout is the operator's expense.
import { formatUsdcExact } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { lockWallet, postEntries } from '../../../storage/ledger.ts'
import { lockPayouts } from '../../../storage/payout-records.ts'
import { keepAdded } from '../../../storage/payout-top-ups.ts'
import type { Tx } from '../../../storage/sql.ts'
import { addOperatorAction } from '../../activity/record-operator-action.ts'
import type { Deps } from '../../deps.ts'

/** The payout before its wallet, as everywhere. Written once, whoever comes first. */
export async function bookTopUp(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  { scope, payoutId, nth, at }: { scope: Scope; payoutId: string; nth: number; at: Date },
): Promise<void> {
  await lockPayouts(tx, scope, [payoutId])
  await lockWallet(tx, scope)
  const amount = await keepAdded(tx, scope, { payoutId, nth, at })
  if (amount === null) return
  const entry = {
    cause: payoutId,
    kind: 'top_up',
    seq: nth,
    from: 'excess_funds',
    to: 'operator_result',
    amount,
  } as const
  postEntries(tx, scope, [entry], at, 'Added because the rate had moved')
  const detail = `${payoutId}: ${formatUsdcExact(amount)} USDC`
  addOperatorAction(tx, deps, { ...scope, action: 'payout.top_up', detail })
}
