// About how many pounds an amount of USDC is. Only ever shown as "about": what a payout costs is the server's to say.
import { hundredths, moneyString } from './money.ts'

const RATE_PLACES = 6

/** Hundredths of USDC times the rate: whole pence, and whether anything is left over. */
function inPounds(money: string, gbpPerUsd: number): { readonly pence: bigint; readonly hasRest: boolean } {
  const rateDigits = BigInt(gbpPerUsd.toFixed(RATE_PLACES).replace('.', ''))
  const scaled = (hundredths(money) ?? 0n) * rateDigits
  const unit = 10n ** BigInt(RATE_PLACES)
  return { pence: scaled / unit, hasRest: scaled % unit !== 0n }
}

/** What somebody has, in pounds, rounded down. */
export function poundsHeld(money: string, gbpPerUsd: number): string {
  return moneyString(inPounds(money, gbpPerUsd).pence)
}

/** What somebody needs, in pounds, rounded up. */
export function poundsNeeded(money: string, gbpPerUsd: number): string {
  const { pence, hasRest } = inPounds(money, gbpPerUsd)
  return moneyString(hasRest ? pence + 1n : pence)
}
