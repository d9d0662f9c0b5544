// The SQL of the first step for payouts whose keys are known already; new ones are in reserve-new-payouts.ts.
import type { Scope } from '../core/scope.ts'
import { type ColumnsOf, itemColumns, itemList } from './item-columns.ts'
import type { RecipientMarks } from './payout-recipients.ts'
import { PAYOUT_COLUMNS, type PayoutRow, ofKey } from './payouts.ts'
import type { SentAtOnce } from './reserve-sent.ts'
import { type Db, type Tx, statement } from './sql.ts'

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
  /** The API key that it is asked for with; null for a member. */
  readonly keyId: string | null
  /** The version of the key's holder that it is asked for by: nothing is made for another. Null: any, as long as the key works. */
  readonly holderVersion: string | null
  /** Whose limit it would count against: a key, or a member. */
  readonly spenderId: string | null
  /** Whether the account has spending limits, as far as the caller knows. */
  readonly isLimited: boolean
  /** The same under older keys, for rows and marks that were made with those. */
  readonly olderFingerprints?: readonly Buffer[]
  readonly olderMarks?: readonly RecipientMarks[]
}

/** One payout of a batch, which may be of several wallets of an environment. */
export interface AskedPayout {
  readonly partnerId: string
  readonly payout: NewPayout
  /** Absent: the rail is asked once it is reserved. */
  readonly sent?: SentAtOnce | null
}

/** The columns that are written once, when the payout is asked for. */
export const RESERVED_COLUMNS: ColumnsOf<
  Exclude<
    keyof NewPayout,
    'leaseToken' | 'marks' | 'keyId' | 'holderVersion' | 'spenderId' | 'isLimited' | 'olderFingerprints' | 'olderMarks'
  >
> = {
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
}

/** A payout with the key that it is bound to. */
export interface KeyedPayout extends PayoutRow {
  /** The bank has refused an attempt of another request with this key, which has let go of it. */
  readonly followsRefusal: boolean
}

const KEYS = itemList(3, 'key', 'text')

const LOCK_BY_KEY = statement(
  'lock_payouts_by_key',
  `select locked.*
     from (select bound.id, item.key from ${KEYS.from} cross join lateral (
             select id from payouts where ${ofKey('item.key', 'released_at is null')} limit 1) bound
            order by bound.id) found
    cross join lateral (
      select ${PAYOUT_COLUMNS}, released_at is null as "isBound", exists (
               select 1 from payouts where ${ofKey('found.key', 'released_at is not null and bank_attempt > 1')}
             ) as "followsRefusal"
        from payouts where partner_id = $1 and environment = $2 and id = found.id limit 1
         for no key update of payouts) locked
    -- It may have let go of its key while its lock was waited for.
    where locked."isBound"`,
)

/**
 * Locks the payouts that the keys belong to, by id as everywhere: two orders would deadlock. Each key is
 * looked up by itself, however few payouts PostgreSQL believes there are.
 */
export async function lockPayoutsByKey(tx: Tx, scope: Scope, keys: readonly string[]): Promise<KeyedPayout[]> {
  return tx.query<KeyedPayout>(LOCK_BY_KEY, [scope.partnerId, scope.environment, KEYS.value(keys)])
}

const BOUND_BY_KEY = statement(
  'payouts_bound_to_keys',
  `select bound.* from ${KEYS.from} cross join lateral (
     select ${PAYOUT_COLUMNS} from payouts where ${ofKey('item.key', 'released_at is null')} limit 1) bound`,
)

/** The payouts that the keys belong to, as they are now. */
export function listPayoutsByKey(db: Db, scope: Scope, keys: readonly string[]): Promise<PayoutRow[]> {
  return db.query<PayoutRow>(BOUND_BY_KEY, [scope.partnerId, scope.environment, KEYS.value(keys)])
}

const REVIVED = itemColumns<keyof ReturnType<typeof currentTerms>>(4, {
  id: ['id', 'uuid'],
  rail: ['rail', 'text'],
  gbpPerUsd: ['gbp_per_usd', 'numeric'],
  fee: ['fee_pence', 'bigint'],
  feeInTransfer: ['fee_in_transfer_pence', 'bigint'],
  feeOnInvoice: ['fee_on_invoice_pence', 'bigint'],
  walletSends: ['wallet_sends_micro', 'bigint'],
  bankAttempt: ['bank_attempt', 'int'],
  spenderId: ['spender_id', 'uuid'],
})

const REVIVE = statement(
  'revive_payouts',
  `update payouts p set
     send_state = 'sending', send_attempts = p.send_attempts + 1, created_at = $3, updated_at = $3, warnings = null,
     ${REVIVED.assigned(['id'])}
     from (select item.*, found.ctid as found_at from ${REVIVED.from} cross join lateral (
             select ctid from payouts where partner_id = $1 and environment = $2 and id = item.id limit 1) found) item
    where p.ctid = item.found_at`,
)

interface Revived {
  readonly id: string
  readonly terms: NewPayout
  readonly bankAttempt: number
  /** Whose limit it counts against; null: nobody's. */
  readonly spenderId: string | null
}

/** A payout that was certainly not sent is tried again under the same id, at the current rate. */
export function revivePayouts(tx: Tx, scope: Scope, revived: readonly Revived[], now: Date): void {
  if (revived.length === 0) return
  tx.defer(REVIVE, [scope.partnerId, scope.environment, now, ...REVIVED.values(revived.map(currentTerms))])
}

/** What the new attempt changes. The rest of the row stays as the partner asked for it. */
function currentTerms({ id, terms, bankAttempt, spenderId }: Revived) {
  const { rail, gbpPerUsd, fee, feeInTransfer, feeOnInvoice, walletSends } = terms
  return { id, rail, gbpPerUsd, fee, feeInTransfer, feeOnInvoice, walletSends, bankAttempt, spenderId }
}

const RELEASED = itemList(4, 'id', 'uuid')
const RELEASE = statement(
  'release_payout_keys',
  `update payouts set released_at = $3, updated_at = $3
    where surfaced_at is null and ctid = any(array(
      select found.ctid from ${RELEASED.from} cross join lateral (
        select ctid from payouts where partner_id = $1 and environment = $2 and id = item.id limit 1) found))`,
)

/** Frees the idempotency keys of payouts that were not sent. */
export function releaseKeys(tx: Tx, scope: Scope, ids: readonly string[], at: Date): void {
  if (ids.length === 0) return
  tx.defer(RELEASE, [scope.partnerId, scope.environment, at, RELEASED.value(ids)])
}
