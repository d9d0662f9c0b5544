// A recall or a trace is charged when the operator reports it: the bank's cost and a share on top, at the prices of the
// day on which the payout was created.
import { AppError, notFound } from '../../core/errors.ts'
import { isUuid, newId } from '../../core/ids.ts'
import { londonMonth } from '../../core/london-month.ts'
import { type Pence, exactly } from '../../core/money.ts'
import { MOST_PRICE, planAt } from '../../core/plan.ts'
import { type BankExceptionType, insertBankException } from '../../storage/bank-exceptions.ts'
import { type Charge, insertCharges } from '../../storage/charges.ts'
import { lockWallet } from '../../storage/ledger.ts'
import { findPayout } from '../../storage/payouts.ts'
import { listPlans } from '../../storage/plans.ts'
import { addOperatorAction } from '../activity/record-operator-action.ts'
import type { Deps } from '../deps.ts'
import { costPlus } from './cost-plus.ts'
import { findPartner } from '../partners/find-partner.ts'

export interface ExceptionToCharge {
  readonly slug: string
  readonly payoutId: string
  readonly type: BankExceptionType
  /** What the bank charges for it; null: what the plan says. */
  readonly cost: Pence | null
}

/** Returns what was charged. Each payout has each of them once at most, however often it is reported. */
export async function chargeException(
  deps: Pick<Deps, 'db' | 'clock'>,
  { slug, payoutId, type, cost: asked }: ExceptionToCharge,
): Promise<Charge> {
  if (asked !== null && asked > MOST_PRICE) {
    throw new AppError('invalid_request', 'No bank asks for more than 1000000.00 GBP. Nothing was changed.')
  }
  const { id: partnerId } = await findPartner(deps, slug)
  const scope = { partnerId, environment: 'live' } as const
  return deps.db.inTransaction(async (tx) => {
    await lockWallet(tx, scope)
    const payout = isUuid(payoutId) ? await findPayout(tx, scope, payoutId) : null
    if (payout === null) throw notFound()
    const at = deps.clock.now()
    const cause = newId(at)
    if (!(await insertBankException(tx, { partnerId, id: cause, payoutId: payout.id, type, at }))) {
      throw new AppError(
        'invalid_request',
        `The ${type} of ${payout.id} has been charged already. Nothing was changed.`,
      )
    }
    const plan = planAt(await listPlans(tx, partnerId), payout.createdAt)
    const cost = exactly(asked ?? plan.exceptionCost)
    const amount = costPlus(cost, plan.exceptionMarkupBasisPoints)
    const charge: Charge = { cause, kind: 'bank_exceptions', amount, cost }
    insertCharges(tx, partnerId, { charges: [charge], month: londonMonth(at), at })
    addOperatorAction(tx, deps, { ...scope, action: `payout.${type}`, detail: payout.id })
    return charge
  })
}
