import { type MicroPence, microPence } from '../../core/money.ts'
import { divideHalfUp } from '../../core/rounding.ts'

/** What is charged for something that cost us this much: the cost and a share on top. Rounded to pence by the line. */
export function costPlus(cost: MicroPence, markupBasisPoints: bigint): MicroPence {
  return microPence(divideHalfUp(cost * (10_000n + markupBasisPoints), 10_000n))
}
