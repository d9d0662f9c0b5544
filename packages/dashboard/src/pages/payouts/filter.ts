// The filters of the list as they stand in the address, and as the API wants them.
import { addDays, isDay, londonDay, londonMidnight } from '../../format/dates.ts'
import { readAmount } from '../../format/money.ts'
import { STATUSES } from '../../parts/status-pill.tsx'
import type { PayoutFilter } from '../../server/payouts.ts'
import type { PayoutStatus } from '../../server/shapes.ts'

export interface PayoutSearch {
  readonly q?: string | undefined
  readonly status?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly min?: string | undefined
  readonly max?: string | undefined
  readonly via?: string | undefined
}

export function statusesOf(search: PayoutSearch): readonly PayoutStatus[] {
  const words = search.status?.split(',') ?? []
  return STATUSES.filter((status) => words.includes(status))
}

/** What cannot be meant is left out: an address that somebody shortened still shows a list. */
export function filterOf(search: PayoutSearch): PayoutFilter {
  const statuses = statusesOf(search)
  const [min, max] = [readAmount(search.min ?? ''), readAmount(search.max ?? '')]
  return {
    ...(statuses.length === 0 ? {} : { status: statuses.join(',') }),
    ...(isDay(search.from) ? { created_from: londonMidnight(search.from) } : {}),
    // The day that was named is part of it.
    ...(isDay(search.to) ? { created_to: londonMidnight(addDays(search.to, 1)) } : {}),
    ...(min === null ? {} : { amount_from: min }),
    ...(max === null ? {} : { amount_to: max }),
    ...(search.via === 'api' || search.via === 'dashboard' ? { created_via: search.via } : {}),
    ...(search.q === undefined || search.q.trim() === '' ? {} : { q: search.q.trim() }),
  }
}

export function isFiltered(search: PayoutSearch): boolean {
  return Object.keys(filterOf(search)).length > 0
}

export interface Period {
  readonly label: string
  readonly from: string
  readonly to: string | undefined
}

export function periods(now: Date): readonly Period[] {
  const today = londonDay(now)
  const month = `${today.slice(0, 7)}-01`
  const lastMonth = `${addDays(month, -1).slice(0, 7)}-01`
  return [
    { label: 'Today', from: today, to: undefined },
    { label: 'Last 7 days', from: addDays(today, -6), to: undefined },
    { label: 'This month', from: month, to: undefined },
    { label: 'Last month', from: lastMonth, to: addDays(month, -1) },
  ]
}
