// What is still followed: when each payout is looked at next, and who has it until when. A row lies beside its payout while
// that is not at rest, so that following a payout never rewrites it.
import type { Environment } from '@kestrel/contract'

import { after } from '../core/clock.ts'
import type { Scope } from '../core/scope.ts'
import { itemColumns, itemList } from './item-columns.ts'
import { type FollowUp, type FollowedPayout, PAYOUT_COLUMNS, type PayoutRow } from './payouts.ts'
import { type Db, type Tx, statement } from './sql.ts'
import { isFree } from './wrong-clocks.ts'

const AT_REST: FollowUp = { leaseToken: null, leaseUntil: null, checks: 0 }

const OF_PAYOUTS = itemList(3, 'id', 'uuid')

// A statement of its own, after the payouts are locked: joined to that one, it would show the lease as it was before the
// lock was waited for.
const LOCK = statement(
  'lock_follow_ups',
  `select locked.* from (select item.* from ${OF_PAYOUTS.from} order by item.id) item cross join lateral (
     select payout_id as id, lease_token as "leaseToken", lease_until as "leaseUntil", checks from payout_follow_ups
      where partner_id = $1 and environment = $2 and payout_id = item.id limit 1 for no key update) locked`,
)

/** Locks the follow-ups of payouts that are locked already. One without is at rest. */
export async function lockFollowUps(
  tx: Tx,
  scope: Scope,
  ids: readonly string[],
): Promise<(row: PayoutRow) => FollowedPayout> {
  const values = [scope.partnerId, scope.environment, OF_PAYOUTS.value(ids)]
  const rows = await tx.query<FollowUp & { id: string }>(LOCK, values)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return (row) => {
    const { leaseToken, leaseUntil, checks } = byId.get(row.id) ?? AT_REST
    return { ...row, leaseToken, leaseUntil, checks }
  }
}

const HELD = itemColumns<'partnerId' | 'id' | 'leaseToken'>(2, {
  partnerId: ['partner_id', 'uuid'],
  id: ['id', 'uuid'],
  leaseToken: ['lease_token', 'uuid'],
})

const LOCK_LEASES = statement(
  'lock_leases',
  `select expect_unchanged(count(*) filter (where locked.lease_token = item.lease_token) = cardinality($2::uuid[]))
     from (select item.* from ${HELD.from} order by item.id) item
    cross join lateral (
      select lease_token from payout_follow_ups
       where partner_id = item.partner_id and environment = $1 and payout_id = item.id limit 1 for no key update) locked`,
)

/** The same for leases that the caller has; the transaction ends if one of them is another's by now. */
export function lockLeases(
  tx: Tx,
  environment: Environment,
  held: readonly { partnerId: string; id: string; leaseToken: string | null }[],
): void {
  tx.defer(LOCK_LEASES, [environment, ...HELD.values(held)])
}

const TAKEN = itemColumns<'id' | 'leaseToken'>(5, { id: ['payout_id', 'uuid'], leaseToken: ['lease_token', 'uuid'] })

const TAKE = statement(
  'follow_reserved_payouts',
  `insert into payout_follow_ups (partner_id, environment, created_at, next_check_at, lease_until, ${TAKEN.names})
   select $1, $2, $3, $4, $4, ${TAKEN.selected} from ${TAKEN.from}
   on conflict (partner_id, environment, payout_id) do update set
     created_at = excluded.created_at, next_check_at = excluded.next_check_at, checks = 0,
     lease_token = excluded.lease_token, lease_until = excluded.lease_until`,
)

/** Payouts whose money is held now belong to whoever asks the bank; if that ends, they are due when the lease ends. */
export function followReserved(
  tx: Tx,
  scope: Scope,
  reserved: readonly { id: string; leaseToken: string }[],
  times: { now: Date; leaseUntil: Date },
): void {
  if (reserved.length === 0) return
  tx.defer(TAKE, [scope.partnerId, scope.environment, times.now, times.leaseUntil, ...TAKEN.values(reserved)])
}

const NEXT = itemColumns<'partnerId' | 'id' | 'createdAt' | 'nextCheckAt' | 'checks'>(2, {
  partnerId: ['partner_id', 'uuid'],
  id: ['payout_id', 'uuid'],
  createdAt: ['created_at', 'timestamptz'],
  nextCheckAt: ['next_check_at', 'timestamptz'],
  checks: ['checks', 'int'],
})

const GO_ON = statement(
  'go_on_following',
  `insert into payout_follow_ups (environment, ${NEXT.names})
   select $1, ${NEXT.selected} from ${NEXT.from}
   on conflict (partner_id, environment, payout_id) do update set
     next_check_at = excluded.next_check_at, checks = excluded.checks, lease_token = null, lease_until = null`,
)
const ENDED = itemColumns<'partnerId' | 'id'>(2, { partnerId: ['partner_id', 'uuid'], id: ['payout_id', 'uuid'] })
// Each is looked up by its key, whatever PostgreSQL believes of a table that is empty whenever it looks. Whose it is, is asked there
// only: asked again, it would be a reason to read all that a partner has, by a plan that is kept from when that was nothing.
const END = statement(
  'end_following',
  `delete from payout_follow_ups where ctid = any(array(
     select found.ctid from ${ENDED.from} cross join lateral (
       select ctid from payout_follow_ups
        where partner_id = item.partner_id and environment = $1 and payout_id = item.payout_id limit 1) found))`,
)

export interface NextLook {
  readonly partnerId: string
  readonly id: string
  readonly createdAt: Date
  /** Null: the payout is at rest. */
  readonly nextCheckAt: Date | null
  readonly checks: number
}

