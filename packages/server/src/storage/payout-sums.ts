// Sums over the payouts of a filter.
import type { Scope } from '../core/scope.ts'
import { type PayoutCriteria, type PayoutPlace, isOfOneId, payoutCondition } from './payout-criteria.ts'
import { type StatusSum, daysAsked, sumPayoutDays } from './payout-days.ts'
import { findPlaceAfter } from './payout-lists.ts'
import { type Db, statement } from './sql.ts'

const SUMS = `status, count(*)::int as count, sum(amount_pence)::bigint as amount, sum(fee_pence)::bigint as fee`

// So many are added up in a tenth of a second or two.
const MOST_ADDED_UP = 100_000
// With an order and a limit only the index of references will do, however few payouts PostgreSQL believes there are.
const ALL_OF_A_REFERENCE = 1_000_000_000

export interface FilterSums {
  /** One row per status that occurs. */
  readonly sums: readonly StatusSum[]
  /** The oldest payout that was looked at, where there were more than are looked at. Null: all of them were. */
  readonly downTo: PayoutPlace | null
}

/** From the days that are kept, or where they do not say, from the newest payouts themselves. */
export async function sumPayouts(
  db: Db,
  scope: Scope,
  criteria: PayoutCriteria,
  most = MOST_ADDED_UP,
): Promise<FilterSums> {
  const days = daysAsked(criteria)
  if (days !== null) return { sums: await sumPayoutDays(db, scope, days), downTo: null }
  if (isOfOneId(criteria)) return { sums: await addUpPayouts(db, scope, criteria), downTo: null }
  // Counted among all payouts, whatever their status: those in between are gone through too.
  const all = { ...criteria, statuses: null }
  const downTo = await findPlaceAfter(db, scope, all, { before: null, others: most - 1 })
  return { sums: await addUpPayouts(db, scope, criteria, downTo), downTo }
}

/** The same from the payouts themselves, whatever is asked for. */
export function addUpPayouts(
  db: Db,
  scope: Scope,
  criteria: PayoutCriteria,
  downTo: PayoutPlace | null = null,
): Promise<StatusSum[]> {
  const { where, fixed, moving, values, name } = payoutCondition(scope, criteria, { before: null, downTo })
  // A search fits few payouts, and is found in the index alone.
  const ofReference = `(select status, amount_pence, fee_pence from payouts where ${where}
      order by created_at desc, id desc limit ${ALL_OF_A_REFERENCE}) payout`
  const among =
    criteria.search === null
      ? criteria.reference === null
        ? `payouts where ${where}`
        : ofReference
      : `(select id from payouts where ${fixed}) found cross join lateral (
           select status, amount_pence, fee_pence from payouts
            where partner_id = $1 and environment = $2 and id = found.id and ${moving} limit 1) payout`
  const text = `select ${SUMS} from ${among} group by status`
  return db.query<StatusSum>(statement(name === null ? '' : `sum_payouts${name}`, text), values)
}
