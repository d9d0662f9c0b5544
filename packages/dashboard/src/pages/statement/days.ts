// The days of a statement as they stand in the address.
import { addDays, isDay, lastOfMonth } from '../../format/dates.ts'
import type { Days } from '../../server/billing.ts'

export interface StatementSearch {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The days in the address, or this month so far; null when they make no sense. */
export function daysOf({ from, to }: StatementSearch, today: string): Days | null {
  const last = to ?? (from !== undefined && from > today ? from : today)
  const days = { from: from ?? `${last.slice(0, 7)}-01`, to: last }
  return isDay(days.from) && isDay(days.to) && days.from <= days.to ? days : null
}

export type MonthName = 'this' | 'last'

/** The search for a month. For the current month it is empty, because that is what the page shows without one. */
export function searchOf(month: MonthName, today: string): StatementSearch {
  if (month === 'this') return {}
  const last = addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7)
  return { from: `${last}-01`, to: lastOfMonth(last) }
}

export function monthOf(days: Days | null, today: string): MonthName | null {
  const isOf = (month: MonthName) => {
    const known = daysOf(searchOf(month, today), today)
    return known?.from === days?.from && known?.to === days?.to
  }
  return isOf('this') ? 'this' : isOf('last') ? 'last' : null
}
