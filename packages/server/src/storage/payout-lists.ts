// Pages of payouts and the people they went to. Every page costs the same, however many payouts there are.
import type { PayoutStatus } from '@kestrel/contract'

import type { Pence } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { PAYOUT_COLUMNS, type PayoutRow } from './payouts.ts'
import { type Db, statement } from './sql.ts'

export interface PayoutFilter {
  readonly status: PayoutStatus | null
  readonly createdFrom: Date | null
  readonly createdTo: Date | null
  readonly reference: string | null
  readonly idempotencyKey: string | null
  /** Only payouts older than this id. */
  readonly before: string | null
  readonly limit: number
}

/** Which conditions a filter has decides the statement: an absent one must not blur the plan of the others. */
const CONDITIONS = [
  ['status', 'status = '],
  ['createdFrom', 'created_at >= '],
  ['createdTo', 'created_at < '],
  ['reference', 'reference = '],
  ['idempotencyKey', 'idempotency_key = '],
  ['before', 'id < '],
] as const satisfies readonly (readonly [keyof PayoutFilter, string])[]

export function listPayouts(db: Db, scope: Scope, filter: PayoutFilter): Promise<PayoutRow[]> {
  const values: unknown[] = [scope.partnerId, scope.environment, filter.limit]
  let where = 'partner_id = $1 and environment = $2 and surfaced_at is not null'
  let name = 'list_payouts'
  for (const [key, condition] of CONDITIONS) {
    if (filter[key] === null) continue
    values.push(filter[key])
    where += ` and ${condition}$${values.length}`
    name += `_${key}`
  }
  const text = `select ${PAYOUT_COLUMNS} from payouts where ${where} order by id desc limit $3`
  return db.query<PayoutRow>(statement(name, text), values)
}

export interface RecipientRow {
  readonly name: string
  readonly accountLast4: string
  readonly payouts: number
  readonly paid: Pence
  readonly lastPaidAt: Date
}

const RECIPIENTS = statement(
  'list_recipients',
  `select min(recipient_name) as name, min(account_last4) as "accountLast4", count(*)::int as payouts,
          coalesce(sum(amount_pence) filter (where status = 'completed'), 0)::bigint as paid,
          max(coalesce(completed_at, created_at)) as "lastPaidAt"
     from payouts
    where partner_id = $1 and environment = $2 and id >= $3
      and surfaced_at is not null and status in ('pending', 'processing', 'completed')
    group by recipient_fingerprint
    order by "lastPaidAt" desc, name limit $4`,
)

/** Grouped from the payouts since a moment, which is given as the smallest id that could have been made then. */
export function listRecipients(db: Db, scope: Scope, since: string, most: number): Promise<RecipientRow[]> {
  return db.query<RecipientRow>(RECIPIENTS, [scope.partnerId, scope.environment, since, most])
}
