// A partner's prices. They are data: each partner has its own plan, and the price list is the default one.
import { assert } from './assert.ts'
import type { Pence } from './money.ts'
import { pence } from './money.ts'

export interface Plan {
  readonly payoutFixed: Pence
  /** Hundredths of a percent. */
  readonly payoutBasisPoints: bigint
  readonly bankFixed: Pence
  readonly bankBasisPoints: bigint
  readonly monthlyAccount: Pence
  readonly businessVerification: Pence
  /** What sending a payout through the network costs us when the bank gives no receipt, and the share on top. */
  readonly networkCost: Pence
  readonly networkMarkupBasisPoints: bigint
  /** The same for a return, a recall or a trace. */
  readonly exceptionCost: Pence
  readonly exceptionMarkupBasisPoints: bigint
}

/** The price list (spec, part 1). The bank's share and the costs are not in it; see docs/decisions on fees. */
export const DEFAULT_PLAN: Plan = {
  payoutFixed: pence(99n),
  payoutBasisPoints: 100n,
  bankFixed: pence(20n),
  bankBasisPoints: 50n,
  monthlyAccount: pence(15_00n),
  businessVerification: pence(39_00n),
  networkCost: pence(2n),
  networkMarkupBasisPoints: 1_000n,
  exceptionCost: pence(2_50n),
  exceptionMarkupBasisPoints: 2_000n,
}

/** More is a slip of the hand, and would not fit where charges are kept to the millionth of a penny. */
export const MOST_PRICE = pence(1_000_000_00n)

export interface DatedPlan extends Plan {
  readonly validFrom: Date
}

/** The plan that was valid at a moment. The first one is valid from the beginning of time. */
export function planAt(plans: readonly DatedPlan[], moment: Date): DatedPlan {
  const inOrder = plans.toSorted((a, b) => a.validFrom.getTime() - b.validFrom.getTime())
  const held = inOrder.findLast((plan) => plan.validFrom <= moment) ?? inOrder[0]
  assert(held !== undefined, 'every partner has a plan')
  return held
}
