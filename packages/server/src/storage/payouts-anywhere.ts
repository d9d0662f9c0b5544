// Payouts as the operator finds them: by id alone, of any partner, visible to the partner or not.
import type { Scope } from '../core/scope.ts'
import { type FollowedPayout, PAYOUT_COLUMNS } from './payouts.ts'
import { type Db, statement } from './sql.ts'

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

/** Looks into each wallet's part of the index, because no index has the id alone: there are few wallets. */
export async function findPayoutAnywhere(db: Db, id: string): Promise<WholePayout | null> {
  const [whose] = await db.query<Scope & { partnerSlug: string }>(WHOSE, [id])
  if (whose === undefined) return null
  const { partnerId, environment, partnerSlug } = whose
  const [row] = await db.query<Omit<WholePayout, 'partnerSlug'>>(WHOLE, [partnerId, environment, id])
  return row === undefined ? null : { ...row, partnerSlug }
}
