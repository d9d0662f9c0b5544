// Money is text with two decimals. The type takes no number and no other text, so a float cannot become an amount.

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'

/** Such as '25.00'. */
export type Money = `${bigint}.${Digit}${Digit}`
/** Pounds and pence. */
export type Gbp = Money
/** USDC and hundredths. */
export type Usdc = Money
/** Two decimals or more, where a sum is no whole number of pence. */
export type ExactMoney = `${bigint}.${string}`

/** Pence as an amount, `gbp(2500n)` is '25.00'; or text that is checked to be one. */
export function gbp(amount: bigint | string): Gbp {
  return money(amount, 'gbp')
}

/** Hundredths of USDC as an amount, or text that is checked to be one. */
export function usdc(amount: bigint | string): Usdc {
  return money(amount, 'usdc')
}

/** An amount in its smallest unit: `hundredths('25.00')` is 2500n. */
export function hundredths(amount: Money): bigint {
  return BigInt(money(amount, 'hundredths').replace('.', ''))
}

function money(amount: bigint | string, name: string): Money {
  if (typeof amount === 'bigint' && amount >= 0n) {
    const digits = String(amount).padStart(3, '0')
    return `${digits.slice(0, -2)}.${digits.slice(-2)}` as Money
  }
  if (typeof amount === 'string' && /^\d+\.\d{2}$/.test(amount)) return amount as Money
  throw new TypeError(
    `${name}() takes whole hundredths as a bigint, such as 2500n, or text with two decimals, such as '25.00'. A number cannot hold money exactly.`,
  )
}
