// The SQL of the first step: many payouts of one wallet in one transaction.
import type { Scope } from '../core/scope.ts'
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

const INSERT = statement(
  'reserve_payouts',
  `insert into payouts (
     partner_id, environment, created_at, updated_at, lease_until, next_check_at,
     id, idempotency_key, fingerprint, created_via, amount_pence, country, reference, statement_reference,
     recipient_name, account_last4, recipient_sealed, recipient_fingerprint, gbp_per_usd, fee_pence,
     fee_in_transfer_pence, fee_on_invoice_pence, wallet_sends_micro, rail, lease_token, created_by, fingerprint_key)
   select $1::uuid, $2::environment, $3::timestamptz, $3, $4::timestamptz, $4, item.*
     from unnest($5::uuid[], $6::text[], $7::bytea[], $8::text[], $9::bigint[], $10::text[], $11::text[],
                 $12::text[], $13::text[], $14::text[], $15::bytea[], $16::bytea[], $17::numeric[], $18::bigint[],
                 $19::bigint[], $20::bigint[], $21::bigint[], $22::text[], $23::uuid[], $24::text[], $25::bytea[]) as item
    -- in the order of the keys, so that two processes with the same keys wait for each other one way only
    order by 8
   on conflict (partner_id, environment, idempotency_key) where released_at is null do nothing
   returning id`,
)

/** The ids that were really inserted; a key that is taken already inserts nothing. */
export async function insertPayouts(
  tx: Tx,
  scope: Scope,
  payouts: readonly NewPayout[],
  times: { now: Date; leaseUntil: Date },
): Promise<Set<string>> {
  const column = <K extends keyof NewPayout>(name: K) => payouts.map((payout) => payout[name])
  const rows = await tx.query<{ id: string }>(INSERT, [
    scope.partnerId,
    scope.environment,
    times.now,
    times.leaseUntil,
    column('id'),
    column('idempotencyKey'),
    column('fingerprint'),
    column('createdVia'),
    column('amount'),
    column('country'),
    column('reference'),
    column('statementReference'),
    column('recipientName'),
    column('accountLast4'),
    column('recipientSealed'),
    column('recipientFingerprint'),
    column('gbpPerUsd'),
    column('fee'),
    column('feeInTransfer'),
    column('feeOnInvoice'),
    column('walletSends'),
    column('rail'),
    column('leaseToken'),
    column('createdBy'),
    column('fingerprintKey'),
  ])
  return new Set(rows.map((row) => row.id))
}

const LOCK_BY_KEY = statement(
  'lock_payouts_by_key',
  `select ${PAYOUT_COLUMNS} from payouts
    where partner_id = $1 and environment = $2 and idempotency_key = any($3) and released_at is null
    order by id for no key update`,
)

/**
 * The payouts that a batch's keys are bound to after the insert. Locked by id, as everywhere: two orders would
 * deadlock.
 */
export async function lockPayoutsByKey(tx: Tx, scope: Scope, keys: readonly string[]): Promise<PayoutRow[]> {
  return tx.query<PayoutRow>(LOCK_BY_KEY, [scope.partnerId, scope.environment, keys])
}

const REVIVE = statement(
  'revive_payouts',
  `update payouts p set
     send_state = 'sending', send_attempts = p.send_attempts + 1, lease_token = item.lease_token,
     lease_until = $4, next_check_at = $4, created_at = $3, updated_at = $3, rail = item.rail, gbp_per_usd = item.gbp_per_usd,
     fee_pence = item.fee_pence, fee_in_transfer_pence = item.fee_in_transfer_pence,
     fee_on_invoice_pence = item.fee_on_invoice_pence, wallet_sends_micro = item.wallet_sends_micro, warnings = null
     from unnest($5::uuid[], $6::uuid[], $7::text[], $8::numeric[], $9::bigint[], $10::bigint[], $11::bigint[],
                 $12::bigint[])
       as item (id, lease_token, rail, gbp_per_usd, fee_pence, fee_in_transfer_pence, fee_on_invoice_pence,
                wallet_sends_micro)
    where p.partner_id = $1 and p.environment = $2 and p.id = item.id`,
)

/** A payout that was certainly not sent is tried again under the same id, at the current rate. */
export function revivePayouts(
  tx: Tx,
  scope: Scope,
  revived: readonly { id: string; terms: NewPayout }[],
  times: { now: Date; leaseUntil: Date },
): void {
  if (revived.length === 0) return
  const term = <K extends keyof NewPayout>(name: K) => revived.map((each) => each.terms[name])
  tx.defer(REVIVE, [
    scope.partnerId,
    scope.environment,
    times.now,
    times.leaseUntil,
    revived.map((each) => each.id),
    term('leaseToken'),
    term('rail'),
    term('gbpPerUsd'),
    term('fee'),
    term('feeInTransfer'),
    term('feeOnInvoice'),
    term('walletSends'),
  ])
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
