// Money is a whole number of its smallest unit, and the unit is part of the type. Text becomes money in the parse
// functions and nowhere else; money becomes text in the format functions.

/** Whole pence. Not assignable to MicroUsdc, nor the other way round. */
export type Pence = bigint & { readonly unit: 'pence' }

/** Millionths of a USDC. */
export type MicroUsdc = bigint & { readonly unit: 'micro-usdc' }

// The API moves whole cents (the real bank's page on precision). More digits would not fit 64 bits as millionths.
const AMOUNT_TEXT = /^(\d{1,12})(?:\.(\d{1,2}))?$/
const SIGNED_MICRO_TEXT = /^-?\d{1,18}$/
const MICRO_PER_CENT = 10_000n

export function pence(amount: bigint): Pence {
  return amount as Pence
}

export function microUsdc(amount: bigint): MicroUsdc {
  return amount as MicroUsdc
}

/** Null when the text is not a whole number of pence: `10`, `10.5` and `10.50` are, `10.505` is not. */
export function parsePence(text: string): Pence | null {
  const hundredths = parseHundredths(text)
  return hundredths === null ? null : pence(hundredths)
}

export function parseUsdc(text: string): MicroUsdc | null {
  const hundredths = parseHundredths(text)
  return hundredths === null ? null : usdcFromCents(hundredths)
}

/** For the control plane, which may move a wallet by a single millionth. */
export function parseSignedMicro(text: string): MicroUsdc | null {
  return SIGNED_MICRO_TEXT.test(text) ? microUsdc(BigInt(text)) : null
}

function parseHundredths(text: string): bigint | null {
  const [, whole, fraction = ''] = AMOUNT_TEXT.exec(text) ?? []
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(2, '0'))
}

export function usdcFromCents(cents: bigint): MicroUsdc {
  return microUsdc(cents * MICRO_PER_CENT)
}

export function centsOf(amount: MicroUsdc): bigint {
  return amount / MICRO_PER_CENT
}

export function formatPence(amount: Pence): string {
  const digits = amount.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** At least two decimals, and up to six when a wallet holds less than whole cents. */
export function formatUsdc(amount: MicroUsdc): string {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? 0n - amount : amount).toString().padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0{1,4}$/, '')
  return `${sign}${digits.slice(0, -6)}.${fraction}`
}

export function addUsdc(a: MicroUsdc, b: MicroUsdc): MicroUsdc {
  return microUsdc(a + b)
}

export function subtractUsdc(a: MicroUsdc, b: MicroUsdc): MicroUsdc {
  return microUsdc(a - b)
}

export function negateUsdc(amount: MicroUsdc): MicroUsdc {
  return microUsdc(0n - amount)
}
