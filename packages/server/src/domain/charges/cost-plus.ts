import { type MicroPence, microPence } from '../../core/money.ts'
import { divideHalfUp } from '../../core/rounding.ts'

/** The price of something that cost us this much: the cost and a share on top. The invoice line rounds it to pence. */
export function costPlus(cost: MicroPence, markupBasisPoints: bigint): MicroPence {
  return microPence(divideHalfUp(cost * (10_000n + markupBasisPoints), 10_000n))
}
