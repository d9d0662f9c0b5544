// A quote: the fee of a payout, and what the wallet would send at the current rate.
import { type MicroUsdc, type Pence, addPence, formatPence, parsePence } from '../../core/money.ts'
import { AppError } from '../../core/errors.ts'
import type { Plan } from '../../core/plan.ts'
import type { RailName } from '../../core/rail-name.ts'
import { type Rate, usdcFor } from '../../core/rate.ts'
import type { Scope } from '../../core/scope.ts'
import type { WalletAtBank } from '../../rail/transfer.ts'
import type { Deps } from '../deps.ts'
import { type Fee, payoutFee } from './fee.ts'

export interface Quote {
  readonly amount: Pence
  readonly fee: Fee
  readonly walletSends: MicroUsdc
  readonly rate: Rate
}

/** What an account may pay, and where to. */
export interface PayoutLimits {
  readonly enabledCountries: readonly string[]
  readonly smallestPayout: Pence
  readonly largestPayout: Pence
}

export interface QuoteTerms extends Scope {
  /** The rail that the account's payouts go over. */
  readonly rail: RailName
  /** The account's wallet at the bank; null until it is connected. */
  readonly account: WalletAtBank | null
  readonly plan: Plan
  readonly limits: PayoutLimits
}

export function quoteAt(rate: Rate, amount: Pence, plan: Plan): Quote {
  const fee = payoutFee(amount, plan)
  return { amount, fee, walletSends: usdcFor(addPence(amount, fee.inTransfer), rate), rate }
}

/** Checks corridor and amount, then quotes at the bank's rate. */
export async function quotePayout(
  deps: Deps,
  terms: QuoteTerms,
  wanted: { amountGbp: string; country: string },
  rateOf: (rail: RailName) => Promise<Rate> = deps.rates.current,
): Promise<Quote> {
  refuseOtherCountry(wanted.country, terms.limits)
  const amount = acceptedAmount(wanted.amountGbp, terms.limits)
  return quoteAt(await rateOf(terms.rail), amount, terms.plan)
}

export function refuseOtherCountry(country: string, limits: PayoutLimits): void {
  if (limits.enabledCountries.includes(country)) return
  throw new AppError(
    'corridor_not_enabled',
    `Payouts to ${JSON.stringify(country)} are not enabled for this account. Enabled: ${limits.enabledCountries.join(', ') || 'none'}.`,
    { details: { enabled_countries: limits.enabledCountries } },
  )
}

export function acceptedAmount(text: string, limits: PayoutLimits): Pence {
  const amount = parsePence(text)
  if (amount !== null && amount >= limits.smallestPayout && amount <= limits.largestPayout) return amount
  const min = formatPence(limits.smallestPayout)
  const max = formatPence(limits.largestPayout)
  throw new AppError('invalid_amount', `amount_gbp must be between ${min} and ${max}; ${shown(text)} is not.`, {
    details: { min, max },
  })
}

function shown(text: string): string {
  return text.length > 24 ? `${text.slice(0, 24)}…` : text
}
