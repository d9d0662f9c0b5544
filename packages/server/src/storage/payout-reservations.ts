// The SQL of the first step: many payouts of one wallet in one transaction.
import type { Scope } from '../core/scope.ts'
import { itemColumns } from './item-columns.ts'
import type { RecipientMarks } from './payout-recipients.ts'
import { PAYOUT_COLUMNS, type PayoutRow } from './payouts.ts'
import { type Tx, statement } from './sql.ts'

/** A payout as it is first written: what was asked for, what it costs, and which worker has it. */
export type NewPayout = Pick<
  PayoutRow,
  | 'id'
  | 'idempotencyKey'
  | 'fingerprint'
  | 'fingerprintKey'
  | 'createdVia'
  | 'createdBy'
  | 'amount'
  | 'reference'
  | 'statementReference'
  | 'recipientName'
  | 'accountLast4'
  | 'recipientSealed'
  | 'recipientFingerprint'
  | 'gbpPerUsd'
  | 'fee'
  | 'feeInTransfer'
  | 'feeOnInvoice'
  | 'walletSends'
  | 'rail'
> & {
  readonly country: string
  readonly leaseToken: string
  readonly marks: RecipientMarks
  /** The same under older keys, for rows and marks that were made with those. */
  readonly olderFingerprints?: readonly Buffer[]
  readonly olderMarks?: readonly RecipientMarks[]
}

const RESERVED = itemColumns<Exclude<keyof NewPayout, 'marks' | 'olderFingerprints' | 'olderMarks'>>(5, {
  id: ['id', 'uuid'],
  idempotencyKey: ['idempotency_key', 'text'],
  fingerprint: ['fingerprint', 'bytea'],
  fingerprintKey: ['fingerprint_key', 'bytea'],
  createdVia: ['created_via', 'text'],
  createdBy: ['created_by', 'text'],
  amount: ['amount_pence', 'bigint'],
  country: ['country', 'text'],
  reference: ['reference', 'text'],
  statementReference: ['statement_reference', 'text'],
  recipientName: ['recipient_name', 'text'],
  accountLast4: ['account_last4', 'text'],
  recipientSealed: ['recipient_sealed', 'bytea'],
  recipientFingerprint: ['recipient_fingerprint', 'bytea'],
  gbpPerUsd: ['gbp_per_usd', 'numeric'],
  fee: ['fee_pence', 'bigint'],
  feeInTransfer: ['fee_in_transfer_pence', 'bigint'],
  feeOnInvoice: ['fee_on_invoice_pence', 'bigint'],
  walletSends: ['wallet_sends_micro', 'bigint'],
  rail: ['rail', 'text'],
  leaseToken: ['lease_token', 'uuid'],
})

const INSERT = statement(
  'reserve_payouts',
  `insert into payouts (
     partner_id, environment, created_at, updated_at, lease_until, next_check_at, ${RESERVED.names})
   select $1::uuid, $2::environment, $3::timestamptz, $3, $4::timestamptz, $4, ${RESERVED.selected}
     from ${RESERVED.from}
    -- Ordered by key, so that two processes that insert the same keys cannot deadlock.
    order by item.idempotency_key
   on conflict (partner_id, environment, idempotency_key) where released_at is null do nothing`,
)

/** Inserts the payouts whose keys are free. A key that is taken inserts nothing. */
export async function insertPayouts(
  tx: Tx,
  scope: Scope,
  payouts: readonly NewPayout[],
  times: { now: Date; leaseUntil: Date },
): Promise<void> {
  await tx.query(INSERT, [scope.partnerId, scope.environment, times.now, times.leaseUntil, ...RESERVED.values(payouts)])
}

/** A payout with the key that it is bound to. */
export interface KeyedPayout extends PayoutRow {
  /** The bank has refused an attempt of another request with this key, which has let go of it. */
  readonly followsRefusal: boolean
}

const LOCK_BY_KEY = statement(
  'lock_payouts_by_key',
  `select ${PAYOUT_COLUMNS}, exists (
            select 1 from payouts earlier
             where earlier.partner_id = $1 and earlier.environment = $2
               and earlier.idempotency_key = payouts.idempotency_key
               and earlier.released_at is not null and earlier.bank_attempt > 1) as "followsRefusal"
     from payouts
    where partner_id = $1 and environment = $2 and idempotency_key = any($3) and released_at is null
    order by id for no key update`,
)

/** Locks the payouts that the keys belong to after the insert, by id as everywhere: two orders would deadlock. */
export async function lockPayoutsByKey(tx: Tx, scope: Scope, keys: readonly string[]): Promise<KeyedPayout[]> {
  return tx.query<KeyedPayout>(LOCK_BY_KEY, [scope.partnerId, scope.environment, keys])
}

const REVIVED = itemColumns<keyof ReturnType<typeof currentTerms>>(5, {
  id: ['id', 'uuid'],
  leaseToken: ['lease_token', 'uuid'],
  rail: ['rail', 'text'],
  gbpPerUsd: ['gbp_per_usd', 'numeric'],
  fee: ['fee_pence', 'bigint'],
  feeInTransfer: ['fee_in_transfer_pence', 'bigint'],
  feeOnInvoice: ['fee_on_invoice_pence', 'bigint'],
  walletSends: ['wallet_sends_micro', 'bigint'],
  bankAttempt: ['bank_attempt', 'int'],
})

const REVIVE = statement(
  'revive_payouts',
  `update payouts p set
     send_state = 'sending', send_attempts = p.send_attempts + 1, lease_until = $4, next_check_at = $4, created_at = $3,
     updated_at = $3, warnings = null, ${REVIVED.assigned(['id'])}
     from ${REVIVED.from}
    where p.partner_id = $1 and p.environment = $2 and p.id = item.id`,
)

interface Revived {
  readonly id: string
  readonly terms: NewPayout
  readonly bankAttempt: number
}

/** A payout that was certainly not sent is tried again under the same id, at the current rate. */
export function revivePayouts(
  tx: Tx,
  scope: Scope,
  revived: readonly Revived[],
  times: { now: Date; leaseUntil: Date },
): void {
  if (revived.length === 0) return
  tx.defer(REVIVE, [
    scope.partnerId,
    scope.environment,
    times.now,
    times.leaseUntil,
    ...REVIVED.values(revived.map(currentTerms)),
  ])
}

/** What the new attempt changes. The rest of the row stays as the partner asked for it. */
function currentTerms({ id, terms, bankAttempt }: Revived) {
  const { leaseToken, rail, gbpPerUsd, fee, feeInTransfer, feeOnInvoice, walletSends } = terms
  return { id, leaseToken, rail, gbpPerUsd, fee, feeInTransfer, feeOnInvoice, walletSends, bankAttempt }
}

const RELEASE = statement(
  'release_payout_keys',
  `update payouts set released_at = $3, updated_at = $3, next_check_at = null
    where partner_id = $1 and environment = $2 and id = any($4) and surfaced_at is null`,
)

/** Frees the idempotency keys of payouts that were not sent. */
export function releaseKeys(tx: Tx, scope: Scope, ids: readonly string[], at: Date): void {
  if (ids.length > 0) tx.defer(RELEASE, [scope.partnerId, scope.environment, at, ids])
}

const REMOVE = statement(
  'remove_unfunded_payouts',
  'delete from payouts where partner_id = $1 and environment = $2 and id = any($3)',
)

/** Deletes payouts that this transaction inserted and the wallet cannot pay for. */
export function removeUnfunded(tx: Tx, scope: Scope, ids: readonly string[]): void {
  if (ids.length > 0) tx.defer(REMOVE, [scope.partnerId, scope.environment, ids])
}
