// Months are those of Europe/London: a payout completed at 23:30 UTC on 30 June belongs to July.
import { type LondonDay, daysUpTo, londonDay, startOfDay } from './london-day.ts'

/** A month, as YYYY-MM. */
export type Month = string & { readonly kind: 'month' }

/** There is no year 0 in PostgreSQL, JavaScript takes the year 26 for 1926, and 9999 has no next year that fits. */
export const MONTH_PATTERN = '^(?!0|9999)\\d{4}-(0[1-9]|1[0-2])$'
const MONTH_TEXT = new RegExp(MONTH_PATTERN)

export function parseMonth(text: string): Month | null {
  return MONTH_TEXT.test(text) ? (text as Month) : null
}

export function londonMonth(moment: Date): Month {
  return londonDay(moment).slice(0, -'-15'.length) as Month
}

export function firstDay(month: Month): LondonDay {
  return `${month}-01` as LondonDay
}

export function lastDay(month: Month): string {
  const [year = 0, number = 0] = month.split('-').map((each) => Number.parseInt(each, 10))
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

/** Every day of a month, the first first. */
export function daysOf(month: Month): LondonDay[] {
  const last = lastDay(month)
  return daysUpTo(last as LondonDay, Number.parseInt(last.slice(8), 10))
}

export function nextMonth(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map((each) => Number.parseInt(each, 10))
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7) as Month
}

export function monthBefore(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map((each) => Number.parseInt(each, 10))
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7) as Month
}

/** The moment at which a month begins in London. */
export function londonMidnight(month: Month): Date {
  return startOfDay(firstDay(month))
}

/** A month's last millisecond. */
export function lastMomentOf(month: Month): Date {
  return new Date(londonMidnight(nextMonth(month)).getTime() - 1)
}
