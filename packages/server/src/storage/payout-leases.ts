// Leases on payouts that somebody asks the bank about: taken on one that is in doubt, prolonged, ended, given back.
import type { Scope } from '../core/scope.ts'
import { itemList } from './item-columns.ts'
import { IS_IN_DOUBT, PAYOUT_COLUMNS, type PayoutRow } from './payouts.ts'
import { type Database, type Tx, statement } from './sql.ts'
import { isFreeToFollow } from './payout-follow-ups.ts'

const OF_PAYOUTS = itemList(3, 'id', 'uuid')

// The payout may have ended since it was read, and money that was given back must never be sent again: its row is locked
// before its lease is looked at.
const LOCK_IN_DOUBT = statement(
  'lock_payout_in_doubt',
  `select ${PAYOUT_COLUMNS} from payouts
    where partner_id = $1 and environment = $2 and id = $3 and provider_ref is null and ${IS_IN_DOUBT}
      for no key update`,
)
const LEASE = statement(
  'lease_payout',
  `update payout_follow_ups set lease_token = $4, lease_until = $6
    where partner_id = $1 and environment = $2 and payout_id = $3 and ${isFreeToFollow('$5')}
   returning true as taken`,
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
  const { partnerId, environment } = scope
  const [row] = await tx.query<PayoutRow>(LOCK_IN_DOUBT, [partnerId, environment, lease.id])
  if (row === undefined) return null
  const values = [partnerId, environment, lease.id, lease.token, lease.now, lease.until]
  return (await tx.query(LEASE, values)).length === 0 ? null : row
}

// A payout that has ended has no row here: a slow holder of the lease makes nothing due any more.
const DUE_NOW = statement(
  'payout_due_now',
  `update payout_follow_ups set next_check_at = $4, lease_token = null, lease_until = null
    where partner_id = $1 and environment = $2 and payout_id = $3 and (lease_token is null or lease_token = $5)`,
)

/** Ends a lease on a payout that is still in doubt, when nothing was found out: the worker's next round looks again. */
export function makeDue(tx: Tx, scope: Scope, due: { id: string; token: string; now: Date }): void {
  tx.defer(DUE_NOW, [scope.partnerId, scope.environment, due.id, due.now, due.token])
}

const RENEW = statement(
  'renew_leases',
  `update payout_follow_ups set lease_until = $5
    where lease_token = $4 and ctid = any(array(
      select found.ctid from (select item.* from ${OF_PAYOUTS.from} order by item.id) item cross join lateral (
        select ctid from payout_follow_ups
         where partner_id = $1 and environment = $2 and payout_id = item.id limit 1 for no key update) found))
   returning true as renewed`,
)

/** Prolongs a lease on payouts of a wallet. Returns how many of them still have it. */
export async function renewLeases(
  db: Pick<Database, 'inOneTrip'>,
  { partnerId, environment }: Scope,
  { ids, leaseToken, until }: { ids: readonly string[]; leaseToken: string; until: Date },
): Promise<number> {
  return (await db.inOneTrip([[RENEW, [partnerId, environment, OF_PAYOUTS.value(ids), leaseToken, until]]])).length
}

const GIVE_BACK = statement(
  'give_back_payouts',
  `update payout_follow_ups set next_check_at = $5, lease_token = null, lease_until = null
    where lease_token = $4 and ctid = any(array(
      select found.ctid from ${OF_PAYOUTS.from} cross join lateral (select ctid from payout_follow_ups
         where partner_id = $1 and environment = $2 and payout_id = item.id limit 1) found))`,
)

/** Ends a lease on payouts of a wallet: they are due at the given time, for whoever looks then. What is recorded by now stays so. */
export function giveBackPayouts(
  tx: Tx,
  { partnerId, environment }: Scope,
  { ids, leaseToken, dueAt }: { ids: readonly string[]; leaseToken: string; dueAt: Date },
): void {
  tx.defer(GIVE_BACK, [partnerId, environment, OF_PAYOUTS.value(ids), leaseToken, dueAt])
}
