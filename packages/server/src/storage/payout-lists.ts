// Pages of payouts and the people they went to. Every page costs the same, however many payouts there are.
import { PAYOUT_STATUSES, type PayoutStatus } from '@kestrel/contract'

import { assert } from '../core/assert.ts'
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
  /** Only payouts older than this one. */
  readonly before: { readonly createdAt: Date; readonly id: string } | null
  readonly limit: number
}

/** Which conditions a filter has decides the statement: an absent one must not blur the plan of the others. */
export function listPayouts(db: Db, scope: Scope, filter: PayoutFilter): Promise<PayoutRow[]> {
  const values: unknown[] = [scope.partnerId, scope.environment, filter.limit]
  let where = 'partner_id = $1 and environment = $2 and surfaced_at is not null'
  let name = 'list_payouts'
  const narrow = (by: string, condition: string, ...given: unknown[]) => {
    where += ` and ${given.reduce<string>((text, value) => text.replace('?', `$${values.push(value)}`), condition)}`
    name += `_${by}`
  }
  if (filter.status !== null) {
    // Written out, because only then can the index of what is not completed be used. It is a word of ours.
    assert(PAYOUT_STATUSES.includes(filter.status), 'a status is one of the statuses')
    narrow(filter.status, `status = '${filter.status}'`)
  }
  if (filter.createdFrom !== null) narrow('from', 'created_at >= ?', filter.createdFrom)
  if (filter.createdTo !== null) narrow('to', 'created_at < ?', filter.createdTo)
  if (filter.reference !== null) narrow('reference', 'reference = ?', filter.reference)
  if (filter.idempotencyKey !== null)
    narrow('key', 'released_at is null and idempotency_key = ?', filter.idempotencyKey)
  if (filter.before !== null) narrow('before', '(created_at, id) < (?, ?)', filter.before.createdAt, filter.before.id)
  const text = `select ${PAYOUT_COLUMNS} from payouts where ${where} order by created_at desc, id desc limit $3`
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
    where partner_id = $1 and environment = $2 and created_at >= $3
      and surfaced_at is not null and status in ('pending', 'processing', 'completed')
    group by recipient_fingerprint
    order by "lastPaidAt" desc, name limit $4`,
)

/** Grouped from the payouts since a moment. */
export function listRecipients(db: Db, scope: Scope, since: Date, most: number): Promise<RecipientRow[]> {
  return db.query<RecipientRow>(RECIPIENTS, [scope.partnerId, scope.environment, since, most])
}
