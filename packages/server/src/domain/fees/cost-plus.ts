import { type Pence, pence } from '../../core/money.ts'
import { divideHalfUp } from '../../core/rounding.ts'

/** What is charged for something that cost us this much: the cost and a share on top, half a penny rounding up. */
export function costPlus(cost: Pence, markupBasisPoints: bigint): Pence {
  return pence(divideHalfUp(cost * (10_000n + markupBasisPoints), 10_000n))
}
