// The SQL of the third step and of the follow-up: locks payouts, then writes their outcomes, many at once.
import type { Environment, PayoutStatus } from '@kestrel/contract'

import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import {
  COUNT_OF_NEWS,
  LAST_OF_CHANGED,
  NEWS_COLUMNS,
  type PayoutNews,
  idsOfNews,
  insertPayoutEvents,
  notedOfPayout,
} from './payout-events.ts'
import { itemColumns, itemList } from './item-columns.ts'
import { type NextLook, followOn, lockFollowUps, lockLeases } from './payout-follow-ups.ts'
import {
  type FollowedPayout,
  PAYOUT_COLUMNS,
  type PayoutAsRead,
  type PayoutRow,
  type RefundState,
  type SendState,
} from './payouts.ts'
import { type Tx, statement } from './sql.ts'

// Each is looked up by itself: to PostgreSQL 16 and older, reading all that a partner has seems cheaper while that is little.
const WANTED = itemList(3, 'id', 'uuid')
const LOCK = statement(
  'lock_payouts',
  `select locked.* from (select item.* from ${WANTED.from} order by item.id) item cross join lateral (
     select ${PAYOUT_COLUMNS} from payouts
      where partner_id = $1 and environment = $2 and id = item.id limit 1 for no key update) locked`,
)

/** Locks payouts and their follow-ups, in this order. */
export async function lockPayouts(tx: Tx, scope: Scope, ids: readonly string[]): Promise<FollowedPayout[]> {
  const [rows, withFollowUp] = await Promise.all([
    tx.query<PayoutRow>(LOCK, [scope.partnerId, scope.environment, WANTED.value(ids)]),
    lockFollowUps(tx, scope, ids),
  ])
  return rows.map(withFollowUp)
}

const AS_READ = itemColumns<'partnerId' | 'id' | 'version'>(2, {
  partnerId: ['partner_id', 'uuid'],
  id: ['id', 'uuid'],
  version: ['version', 'text'],
})

// What is counted is what each row is once its lock is there.
const LOCK_AS_READ = statement(
  'lock_payouts_as_read',
  `select expect_unchanged(count(*) filter (where locked.version = item.version) = cardinality($2::uuid[]))
     from (select item.* from ${AS_READ.from} order by item.id) item
    cross join lateral (
      select xmin::text as version from payouts
       where partner_id = item.partner_id and environment = $1 and id = item.id limit 1 for no key update) locked`,
)

/** Locks payouts and their follow-ups, in this order, and ends the transaction if one is not as it was read. */
export function lockPayoutsAsRead(tx: Tx, environment: Environment, read: readonly PayoutAsRead[]): void {
  const items = read.map(({ row: { partnerId, id, leaseToken }, version }) => ({ partnerId, id, version, leaseToken }))
  tx.defer(LOCK_AS_READ, [environment, ...AS_READ.values(items)])
  lockLeases(tx, environment, items)
}

/** The new values of a payout's row, and when it is looked at next. Writing them always ends the lease. */
export interface PayoutChange extends NextLook {
  /** The status when the row was locked. With any other the update fails, and all that was to be written with it. */
  readonly fromStatus: PayoutStatus
  readonly status: PayoutStatus
  readonly sendState: SendState
  readonly surfacedAt: Date | null
  readonly releasedAt: Date | null
  readonly transferRef: string | null
  readonly failureReason: string | null
  readonly bankReason: string | null
  readonly bankState: string | null
  /** Written once: a later one changes nothing. */
  readonly handedOverAt: Date | null
  readonly refundState: RefundState
  readonly completedAt: Date | null
  readonly endedAt: Date | null
  readonly refundedAt: Date | null
  readonly updatedAt: Date
  readonly bankAttempt: number
  readonly unansweredAt: Date | null
  readonly bankSent: MicroUsdc | null
  readonly surplus: MicroUsdc | null
  readonly adjustments: number
  readonly bankUpdatedAt: Date | null
  readonly listedBy: Date | null
  readonly endingsUndone: number
}

const NEWS = Object.keys(NEWS_COLUMNS) as (keyof typeof NEWS_COLUMNS)[]
const CHANGED = itemColumns<
  Exclude<keyof PayoutChange, Exclude<keyof NextLook, 'partnerId' | 'id'>> | keyof typeof NEWS_COLUMNS
>(2, {
  partnerId: ['partner_id', 'uuid'],
  id: ['id', 'uuid'],
  fromStatus: ['from_status', 'text'],
  status: ['status', 'text'],
  sendState: ['send_state', 'text'],
  surfacedAt: ['surfaced_at', 'timestamptz'],
  releasedAt: ['released_at', 'timestamptz'],
  transferRef: ['provider_ref', 'text'],
  failureReason: ['failure_reason', 'text'],
  bankReason: ['provider_reason', 'text'],
  bankState: ['provider_state', 'text'],
  handedOverAt: ['handed_over_at', 'timestamptz'],
  refundState: ['refund_state', 'text'],
  completedAt: ['completed_at', 'timestamptz'],
  endedAt: ['ended_at', 'timestamptz'],
  refundedAt: ['refunded_at', 'timestamptz'],
  updatedAt: ['updated_at', 'timestamptz'],
  bankAttempt: ['bank_attempt', 'int'],
  unansweredAt: ['unanswered_at', 'timestamptz'],
  bankSent: ['bank_sent_micro', 'bigint'],
  surplus: ['surplus_micro', 'bigint'],
  adjustments: ['adjustments', 'int'],
  bankUpdatedAt: ['bank_updated_at', 'timestamptz'],
  listedBy: ['listed_by', 'timestamptz'],
  endingsUndone: ['endings_undone', 'int'],
  ...NEWS_COLUMNS,
})

// However few rows PostgreSQL believes there are, it looks them up one by one; they are locked, so a place stays a row's. The events are written by the same statement,
// from the rows as it leaves them: no change is without its event.
const CHANGE = statement(
  'change_payouts',
  `with changed as (
     update payouts p set ${CHANGED.assigned(['partnerId', 'id', 'fromStatus', 'handedOverAt', ...NEWS])},
       handed_over_at = coalesce(p.handed_over_at, item.handed_over_at), event_count = p.event_count + ${COUNT_OF_NEWS}
       from (select item.*, found.ctid as found_at from ${CHANGED.fromInOrder} cross join lateral (
               select ctid from payouts
                where partner_id = item.partner_id and environment = $1 and id = item.id limit 1) found) item
      where p.ctid = item.found_at
        and case when p.status = item.from_status then true else expect_unchanged(false) is null end
     returning ${notedOfPayout()}), ${LAST_OF_CHANGED}
   ${insertPayoutEvents('$1')}`,
)

/** The only way for a payout's status to change. The rows are locked by `lockPayouts`, and the wallet after them. */
export function changePayouts(
  tx: Tx,
  environment: Environment,
  { changes, news, now }: { changes: readonly PayoutChange[]; news: readonly PayoutNews[]; now: Date },
): void {
  if (changes.length === 0) return
  const ids = idsOfNews(news, now)
  const rows = changes.map((change, index) => ({ ...change, requestId: news[index]!.requestId, ...ids[index]! }))
  tx.defer(CHANGE, [environment, ...CHANGED.values(rows)])
  followOn(tx, environment, changes)
}
