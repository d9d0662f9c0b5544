// When a month is billed, and when a bill is due.
import { after } from './clock.ts'
import { daysAfter, londonDay } from './london-day.ts'
import { type Month, londonMonth, monthBefore } from './london-month.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
const DUE_AFTER_DAYS = 14
/**
 * Everything that was under way at midnight has long been written by then, and clocks that differ a little do no harm.
 */
const AFTER_MIDNIGHT_MS = 5 * 60_000

/** The last month whose invoices should be issued now. */
export function lastMonthToBill(now: Date): Month {
  return monthBefore(londonMonth(after(now, -AFTER_MIDNIGHT_MS)))
}

/** The last month of which no invoice may be missing: issuing them all takes time. */
export function lastMonthBilled(now: Date): Month {
  return monthBefore(londonMonth(after(now, -HOUR_MS)))
}

/**
 * The same time of day, fourteen days later. Where a clock change would carry it over midnight, it stays on the right
 * day.
 */
export function dueDate(issuedAt: Date): Date {
  const day = daysAfter(londonDay(issuedAt), DUE_AFTER_DAYS)
  const at = after(issuedAt, DUE_AFTER_DAYS * DAY_MS)
  const found = londonDay(at)
  return found === day ? at : after(at, found < day ? HOUR_MS : -HOUR_MS)
}

/** Paying on the due date is in time. */
export function isPast(dueAt: Date, now: Date): boolean {
  return londonDay(now) > londonDay(dueAt)
}
