// Pages of payouts and the people they went to. Every page costs the same, however many payouts there are.
import { PAID_OR_UNDER_WAY } from '@kestrel/contract'

import type { Pence } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { type PayoutCriteria, type PayoutPlace, payoutCondition, scansTheIndex } from './payout-criteria.ts'
import { PAYOUT_COLUMNS, type PayoutRow } from './payouts.ts'
import { type Db, statement } from './sql.ts'
import { statusIn } from './status-in.ts'

export interface PayoutFilter extends PayoutCriteria {
  /** Only payouts older than this one. */
  readonly before: PayoutPlace | null
  readonly limit: number
}

const NEWEST_FIRST = 'order by created_at desc, id desc'

export function listPayouts(db: Db, scope: Scope, filter: PayoutFilter): Promise<PayoutRow[]> {
  const { where, values, name } = payoutCondition(scope, filter, filter.before)
  const limit = `limit $${values.push(filter.limit)}`
  // Found in the index alone, then fetched: a search that fits few payouts must not read every row to find that out.
  const found = scansTheIndex(filter)
    ? `partner_id = $1 and environment = $2 and id in (select id from payouts where ${where} ${NEWEST_FIRST} ${limit})`
    : where
  const text = `select ${PAYOUT_COLUMNS} from payouts where ${found} ${NEWEST_FIRST} ${limit}`
  return db.query<PayoutRow>(statement(name === null ? '' : `list_payouts${name}`, text), values)
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
      and surfaced_at is not null and ${statusIn('status', PAID_OR_UNDER_WAY)}
    group by recipient_fingerprint
    order by "lastPaidAt" desc, name limit $4`,
)

/** Recipients, grouped from the payouts since a moment. */
export function listRecipients(db: Db, scope: Scope, since: Date, most: number): Promise<RecipientRow[]> {
  return db.query<RecipientRow>(RECIPIENTS, [scope.partnerId, scope.environment, since, most])
}
