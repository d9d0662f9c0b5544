// Sums over the payouts of a filter.
import type { Scope } from '../core/scope.ts'
import { type PayoutCriteria, payoutCondition } from './payout-criteria.ts'
import { type StatusSum, daysAsked, sumPayoutDays } from './payout-days.ts'
import { type Db, statement } from './sql.ts'

const SUMS = `status, count(*)::int as count, sum(amount_pence)::bigint as amount, sum(fee_pence)::bigint as fee`

/** One row per status that occurs: from the days that are kept, or where they do not say, from the payouts themselves. */
export function sumPayouts(db: Db, scope: Scope, criteria: PayoutCriteria): Promise<StatusSum[]> {
  const days = daysAsked(criteria)
  return days === null ? addUpPayouts(db, scope, criteria) : sumPayoutDays(db, scope, days)
}

/** The same from the payouts themselves, whatever is asked for. */
export function addUpPayouts(db: Db, scope: Scope, criteria: PayoutCriteria): Promise<StatusSum[]> {
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
