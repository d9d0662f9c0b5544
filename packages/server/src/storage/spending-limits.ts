// What a key or a member may pay at once, per day and per month, and what was paid. Everything here is written, and decided
// by, under the wallet's lock: reserving reads it in its own statement (reserve-within-limits.ts).
import type { Pence } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import type { ApiKeyRow } from './api-keys.ts'
import { type Db, type Tx, statement } from './sql.ts'

/** Null: no limit of this kind. */
export interface SpendingLimits {
  readonly maxPerPayout: Pence | null
  readonly daily: Pence | null
  readonly monthly: Pence | null
}

export interface Spending extends SpendingLimits {
  readonly spenderId: string
  readonly spentToday: Pence
  readonly spentThisMonth: Pence
  /** From when on payouts are counted. */
  readonly since: Date
}

/** A key with what is shown of its limits, as they are or as they were; null: none. */
export interface ShownKey extends ApiKeyRow {
  readonly spending: Omit<Spending, 'spenderId' | 'since'> | null
}

/** In SQL: the day in London of a moment, and what `l` has spent on it and in its month. */
export const londonDayOf = (moment: string) => `(${moment} at time zone 'Europe/London')::date`
const spent = (days: string) =>
  `coalesce((select sum(greatest(d.spent_pence - d.reset_pence, 0)) from spend_days d where d.partner_id = l.partner_id
               and d.environment = l.environment and d.spender_id = l.spender_id and ${days}), 0)::bigint`
export const spentToday = (moment: string) => spent(`d.day = ${londonDayOf(moment)}`)
export const spentThisMonth = (moment: string) =>
  spent(`d.day >= date_trunc('month', ${londonDayOf(moment)})::date
               and d.day < (date_trunc('month', ${londonDayOf(moment)}) + interval '1 month')::date`)

const COLUMNS = `l.spender_id as "spenderId", l.max_per_payout_pence as "maxPerPayout", l.daily_pence as daily,
  l.monthly_pence as monthly, l.since`

const FIND = statement(
  'find_spending',
  `select ${COLUMNS}, ${spentToday('$3::timestamptz')} as "spentToday", ${spentThisMonth('$3::timestamptz')} as "spentThisMonth"
     from spending_limits l where l.partner_id = $1 and l.environment = $2 and l.spender_id = any($4::uuid[])`,
)

/** Those of the spenders that have limits. */
export function listSpending(db: Db, scope: Scope, spenderIds: readonly string[], at: Date): Promise<Spending[]> {
  return db.query<Spending>(FIND, [scope.partnerId, scope.environment, at, spenderIds])
}

const LIST = statement(
  'list_spending',
  `select l.environment, ${COLUMNS}, ${spentToday('$2::timestamptz')} as "spentToday",
          ${spentThisMonth('$2::timestamptz')} as "spentThisMonth"
     from spending_limits l where l.partner_id = $1`,
)

/** All of a partner, in both environments. */
export function listAllSpending(
  db: Db,
  partnerId: string,
  at: Date,
): Promise<(Spending & Pick<Scope, 'environment'>)[]> {
  return db.query(LIST, [partnerId, at])
}

const SET = statement(
  'set_spending_limits',
  `insert into spending_limits
     (partner_id, environment, spender_id, max_per_payout_pence, daily_pence, monthly_pence, since)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (partner_id, environment, spender_id) do update
     set max_per_payout_pence = excluded.max_per_payout_pence, daily_pence = excluded.daily_pence,
         monthly_pence = excluded.monthly_pence`,
)
const MARK = statement(
  'mark_spending_limits',
  `update wallets set has_spending_limits = true
    where partner_id = $1 and environment = $2 and not has_spending_limits`,
)

/** The caller holds the wallet's lock: what is reserved afterwards keeps to it. A row stays, so that counting goes on. */
export function setSpendingLimits(
  tx: Tx,
  scope: Scope,
  wanted: { spenderId: string; limits: SpendingLimits; at: Date },
): void {
  const { spenderId, limits, at } = wanted
  const { maxPerPayout, daily, monthly } = limits
  tx.defer(SET, [scope.partnerId, scope.environment, spenderId, maxPerPayout, daily, monthly, at])
  tx.defer(MARK, [scope.partnerId, scope.environment])
}

const FORGET = statement(
  'forget_spending',
  `update spend_days set reset_pence = spent_pence, reset_at = $3
    where partner_id = $1 and environment = $2 and reset_pence <> spent_pence`,
)

/**
 * What was paid up to now counts no more, and gives no room back when it fails (migration 0078); the caller holds the wallet's
 * lock. For sandboxes that are reset.
 */
export function forgetSpending(tx: Tx, scope: Scope, now: Date): void {
  tx.defer(FORGET, [scope.partnerId, scope.environment, now])
}
