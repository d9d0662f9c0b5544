// Sums over payouts of a time, found by the index by time.
import type { PayoutStatus } from '@kestrel/contract'

import type { Pence } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { type PayoutCriteria, payoutCondition } from './payout-criteria.ts'
import { type Db, statement } from './sql.ts'

export interface StatusSum {
  readonly status: PayoutStatus
  readonly count: number
  readonly amount: Pence
  readonly fee: Pence
}

const SUMS = `status, count(*)::int as count, sum(amount_pence)::bigint as amount, sum(fee_pence)::bigint as fee`

/** One row per status that occurs. */
export function sumPayouts(db: Db, scope: Scope, criteria: PayoutCriteria): Promise<StatusSum[]> {
  const { where, fixed, moving, values, name } = payoutCondition(scope, criteria, null)
  // A search fits few payouts, and is found in the index alone.
  const among =
    criteria.search === null
      ? `payouts where ${where}`
      : `(select id from payouts where ${fixed}) found cross join lateral (
           select status, amount_pence, fee_pence from payouts
            where partner_id = $1 and environment = $2 and id = found.id and ${moving} limit 1) payout`
  const text = `select ${SUMS} from ${among} group by status`
  return db.query<StatusSum>(statement(name === null ? '' : `sum_payouts${name}`, text), values)
}

export interface DaySum extends StatusSum {
  /** A day of Europe/London, as YYYY-MM-DD. */
  readonly date: string
}

const DAYS = statement(
  'payouts_by_day',
  `select (created_at at time zone 'Europe/London')::date as date, ${SUMS} from payouts
    where partner_id = $1 and environment = $2 and created_at >= $3 and released_at is null and surfaced_at is not null
    group by 1, status`,
)

/** By the day of their creation, from a moment on. */
export function sumPayoutsByDay(db: Db, scope: Scope, since: Date): Promise<DaySum[]> {
  return db.query<DaySum>(DAYS, [scope.partnerId, scope.environment, since])
}

const COMPLETED_DAYS = statement(
  'payouts_by_completed_day',
  `select (completed_at at time zone 'Europe/London')::date as date, ${SUMS} from payouts
    where partner_id = $1 and environment = $2 and completed_at >= $3 and completed_at < $4
      and released_at is null and surfaced_at is not null
    group by 1, status`,
)

/** By the day on which they first completed, whatever happened to them since. */
export function sumCompletedByDay(db: Db, scope: Scope, from: Date, to: Date): Promise<DaySum[]> {
  return db.query<DaySum>(COMPLETED_DAYS, [scope.partnerId, scope.environment, from, to])
}
