// Payouts as the operator finds them: by id alone, of any partner, visible to the partner or not.
import type { Scope } from '../core/scope.ts'
import { IS_IN_DOUBT, PAYOUT_COLUMNS, type PayoutRow } from './payouts.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface WholePayout extends PayoutRow {
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
  `select ${PAYOUT_COLUMNS}, next_check_at as "nextCheckAt", released_at as "releasedAt" from payouts
    where partner_id = $1 and environment = $2 and id = $3`,
)

/** Looks into each wallet's part of the index, because no index has the id alone: there are few wallets. */
export async function findPayoutAnywhere(db: Db, id: string): Promise<WholePayout | null> {
  const [whose] = await db.query<Scope & { partnerSlug: string }>(WHOSE, [id])
  if (whose === undefined) return null
  const { partnerId, environment, partnerSlug } = whose
  const [row] = await db.query<Omit<WholePayout, 'partnerSlug'>>(WHOLE, [partnerId, environment, id])
  return row === undefined ? null : { ...row, partnerSlug }
}

const LEASE = statement(
  'lease_payout',
  `update payouts set lease_token = $4, lease_until = $6, next_check_at = $6
    where partner_id = $1 and environment = $2 and id = $3 and (lease_until is null or lease_until <= $5)
      -- The payout may have ended since it was read: money that was given back must never be sent again.
      and provider_ref is null and ${IS_IN_DOUBT}
   returning ${PAYOUT_COLUMNS}`,
)

/**
 * Takes the lease on one payout in doubt, due or not. Null while another holder has it, or when it is no longer in
 * doubt.
 */
export async function leasePayout(
  tx: Tx,
  scope: Scope,
  lease: { id: string; token: string; now: Date; until: Date },
): Promise<PayoutRow | null> {
  const values = [scope.partnerId, scope.environment, lease.id, lease.token, lease.now, lease.until]
  return (await tx.query<PayoutRow>(LEASE, values))[0] ?? null
}

const DUE_NOW = statement(
  'payout_due_now',
  `update payouts set next_check_at = $4, lease_token = null, lease_until = null
    where partner_id = $1 and environment = $2 and id = $3 and (lease_token is null or lease_token = $5)
      -- A slow holder of the lease may be late: a payout that has ended is not asked about any more.
      and ${IS_IN_DOUBT}`,
)

/** Ends a lease on a payout that is still in doubt, when nothing was found out: the worker's next round looks again. */
export function makeDue(tx: Tx, scope: Scope, due: { id: string; token: string; now: Date }): void {
  tx.defer(DUE_NOW, [scope.partnerId, scope.environment, due.id, due.now, due.token])
}
