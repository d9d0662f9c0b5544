// The SQL of the third step and of the follow-up: locks payouts, then writes their outcomes, many at once.
import type { PayoutStatus } from '@kestrel/contract'

import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { itemColumns } from './item-columns.ts'
import { PAYOUT_COLUMNS, type PayoutRow, type RefundState, type SendState } from './payouts.ts'
import { type Db, type Tx, statement } from './sql.ts'

const LOCK = statement(
  'lock_payouts',
  `select ${PAYOUT_COLUMNS} from payouts
    where partner_id = $1 and environment = $2 and id = any($3) order by id for no key update`,
)

export function lockPayouts(tx: Tx, scope: Scope, ids: readonly string[]): Promise<PayoutRow[]> {
  return tx.query<PayoutRow>(LOCK, [scope.partnerId, scope.environment, ids])
}

/** The new values of a payout's row. Writing them always ends the lease. */
export interface PayoutChange {
  readonly id: string
  /** The status when the row was locked. The update checks it again. */
  readonly fromStatus: PayoutStatus
  readonly status: PayoutStatus
  readonly sendState: SendState
  readonly surfacedAt: Date | null
  readonly releasedAt: Date | null
  readonly transferRef: string | null
  readonly failureReason: string | null
  readonly bankReason: string | null
  readonly bankState: string | null
  readonly refundState: RefundState
  readonly completedAt: Date | null
  readonly endedAt: Date | null
  readonly updatedAt: Date
  readonly nextCheckAt: Date | null
  readonly checks: number
  readonly bankAttempt: number
  readonly unansweredAt: Date | null
  readonly bankSent: MicroUsdc | null
  readonly surplus: MicroUsdc | null
  readonly adjustments: number
  readonly bankUpdatedAt: Date | null
  readonly listedBy: Date | null
  readonly endingsUndone: number
}

const CHANGED = itemColumns<keyof PayoutChange>(3, {
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
  refundState: ['refund_state', 'text'],
  completedAt: ['completed_at', 'timestamptz'],
  endedAt: ['ended_at', 'timestamptz'],
  updatedAt: ['updated_at', 'timestamptz'],
  nextCheckAt: ['next_check_at', 'timestamptz'],
  checks: ['checks', 'int'],
  bankAttempt: ['bank_attempt', 'int'],
  unansweredAt: ['unanswered_at', 'timestamptz'],
  bankSent: ['bank_sent_micro', 'bigint'],
  surplus: ['surplus_micro', 'bigint'],
  adjustments: ['adjustments', 'int'],
  bankUpdatedAt: ['bank_updated_at', 'timestamptz'],
  listedBy: ['listed_by', 'timestamptz'],
  endingsUndone: ['endings_undone', 'int'],
})

const CHANGE = statement(
  'change_payouts',
  `update payouts p set ${CHANGED.assigned(['id', 'fromStatus'])}, lease_token = null, lease_until = null
     from ${CHANGED.from}
    where p.partner_id = $1 and p.environment = $2 and p.id = item.id and p.status = item.from_status`,
)

/** The only way for a payout's status to change. The rows are locked by `lockPayouts`. */
export function changePayouts(tx: Tx, scope: Scope, changes: readonly PayoutChange[]): void {
  if (changes.length === 0) return
  tx.defer(CHANGE, [scope.partnerId, scope.environment, ...CHANGED.values(changes)])
}

const DUE = statement(
  'due_payouts',
  `select partner_id as "partnerId", environment, id from payouts
    where next_check_at <= $1 and (lease_until is null or lease_until <= $1)
      and environment = $3 and partner_id <> all($4::uuid[])
    order by next_check_at limit $2`,
)

export interface DuePayout extends Scope {
  readonly id: string
}

/**
 * Payouts that are due for a look, without those of some partners. Only a hint: `claimDuePayouts` decides who gets
 * them.
 */
export function listDuePayouts(
  db: Db,
  environment: Scope['environment'],
  asked: { now: Date; most: number; except: readonly string[] },
): Promise<DuePayout[]> {
  return db.query<DuePayout>(DUE, [asked.now, asked.most, environment, asked.except])
}

const CLAIM = statement(
  'claim_due_payouts',
  `update payouts set lease_token = $5, lease_until = $6, next_check_at = $6
    where partner_id = $1 and environment = $2 and id in (
      select id from payouts
       where partner_id = $1 and environment = $2 and id = any($3)
         and next_check_at <= $4 and (lease_until is null or lease_until <= $4)
       order by id for no key update skip locked)
    returning ${PAYOUT_COLUMNS}`,
)

/** Takes the lease on those of the given payouts that no other worker has claimed or finished meanwhile. */
export function claimDuePayouts(
  tx: Tx,
  scope: Scope,
  claim: { ids: readonly string[]; now: Date; leaseToken: string; leaseUntil: Date },
): Promise<PayoutRow[]> {
  return tx.query<PayoutRow>(CLAIM, [
    scope.partnerId,
    scope.environment,
    claim.ids,
    claim.now,
    claim.leaseToken,
    claim.leaseUntil,
  ])
}
