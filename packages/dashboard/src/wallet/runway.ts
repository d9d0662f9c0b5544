// How long the wallet lasts at the usual pace.
import type { PayoutDay } from '@kestrel/contract'

import { hundredths } from '../format/money.ts'
import { count } from '../format/people.ts'

/** The whole days in words. */
export function runwayWords(days: number): string {
  if (days > 365) return 'Over a year'
  return days === 0 ? 'Less than a day' : `About ${count(days, 'day')}`
}

/** Whether the wallet holds less than an average payout. */
export function isShortOfOne(approxGbp: string, days: readonly Pick<PayoutDay, 'completed_gbp' | 'count'>[]): boolean {
  const spent = days.reduce((sum, day) => sum + (hundredths(day.completed_gbp) ?? 0n), 0n)
  const payouts = days.reduce((sum, day) => sum + day.count, 0)
  return payouts > 0 && (hundredths(approxGbp) ?? 0n) < spent / BigInt(payouts)
}

/** Whole days, or null when nothing was paid lately and nobody can say. */
export function runwayDays(approxGbp: string, days: readonly Pick<PayoutDay, 'completed_gbp'>[]): number | null {
  const spent = days.reduce((sum, day) => sum + (hundredths(day.completed_gbp) ?? 0n), 0n)
  if (spent === 0n || days.length === 0) return null
  const left = hundredths(approxGbp) ?? 0n
  return Number((left * BigInt(days.length)) / spent)
}
