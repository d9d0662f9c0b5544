// gbp_per_usd as an exact fraction. The JSON number that partners see is made from the text, at the edge.
import { assert } from './assert.ts'
import { type MicroUsdc, type Pence, pence, usdcFromCents, wholeCents } from './money.ts'
import { divideDown, divideUp } from './rounding.ts'

export interface Rate {
  readonly text: string
  readonly numerator: bigint
  readonly denominator: bigint
}

const RATE_TEXT = /^(\d{1,6})(?:\.(\d{1,10}))?$/

export function parseRate(text: string): Rate | null {
  const match = RATE_TEXT.exec(text)
  if (match === null) return null
  const [, whole = '', fraction = ''] = match
  const numerator = BigInt(whole + fraction)
  return numerator === 0n ? null : { text, numerator, denominator: 10n ** BigInt(fraction.length) }
}

/**
 * In fifty years a dollar was never worth less than 41 pence, nor more than 96. A rate far outside of that is a slip of
 * a digit or of a currency, and paying at it would cost many times too much.
 */
const [LEAST_PENCE, MOST_PENCE] = [33n, 150n]

export function isConceivable({ numerator, denominator }: Rate): boolean {
  const hundredfold = numerator * 100n
  return hundredfold >= LEAST_PENCE * denominator && hundredfold <= MOST_PENCE * denominator
}

/** The dollars that buy these pounds, rounded up to the cent: the wallet never sends too little. */
export function usdcFor(amount: Pence, rate: Rate): MicroUsdc {
  assert(rate.numerator > 0n, 'a rate is positive')
  return usdcFromCents(divideUp(amount * rate.denominator, rate.numerator))
}

/** The pounds that these dollars are worth, from the cents that are shown, rounded down. */
export function approximatePence(amount: MicroUsdc, rate: Rate): Pence {
  return pence(divideDown(wholeCents(amount) * rate.numerator, rate.denominator))
}
