// What a payout costs, to the penny (spec, part 1: 0.99 GBP plus 1.00% of the amount).
import { type Pence, addPence, pence, subtractPence } from '../../core/money.ts'
import type { Plan } from '../../core/plan.ts'
import { divideHalfUp } from '../../core/rounding.ts'

export interface Fee {
  readonly total: Pence
  /** The bank's share: the wallet sends it together with the amount. */
  readonly inTransfer: Pence
  /** The rest of the total, so that the two parts always add up to it. */
  readonly onInvoice: Pence
}

export function payoutFee(amount: Pence, plan: Plan): Fee {
  const total = addPence(plan.payoutFixed, share(amount, plan.payoutBasisPoints))
  const bankShare = addPence(plan.bankFixed, share(amount, plan.bankBasisPoints))
  const inTransfer = bankShare < total ? bankShare : total
  return { total, inTransfer, onInvoice: subtractPence(total, inTransfer) }
}

/** Half a penny rounds up: 1.00% of 1.50 is 0.02. */
function share(amount: Pence, basisPoints: bigint): Pence {
  return pence(divideHalfUp(amount * basisPoints, 10_000n))
}
