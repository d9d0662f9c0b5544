// How long the wallet lasts at the usual pace.
import { hundredths } from '../../format/money.ts'
import type { PayoutDay } from '../../server/shapes.ts'

/** Whole days, or null when nothing was paid lately and nobody can say. */
export function runwayDays(approxGbp: string, days: readonly Pick<PayoutDay, 'completed_gbp'>[]): number | null {
  const spent = days.reduce((sum, day) => sum + (hundredths(day.completed_gbp) ?? 0n), 0n)
  if (spent === 0n || days.length === 0) return null
  const left = hundredths(approxGbp) ?? 0n
  return Number((left * BigInt(days.length)) / spent)
}
