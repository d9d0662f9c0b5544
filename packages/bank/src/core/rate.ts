// A rate is pounds per dollar, as an exact fraction. Nothing here is ever a float.
import { type MicroUsdc, type Pence, centsOf, pence, usdcFromCents } from './money.ts'

export interface Rate {
  readonly text: string
  readonly numerator: bigint
  readonly denominator: bigint
}

const RATE_TEXT = /^(\d{1,6})(?:\.(\d{1,10}))?$/

/** Null when the text is not a positive decimal. */
export function parseRate(text: string): Rate | null {
  const [, whole, fraction = ''] = RATE_TEXT.exec(text) ?? []
  if (whole === undefined) return null
  const numerator = BigInt(whole + fraction)
  return numerator === 0n ? null : { text, numerator, denominator: 10n ** BigInt(fraction.length) }
}

/** The fewest dollars that buy these pounds, in whole cents. */
export function usdcThatBuys(amount: Pence, rate: Rate): MicroUsdc {
  return usdcFromCents((amount * rate.denominator + rate.numerator - 1n) / rate.numerator)
}

/** The dollars that a deposit of these pounds becomes: the bank rounds in its own favour. */
export function usdcForDeposit(amount: Pence, rate: Rate): MicroUsdc {
  return usdcFromCents((amount * rate.denominator) / rate.numerator)
}

/** The pounds that must have been paid in for a wallet to get these dollars. */
export function penceBehindDeposit(amount: MicroUsdc, rate: Rate): Pence {
  return pence((centsOf(amount) * rate.numerator + rate.denominator - 1n) / rate.denominator)
}
