// The filters of the list as they stand in the address, and as the API wants them.
import { FAILURE_CODES, type FailureCode } from '@kestrel/contract/failure-codes'
import { PAYOUT_STATUSES, type PayoutStatus } from '@kestrel/contract/payout-status'

import {
  addDays,
  daysInWords,
  isDay,
  lastOfMonth,
  londonDay,
  londonMidnight,
  longDay,
  monthName,
} from '../../format/dates.ts'
import { readAmount } from '../../format/money.ts'
import type { PayoutFilter } from '../../server/payouts.ts'

export interface PayoutSearch {
  readonly q?: string | undefined
  readonly status?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly completed_from?: string | undefined
  readonly completed_to?: string | undefined
  readonly ended_from?: string | undefined
  readonly ended_to?: string | undefined
  readonly min?: string | undefined
  readonly max?: string | undefined
  readonly via?: string | undefined
  readonly why?: string | undefined
}

export function statusesOf(search: PayoutSearch): readonly PayoutStatus[] {
  const words = search.status?.split(',') ?? []
  return PAYOUT_STATUSES.filter((status) => words.includes(status))
}

/** The reason that is looked for; null for none, or one that does not exist. */
export function failureOf(search: PayoutSearch): FailureCode | null {
  return FAILURE_CODES.find((code) => code === search.why) ?? null
}

/** Values that make no sense are left out, so that a damaged link still shows a list. */
export function filterOf(search: PayoutSearch): PayoutFilter {
  const statuses = statusesOf(search)
  const failure = failureOf(search)
  const [min, max] = [readAmount(search.min ?? ''), readAmount(search.max ?? '')]
  return {
    ...(statuses.length === 0 ? {} : { status: statuses.join(',') }),
    ...within('created', search.from, search.to),
    ...within('completed', search.completed_from, search.completed_to),
    ...within('ended', search.ended_from, search.ended_to),
    ...(min === null ? {} : { amount_from: min }),
    ...(max === null ? {} : { amount_to: max }),
    ...(search.via === 'api' || search.via === 'dashboard' ? { created_via: search.via } : {}),
    ...(failure === null ? {} : { failure_code: failure }),
    ...(search.q === undefined || search.q.trim() === '' ? {} : { q: search.q.trim() }),
  }
}

/** From the first moment of the one day to the last of the other. */
function within(what: 'created' | 'completed' | 'ended', from: string | undefined, to: string | undefined) {
  return {
    ...(isDay(from) ? { [`${what}_from`]: londonMidnight(from) } : {}),
    // The day that was named is part of it.
    ...(isDay(to) ? { [`${what}_to`]: londonMidnight(addDays(to, 1)) } : {}),
  }
}

/** "in October 2026", "on 3 November 2026", "since 8 November 2026"; null when no day is named. */
export function timeWords(from: string | undefined, to: string | undefined): string | null {
  if (!isDay(from)) return isDay(to) ? `up to ${longDay(`${to}T12:00:00Z`)}` : null
  if (!isDay(to)) return `since ${longDay(`${from}T12:00:00Z`)}`
  if (from === to) return `on ${daysInWords(from, to)}`
  const isMonth = from.endsWith('-01') && to === lastOfMonth(from)
  return isMonth ? `in ${monthName(from)}` : daysInWords(from, to)
}

export function isFiltered(search: PayoutSearch): boolean {
  return Object.keys(filterOf(search)).length > 0
}

export interface NamedDays {
  readonly label: string
  readonly from: string
  readonly to: string | undefined
}

export function namedDays(now: Date): readonly NamedDays[] {
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