/** Ends the leases, and says when each payout is looked at next. */
export function followOn(tx: Tx, environment: Environment, looks: readonly NextLook[]): void {
  const on = looks.filter(({ nextCheckAt }) => nextCheckAt !== null)
  if (on.length > 0) tx.defer(GO_ON, [environment, ...NEXT.values(on)])
  const ended = looks.filter(({ nextCheckAt }) => nextCheckAt === null)
  if (ended.length > 0) tx.defer(END, [environment, ...ENDED.values(ended)])
}

/** Nobody takes a payout for longer. */
const LONGEST_LEASE_MS = 60_000

/** In SQL: nobody has the payout of a follow-up, or its lease ends in time. */
export const isFreeToFollow = (now: string, by = now): string =>
  isFree({ until: 'lease_until', by, now, longestMs: LONGEST_LEASE_MS })

/** The same of one that was read. */
export const isBeingFollowed = ({ leaseUntil }: Pick<FollowUp, 'leaseUntil'>, now: Date): boolean =>
  leaseUntil !== null && leaseUntil > now && leaseUntil <= after(now, 2 * LONGEST_LEASE_MS)

/** In SQL: whose environment it is, as the index of what is due has it and no look-up by key does. */
export const isLive = (environment: string): string => `case ${environment} when 'live' then 1 else 0 end`

export interface DuePayout extends Scope {
  readonly id: string
}

// The time of the next look stays, because an index has it: the lease keeps others away. Whether a payout is due is asked in words
// that no index has, so that it is found by its key.
const CLAIMED = itemColumns<'partnerId' | 'id'>(5, { partnerId: ['partner_id', 'uuid'], id: ['payout_id', 'uuid'] })
const CLAIM = statement(
  'claim_due_payouts',
  `with claimed as (
     update payout_follow_ups set lease_token = $3, lease_until = $4
      where ctid = any(array(
        select found.ctid from (select item.* from ${CLAIMED.from} order by item.payout_id) item cross join lateral (
          select ctid from payout_follow_ups
           where partner_id = item.partner_id and environment = $1 and payout_id = item.payout_id
             and case when ${isFreeToFollow('$2')} then next_check_at end <= $2
           limit 1 for no key update skip locked) found))
      returning partner_id, payout_id, lease_token as "leaseToken", lease_until as "leaseUntil", checks)
   select payout.*, claimed."leaseToken", claimed."leaseUntil", claimed.checks from claimed cross join lateral (
     select ${PAYOUT_COLUMNS}, xmin::text as version from payouts
      where partner_id = claimed.partner_id and environment = $1 and id = claimed.payout_id limit 1) payout`,
)

export interface ClaimedPayout extends FollowedPayout {
  /** Tells whether the row has been written since. */
  readonly version: string
}

/** Takes the lease on those of the given payouts that no other worker has claimed or finished meanwhile, in the order in which they are given. */
export async function claimDuePayouts(
  tx: Tx,
  environment: Environment,
  claim: { due: readonly Omit<DuePayout, 'environment'>[]; now: Date; leaseToken: string; leaseUntil: Date },
): Promise<ClaimedPayout[]> {
  const { due, now, leaseToken, leaseUntil } = claim
  const values = [environment, now, leaseToken, leaseUntil, ...CLAIMED.values(due)]
  const claimed = await tx.query<ClaimedPayout>(CLAIM, values)
  // PostgreSQL gives them as they lie on disk.
  const place = new Map(due.map(({ id }, nth) => [id, nth]))
  return claimed.toSorted((one, other) => place.get(one.id)! - place.get(other.id)!)
}

/**
 * In SQL: the payouts of wallet ($1, $2) that are followed and for which a condition holds, as `payout`. What is not at rest
 * is followed, so nothing else need be looked at.
 */
export const followedPayouts = (select: string, condition: string): string => `payout_follow_ups followed
     cross join lateral (
       ${select} from payouts
        where partner_id = $1 and environment = $2 and id = followed.payout_id and ${condition} limit 1) payout
    where followed.partner_id = $1 and followed.environment = $2`

const transfersWhere = (condition: string): string =>
  `select payout.* from ${followedPayouts('select id, rail, provider_ref as "transferRef"', condition)}
    order by followed.payout_id limit $3`
const IS_UNDER_WAY = `status in ('pending', 'processing')`

const FOLLOWED = statement('followed_transfers', transfersWhere('provider_ref is not null'))
const TO_CANCEL = statement(
  'followed_transfers_to_cancel',
  transfersWhere(`provider_ref is not null and (${IS_UNDER_WAY} or (status = 'cancelled' and refund_state = 'due'))`),
)

export interface FollowedTransfer {
  readonly id: string
  readonly rail: string
  readonly transferRef: string
}

/** The oldest payouts of a wallet that are followed and that the bank has confirmed. */
export function listFollowedTransfers(db: Db, scope: Scope, most: number): Promise<FollowedTransfer[]> {
  return db.query<FollowedTransfer>(FOLLOWED, [scope.partnerId, scope.environment, most])
}

/**
 * Of these, the oldest that are under way, or were cancelled and have not their money back yet. What has arrived is followed for
 * longer, and does not take their place.
 */
export function listTransfersToCancel(db: Db, scope: Scope, most: number): Promise<FollowedTransfer[]> {
  return db.query<FollowedTransfer>(TO_CANCEL, [scope.partnerId, scope.environment, most])
}

const COUNT_UNDER_WAY = statement(
  'count_followed_under_way',
  `select count(*)::int as count from (
     select 1 from ${followedPayouts('select id', IS_UNDER_WAY)} limit 10000) counted`,
)

/** How many payouts of a wallet are under way; ten thousand for any more. */
export async function countFollowedUnderWay(db: Db, scope: Scope): Promise<number> {
  return (await db.query<{ count: number }>(COUNT_UNDER_WAY, [scope.partnerId, scope.environment]))[0]?.count ?? 0
}
