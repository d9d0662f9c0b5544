// The columns of a payout's row, and the reads of single payouts.
import type { PayoutStatus } from '@kestrel/contract'

import type { MicroUsdc, Pence } from '../core/money.ts'
import type { RailName } from '../core/rail-name.ts'
import type { Scope } from '../core/scope.ts'
import type { StoredWarning } from './payout-recipients.ts'
import { type Db, statement } from './sql.ts'

export type SendState = 'sending' | 'unknown' | 'accepted' | 'not_sent' | 'rejected'
export type RefundState = 'none' | 'due' | 'done'

export interface PayoutRow {
  readonly partnerId: string
  readonly environment: Scope['environment']
  readonly id: string
  readonly idempotencyKey: string
  readonly fingerprint: Buffer
  /** The id of the key that made both fingerprints; null is the first key. */
  readonly fingerprintKey: Buffer | null
  readonly createdVia: 'api' | 'dashboard'
  /**
   * The start of the API key or the email of the member that asked for it; null on payouts from before that was stored.
   */
  readonly createdBy: string | null
  readonly amount: Pence
  readonly reference: string | null
  readonly statementReference: string | null
  readonly recipientName: string
  readonly accountLast4: string
  readonly recipientSealed: Buffer
  readonly recipientFingerprint: Buffer
  readonly gbpPerUsd: string
  readonly fee: Pence
  readonly feeInTransfer: Pence
  readonly feeOnInvoice: Pence
  readonly walletSends: MicroUsdc
  readonly status: PayoutStatus
  readonly failureReason: string | null
  readonly bankReason: string | null
  readonly bankState: string | null
  /** When we first heard that the bank had handed it over; never unset. Null: we have not. */
  readonly handedOverAt: Date | null
  readonly refundState: RefundState
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly completedAt: Date | null
  /** When the payout failed, was cancelled or came back. */
  readonly endedAt: Date | null
  /** When the money of such a payout was in the wallet again; null on those from before that was stored, too. */
  readonly refundedAt: Date | null
  readonly surfacedAt: Date | null
  readonly rail: RailName
  readonly sendState: SendState
  readonly sendAttempts: number
  readonly transferRef: string | null
  /** The warnings when it was created; null: none. */
  readonly warnings: readonly StoredWarning[] | null
  /** Numbers the key under which the bank is asked; counts up when the bank has refused. */
  readonly bankAttempt: number
  /** By when the bank's list has to have what a refused attempt made, if it made anything; null: none was refused. */
  readonly listedBy: Date | null
  /** When the operator took out of the books what the bank had made although it was given up. */
  readonly debitedAt: Date | null
  /** When the bank was last asked without an answer. */
  readonly unansweredAt: Date | null
  /** What the bank says it took; null when that is what was reserved, or the bank has not said. */
  readonly bankSent: MicroUsdc | null
  /** What the bank has put into the operator's own wallet; null: it has not said. */
  readonly surplus: MicroUsdc | null
  /** What the operator has added because the rate had moved. */
  readonly toppedUp: MicroUsdc
  /** What it has asked the bank to add, as long as the bank has not answered. */
  readonly toppingUp: MicroUsdc | null
  /** How often the difference was posted. */
  readonly adjustments: number
  /** The time of the bank's latest news. */
  readonly bankUpdatedAt: Date | null
  /** How often it had ended and turned out to be paid. */
  readonly endingsUndone: number
}

/** What lies beside a payout while it is followed (storage/payout-follow-ups.ts). */
export interface FollowUp {
  /** Whoever has this token may record what the bank says. */
  readonly leaseToken: string | null
  readonly leaseUntil: Date | null
  /** How often it was looked at since it last moved. */
  readonly checks: number
}

/** A payout with its follow-up, as an outcome is decided for it. */
export type FollowedPayout = PayoutRow & FollowUp

/** A payout as it was read, with what tells whether its row has been written since. */
export interface PayoutAsRead {
  readonly row: FollowedPayout
  readonly version: string
}

/**
 * In SQL: nobody knows whether the bank has the payout. `isInDoubt` says the same by the table of stages, and
 * test/storage/payout-stages.test.ts compares the two. The book checks spell it out by themselves on purpose.
 */
export const IS_IN_DOUBT = `status = 'pending' and send_state in ('sending', 'unknown')`

/** What finds a payout among those of all partners, as columns of a batch. */
export const PAYOUT_KEY = {
  partnerId: ['partner_id', 'uuid'],
  environment: ['environment', 'environment'],
  id: ['id', 'uuid'],
} as const

export const PAYOUT_COLUMNS = `
  partner_id as "partnerId", environment, id, idempotency_key as "idempotencyKey", fingerprint,
  fingerprint_key as "fingerprintKey",
  created_via as "createdVia", created_by as "createdBy", amount_pence as amount, reference, statement_reference as "statementReference",
  recipient_name as "recipientName", account_last4 as "accountLast4", recipient_sealed as "recipientSealed",
  recipient_fingerprint as "recipientFingerprint", gbp_per_usd as "gbpPerUsd", fee_pence as fee,
  fee_in_transfer_pence as "feeInTransfer", fee_on_invoice_pence as "feeOnInvoice",
  wallet_sends_micro as "walletSends", status, failure_reason as "failureReason",
  provider_reason as "bankReason", provider_state as "bankState", handed_over_at as "handedOverAt", refund_state as "refundState", created_at as "createdAt",
  updated_at as "updatedAt", completed_at as "completedAt", ended_at as "endedAt", refunded_at as "refundedAt", surfaced_at as "surfacedAt", rail,
  send_state as "sendState", send_attempts as "sendAttempts", provider_ref as "transferRef",
  warnings, bank_attempt as "bankAttempt", unanswered_at as "unansweredAt", bank_sent_micro as "bankSent", adjustments,
  surplus_micro as surplus, topped_up_micro as "toppedUp", topping_up_micro as "toppingUp",
  bank_updated_at as "bankUpdatedAt", listed_by as "listedBy", debited_at as "debitedAt",
  endings_undone as "endingsUndone"`

const VISIBLE = statement(
  'find_payout',
  `select ${PAYOUT_COLUMNS} from payouts
    where partner_id = $1 and environment = $2 and id = $3 and surfaced_at is not null`,
)

/**
 * A payout that the partner can see. Null looks the same for one that is absent, another partner's, or not yet created.
 */
export async function findPayout(db: Db, scope: Scope, id: string): Promise<PayoutRow | null> {
  return (await db.query<PayoutRow>(VISIBLE, [scope.partnerId, scope.environment, id]))[0] ?? null
}

/**
 * In SQL: what holds of one idempotency key. As a range with an order, which only the index of keys has: by equality alone
 * PostgreSQL takes any index that begins with the partner while it has no statistics, and reads all of the partner's rows.
 * The environment is $2 and the partner $1, or what is said here.
 */
export const ofKey = (key: string, which: string, of = '', partner = '$1'): string => `${of}partner_id = ${partner}
    and ${of}environment = $2
    and ${of}idempotency_key >= ${key} and ${of}idempotency_key <= ${key} and ${which} order by ${of}idempotency_key`

const BY_KEY = statement(
  'find_payout_by_key',
  `select ${PAYOUT_COLUMNS} from payouts where ${ofKey('$3', 'released_at is null')} limit 1`,
)

/** The payout that the key is bound to or being tried for, visible or not. */
export async function findPayoutByKey(db: Db, scope: Scope, idempotencyKey: string): Promise<PayoutRow | null> {
  return (await db.query<PayoutRow>(BY_KEY, [scope.partnerId, scope.environment, idempotencyKey]))[0] ?? null
}
