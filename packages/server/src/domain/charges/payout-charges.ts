// The charges for a payout's move: the fee and the network's cost when it first completes, the bank's cost when its money
// is back after that. Prices are those of the day on which it was created, whatever the plan says by now.
import { type MicroPence, type Pence, exactly } from '../../core/money.ts'
import { type DatedPlan, planAt } from '../../core/plan.ts'
import type { TransferReceipt } from '../../rail/transfer.ts'
import type { Charge } from '../../storage/charges.ts'
import { costPlus } from './cost-plus.ts'

export interface PayoutMove {
  readonly payoutId: string
  readonly createdAt: Date
  readonly amount: Pence
  readonly feeOnInvoice: Pence
  readonly hasCompletedNow: boolean
  /** It had completed, and its money is back. */
  readonly hasComeBackNow: boolean
  readonly receipt: TransferReceipt
}

export function chargesOf(move: PayoutMove, plans: readonly DatedPlan[]): Charge[] {
  if (!move.hasCompletedNow && !move.hasComeBackNow) return []
  const { payoutId: cause, receipt } = move
  const plan = planAt(plans, move.createdAt)
  const charges: Charge[] = []
  if (move.hasCompletedNow) {
    const cost = believedCost(move) ?? exactly(plan.networkCost)
    charges.push({ cause, kind: 'payout_fees', amount: exactly(move.feeOnInvoice), cost: null })
    charges.push({ cause, kind: 'network_fees', amount: costPlus(cost, plan.networkMarkupBasisPoints), cost })
  }
  if (move.hasComeBackNow) {
    const cost = receipt.exceptionCost ?? exactly(plan.exceptionCost)
    charges.push({ cause, kind: 'bank_exceptions', amount: costPlus(cost, plan.exceptionMarkupBasisPoints), cost })
  }
  return charges
}

function believedCost({ receipt: { networkCost }, amount }: PayoutMove): MicroPence | null {
  return networkCost === undefined || isMoreThanWhole(networkCost, amount) ? null : networkCost
}

/** The network is paid out of what is sent, so it cannot cost more than the whole. A receipt that says so says nothing. */
export function isMoreThanWhole(networkCost: MicroPence, amount: Pence): boolean {
  return networkCost > exactly(amount)
}
