// Money is a whole number of its smallest unit, and the unit is part of the type.
// Text becomes money in the parse functions and nowhere else; money becomes text in the format functions.
import { divideHalfUp } from './rounding.ts'

/** Whole pence. Not assignable to MicroUsdc, nor the other way round. */
export type Pence = bigint & { readonly unit: 'pence' }

/** Millionths of a penny. Costs are kept in these until they are rounded, once per line of an invoice. */
export type MicroPence = bigint & { readonly unit: 'micro-pence' }

/** Millionths of a USDC. */
export type MicroUsdc = bigint & { readonly unit: 'micro-usdc' }

const MONEY_TEXT = /^\d+\.\d{2}$/
// Longer numbers would not fit 64 bits as millionths, and nobody holds a trillion.
const MOST_DIGITS = 12
const MICRO_PER_CENT = 10_000n
const MICRO_PER_PENNY = 1_000_000n

export function pence(amount: bigint): Pence {
  return amount as Pence
}

export function microPence(amount: bigint): MicroPence {
  return amount as MicroPence
}

export function exactly(amount: Pence): MicroPence {
  return microPence(amount * MICRO_PER_PENNY)
}

/** Half a penny rounds up. */
export function roundedPence(amount: MicroPence): Pence {
  return pence(divideHalfUp(amount, MICRO_PER_PENNY))
}

/** Null when it is no whole number of pence. */
export function wholePence(amount: MicroPence): Pence | null {
  return amount % MICRO_PER_PENNY === 0n ? roundedPence(amount) : null
}

export function microUsdc(amount: bigint): MicroUsdc {
  return amount as MicroUsdc
}

/** Null when the text is not money: two decimals, no sign, no exponent, no other alphabet's digits. */
export function parsePence(text: string): Pence | null {
  const hundredths = parseHundredths(text)
  return hundredths === null ? null : pence(hundredths)
}

export function parseUsdc(text: string): MicroUsdc | null {
  const hundredths = parseHundredths(text)
  return hundredths === null ? null : microUsdc(hundredths * MICRO_PER_CENT)
}

function parseHundredths(text: string): bigint | null {
  if (!MONEY_TEXT.test(text)) return null
  const digits = text.replace('.', '').replace(/^0+(?=\d)/, '')
  return digits.length > MOST_DIGITS + 2 ? null : BigInt(digits)
}

export function formatPence(amount: Pence): string {
  return formatHundredths(amount)
}

/** In pounds, with all its decimals, and at least two. */
export function formatPenceExact(amount: MicroPence): string {
  const digits = amount.toString().padStart(9, '0')
  return `${digits.slice(0, -8)}.${digits.slice(-8).replace(/0{1,6}$/, '')}`
}

/** A balance is shown rounded down: it never promises a cent that is not there. */
export function formatUsdcHeld(amount: MicroUsdc): string {
  return formatHundredths(wholeCents(amount))
}

/** What a wallet sends is always a whole number of cents (the quote rounds it up). */
export function formatUsdcSent(amount: MicroUsdc): string {
  return formatHundredths((amount + MICRO_PER_CENT - 1n) / MICRO_PER_CENT)
}

/** The absolute amount. */
export function withoutSign(amount: MicroUsdc): MicroUsdc {
  return amount < 0n ? microUsdc(0n - amount) : amount
}

/** With all its decimals, and at least two. */
export function formatUsdcExact(amount: MicroUsdc): string {
  const sign = amount < 0n ? '-' : ''
  const digits = withoutSign(amount).toString().padStart(7, '0')
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '')
  return `${sign}${digits.slice(0, -6)}.${decimals}`
}

export function wholeCents(amount: MicroUsdc): bigint {
  return amount / MICRO_PER_CENT
}

export function usdcFromCents(cents: bigint): MicroUsdc {
  return microUsdc(cents * MICRO_PER_CENT)
}

function formatHundredths(hundredths: bigint): string {
  const sign = hundredths < 0n ? '-' : ''
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export function addPence(a: Pence, b: Pence): Pence {
  return pence(a + b)
}

export function subtractPence(a: Pence, b: Pence): Pence {
  return pence(a - b)
}

export function sumPence(amounts: Iterable<Pence>): Pence {
  let total = 0n
  for (const amount of amounts) total += amount
  return pence(total)
}

export function addUsdc(a: MicroUsdc, b: MicroUsdc): MicroUsdc {
  return microUsdc(a + b)
}

export function subtractUsdc(a: MicroUsdc, b: MicroUsdc): MicroUsdc {
  return microUsdc(a - b)
}

/** An amount as banks write it: any number of decimals; those beyond the unit must be zeros. */
export function parseDecimalUsdc(text: string): MicroUsdc | null {
  const amount = parseDecimal(text, 6)
  return amount === null ? null : microUsdc(amount)
}

export function parseDecimalPence(text: string): Pence | null {
  const amount = parseDecimal(text, 2)
  return amount === null ? null : pence(amount)
}

function parseDecimal(text: string, places: number): bigint | null {
  const [, whole = '', fraction = ''] = /^(\d{1,12})(?:\.(\d{1,18}))?$/.exec(text) ?? []
  if (whole === '' || /[1-9]/.test(fraction.slice(places))) return null
  return BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
}
