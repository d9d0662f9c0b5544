// Money in the browser: text from the server, whole pence (or whole cents of USDC) in between, text again.

const MONEY = /^(\d+)\.(\d{2})$/

/** A MoneyString as whole hundredths. What is no MoneyString is null, never a guess. */
export function hundredths(money: string): bigint | null {
  const match = MONEY.exec(money)
  return match === null ? null : BigInt(`${match[1]}${match[2]}`)
}

/** Whole hundredths as a MoneyString. Less than zero becomes 0.00, because no field of the API is negative. */
export function moneyString(value: bigint): string {
  const digits = (value < 0n ? 0n : value).toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Whole pounds, bare or in thousands: 1250, 1,250 or 1 250. A comma anywhere else may have been meant as a point. */
const WHOLE = /^(?:\d{1,9}|\d{1,3}(?:,\d{3}){1,2}|\d{1,3}(?:\s\d{3}){1,2})$/

/** What somebody typed, as a MoneyString: a pound sign is fine, and so are thousands; a third decimal is not. */
export function readAmount(typed: string): string | null {
  const bare = typed.trim().replace(/^£\s*/, '')
  const match = /^(.+?)(?:\.(\d{0,2}))?$/.exec(bare)
  const whole = match?.[1] ?? ''
  if (!WHOLE.test(whole)) return null
  const pounds = BigInt(whole.replaceAll(/\D/g, '')).toString()
  return `${pounds}.${(match?.[2] ?? '').padEnd(2, '0')}`
}

/** What is wrong with an amount that could not be read. */
export function amountMistake(typed: string): string {
  if (/\d,\d/.test(typed)) {
    return 'A comma goes only between thousands, as in 1,250.00. Put a full stop before the pence.'
  }
  if (/\.\d{3,}$/.test(typed.trim())) return 'Pence have two digits, as in 245.50.'
  return 'Enter an amount such as 245.00.'
}

export function grouped(money: string): string {
  const [whole = '0', decimals = '00'] = money.split('.')
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${decimals}`
}

export function gbp(money: string): string {
  return `£${grouped(money)}`
}

export function usdc(money: string): string {
  return `${grouped(money)} USDC`
}

export function addMoney(...amounts: readonly string[]): string {
  return moneyString(amounts.reduce((sum, amount) => sum + (hundredths(amount) ?? 0n), 0n))
}

/** `a` less `b`, or 0.00 when `b` is more. */
export function lessMoney(a: string, b: string): string {
  return moneyString((hundredths(a) ?? 0n) - (hundredths(b) ?? 0n))
}

export function isMore(a: string, b: string): boolean {
  return (hundredths(a) ?? 0n) > (hundredths(b) ?? 0n)
}

/** Also for exact amounts of USDC, which may have more than two decimals. */
export const isZero = (amount: string) => /^-?0+\.0+$/.test(amount)

/** An amount that left the wallet, with a minus in front unless it is nothing. */
export const lost = (amount: string) => (isZero(amount) ? grouped(amount) : `−${grouped(amount)}`)

/** One hundredth more than the amount, rounded up: what a rate may move before a payout is refused. */
export function onePercentMore(money: string): string {
  const value = hundredths(money) ?? 0n
  return moneyString(value + (value + 99n) / 100n)
}

/** For the axis of a chart: £850, £3k, £1.5k. */
export function shortGbp(pence: bigint): string {
  const pounds = pence / 100n
  if (pounds < 1_000n) return `£${pounds}`
  const tenths = (pounds % 1_000n) / 100n
  return `£${pounds / 1_000n}${tenths === 0n ? '' : `.${tenths}`}k`
}

/** Pounds per dollar, for display only. */
export function rate(gbpPerUsd: number): string {
  return `1 USD = £${gbpPerUsd.toFixed(4)}`
}
