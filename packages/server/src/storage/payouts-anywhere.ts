// Payouts as the operator finds them: by id alone, of any partner, visible to the partner or not.
import { type Environment, UNDER_WAY } from '@kestrel/contract'

import type { Pence } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { type FollowedPayout, PAYOUT_COLUMNS } from './payouts.ts'
import { type Db, statement } from './sql.ts'
import { statusIn } from './status-in.ts'

export interface WholePayout extends FollowedPayout {
  readonly nextCheckAt: Date | null
  readonly releasedAt: Date | null
  readonly partnerSlug: string
}

const WHOSE = statement(
  'whose_payout',
  `select w.partner_id as "partnerId", w.environment, b.slug as "partnerSlug"
     from wallets w join payouts p on p.partner_id = w.partner_id and p.environment = w.environment
     join partners b on b.id = w.partner_id
    where p.id = $1`,
)
const WHOLE = statement(
  'whole_payout',
  `select payout.*, f.lease_token as "leaseToken", f.lease_until as "leaseUntil", coalesce(f.checks, 0) as checks,
          f.next_check_at as "nextCheckAt"
     from (select ${PAYOUT_COLUMNS}, released_at as "releasedAt" from payouts
            where partner_id = $1 and environment = $2 and id = $3) payout
     left join payout_follow_ups f on f.partner_id = $1 and f.environment = $2 and f.payout_id = $3`,
)

export interface PayoutUnderWay {
  readonly id: string
  readonly partnerSlug: string
  readonly status: string
  readonly amount: Pence
  readonly createdAt: Date
}

const OLDEST = statement(
  'oldest_payouts_under_way',
  `select p.id, b.slug as "partnerSlug", p.status, p.amount_pence as amount, f.created_at as "createdAt"
     from payout_follow_ups f join partners b on b.id = f.partner_id
    cross join lateral (
      select id, status, amount_pence from payouts
       where partner_id = f.partner_id and environment = f.environment and id = f.payout_id
         and ${statusIn('status', UNDER_WAY)} limit 1) p
    where f.environment = $1 order by f.created_at limit $2`,
)

/** Of all partners, those that are still followed: few, however many there were. */
export function listOldestUnderWay(db: Db, environment: Environment, most: number): Promise<PayoutUnderWay[]> {
  return db.query<PayoutUnderWay>(OLDEST, [environment, most])
}

/** Looks into each wallet's part of the index, because no index has the id alone: there are few wallets. */
export async function findPayoutAnywhere(db: Db, id: string): Promise<WholePayout | null> {
  const [whose] = await db.query<Scope & { partnerSlug: string }>(WHOSE, [id])
  if (whose === undefined) return null
  const { partnerId, environment, partnerSlug } = whose
  const [row] = await db.query<Omit<WholePayout, 'partnerSlug'>>(WHOLE, [partnerId, environment, id])
  return row === undefined ? null : { ...row, partnerSlug }
}
