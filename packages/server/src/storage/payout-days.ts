// Sums over payouts by days of London, as the database keeps them: whoever changes a payout changes its days too
// (migrations/0051_rollups.sql). However many payouts there are, a day is a few rows.
import type { PayoutStatus } from '@kestrel/contract'

import { type LondonDay, dayAfter, londonDay, startOfDay } from '../core/london-day.ts'
import type { Pence } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import type { PayoutCriteria } from './payout-criteria.ts'
import { type Db, statement } from './sql.ts'

export interface StatusSum {
  readonly status: PayoutStatus
  readonly count: number
  readonly amount: Pence
  readonly fee: Pence
}

export interface DaySum extends StatusSum {
  /** A day of Europe/London, as YYYY-MM-DD. */
  readonly date: string
}

const SUMS = `sum(payouts)::int as count, sum(amount_pence)::bigint as amount, sum(fee_pence)::bigint as fee`

const DAYS = statement(
  'payouts_by_day',
  `select day as date, status, ${SUMS} from payout_days
    where partner_id = $1 and environment = $2 and counted_by = 'created' and day >= $3
    group by day, status having sum(payouts) > 0`,
)

/** By the day of their creation, from a day on. */
export function sumPayoutsByDay(db: Db, scope: Scope, since: LondonDay): Promise<DaySum[]> {
  return db.query<DaySum>(DAYS, [scope.partnerId, scope.environment, since])
}

const COMPLETED_DAYS = statement(
  'payouts_by_completed_day',
  `select day as date, status, ${SUMS} from payout_days
    where partner_id = $1 and environment = $2 and counted_by = 'completed' and day >= $3 and day < $4
    group by day, status having sum(payouts) > 0`,
)

/** By the day on which they first completed, whatever happened to them since. The second day is not included. */
export function sumCompletedByDay(db: Db, scope: Scope, from: LondonDay, to: LondonDay): Promise<DaySum[]> {
  return db.query<DaySum>(COMPLETED_DAYS, [scope.partnerId, scope.environment, from, to])
}

/** Whole days, and the parts of days before and after them. */
export interface DaysAsked extends Pick<PayoutCriteria, 'statuses' | 'createdVia'> {
  readonly countedBy: 'created' | 'completed' | 'ended'
  readonly from: LondonDay | '-infinity'
  /** The first day that is not asked for. */
  readonly to: LondonDay | 'infinity'
  readonly parts: readonly { readonly from: Date; readonly to: Date }[]
}

type Range = readonly [from: Date | null, to: Date | null]

// Nothing happened outside of these, and far away from them days have no names.
const EARLIEST = new Date('1970-01-02T00:00:00Z')
const LATEST = new Date('9000-01-01T00:00:00Z')

/** The days that a filter asks for; null when it asks for something that the days do not say. */
export function daysAsked(criteria: PayoutCriteria): DaysAsked | null {
  const { statuses, createdVia, createdFrom, createdTo, completedFrom, completedTo, endedFrom, endedTo, ...others } =
    criteria
  if (Object.values(others).some((asked) => asked !== null)) return null
  const ranges: Readonly<Record<DaysAsked['countedBy'], Range>> = {
    created: [createdFrom, createdTo],
    completed: [completedFrom, completedTo],
    ended: [endedFrom, endedTo],
  }
  const asked = (['created', 'completed', 'ended'] as const).filter((by) => ranges[by].some((end) => end !== null))
  if (asked.length > 1) return null
  const [countedBy = 'created'] = asked
  const days = wholeDays(ranges[countedBy])
  // No index finds payouts of part of a day by when they completed or ended.
  if (days === null || (countedBy !== 'created' && days.parts.length > 0)) return null
  return { countedBy, statuses, createdVia, ...days }
}

/** Null when there is no whole day between the two. */
function wholeDays([since, until]: Range): Pick<DaysAsked, 'from' | 'to' | 'parts'> | null {
  const [from, to] = [
    since !== null && since < EARLIEST ? null : since,
    until !== null && until > LATEST ? null : until,
  ]
  if ((from !== null && from > LATEST) || (to !== null && to < EARLIEST)) return null
  const [first, end] = [from === null ? null : firstWholeDay(from), to === null ? null : londonDay(to)]
  if (first !== null && end !== null && first >= end) return null
  const parts = [
    ...(from === null || first === null ? [] : [{ from, to: startOfDay(first) }]),
    ...(to === null || end === null ? [] : [{ from: startOfDay(end), to }]),
  ].filter((part) => part.from < part.to)
  return { from: first ?? '-infinity', to: end ?? 'infinity', parts }
}

function firstWholeDay(moment: Date): LondonDay {
  const day = londonDay(moment)
  return startOfDay(day).getTime() === moment.getTime() ? day : dayAfter(day)
}

const FITS = `($6::text[] is null or status = any($6)) and ($7::text is null or created_via = $7)`
const WHOLE = `
  select status, payouts, amount_pence, fee_pence from payout_days
   where partner_id = $1 and environment = $2 and counted_by = $3 and day >= $4 and day < $5 and ${FITS}`
const part = (from: string, to: string) => `
  select status, 1, amount_pence, fee_pence from payouts
   where partner_id = $1 and environment = $2 and created_at >= ${from} and created_at < ${to}
     and released_at is null and surfaced_at is not null and ${FITS}`
const sumOf = (...rows: readonly string[]) =>
  `select status, ${SUMS} from (${rows.join(' union all ')}) counted group by status having sum(payouts) > 0`

const SUM = [
  statement('sum_payout_days', sumOf(WHOLE)),
  statement('sum_payout_days_and_part', sumOf(WHOLE, part('$8', '$9'))),
  statement('sum_payout_days_and_parts', sumOf(WHOLE, part('$8', '$9'), part('$10', '$11'))),
] as const

/** One row per status that occurs. A part of a day is added up from its payouts. */
export function sumPayoutDays(db: Db, scope: Scope, asked: DaysAsked): Promise<StatusSum[]> {
  const { countedBy, from, to, statuses, createdVia, parts } = asked
  const values = [scope.partnerId, scope.environment, countedBy, from, to, statuses, createdVia]
  return db.query<StatusSum>(SUM[parts.length as 0 | 1 | 2], [
    ...values,
    ...parts.flatMap((each) => [each.from, each.to]),
  ])
}
