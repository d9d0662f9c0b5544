// How long the wallet lasts at the usual pace, in words. The figures are the service's.
import type { Balance } from '@kestrel/contract'

import { isZero, usdc } from '../format/money.ts'
import { count } from '../format/people.ts'

export type Runway = NonNullable<Balance['runway']>

export function runwayWords({ days }: Runway): string {
  if (days > 365) return 'Over a year'
  return days < 1 ? 'Less than a day' : `About ${count(Math.floor(days), 'day')}`
}

/** Whether the wallet holds less than an average payout. */
export function isShortOfOne({ payouts }: Runway): boolean {
  return payouts === 0
}

/** How many payouts still fit, where days say too little. Null when there are days enough. */
export function fitWords({ days, payouts }: Runway): string | null {
  if (payouts === 0) return 'A payout of your usual size no longer fits.'
  return days < 1
    ? `About ${count(payouts, 'more payout')} of your usual size ${payouts === 1 ? 'fits' : 'fit'}.`
    : null
}

/** What to add. Null when it lasts two weeks already. */
export function topUpWords({ suggested_top_up_usdc }: Runway): string | null {
  return isZero(suggested_top_up_usdc) ? null : `Add ${usdc(suggested_top_up_usdc)} for two weeks at this pace.`
}
