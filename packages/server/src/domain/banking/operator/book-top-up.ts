// What the bank has added to a payout is the operator's expense; what it has refused to add ends there.
import { formatUsdcExact } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { lockWallet, postEntries } from '../../../storage/ledger.ts'
import { lockPayouts } from '../../../storage/payout-records.ts'
import { keepAdded, refuseTopUp } from '../../../storage/payout-top-ups.ts'
import type { Tx } from '../../../storage/sql.ts'
import { addOperatorAction } from '../../activity/record-operator-action.ts'
import type { Deps } from '../../deps.ts'

interface Answered {
  readonly scope: Scope
  readonly payoutId: string
  readonly nth: number
  readonly at: Date
}

/**
 * The payout before its wallet, as everywhere. Written once, whoever comes first; also where another had taken it as refused:
 * the bank's word that it was added is the proof.
 */
export async function bookTopUp(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  { scope, payoutId, nth, at }: Answered,
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

/** Changes nothing where it is booked as added. */
export async function closeRefused(tx: Tx, { scope, ...refused }: Answered): Promise<void> {
  await lockPayouts(tx, scope, [refused.payoutId])
  refuseTopUp(tx, scope, refused)
}
