// How far payouts have been moved to the newest keys, and the reads and writes of moving them.
import type { Environment } from '@kestrel/contract'

import type { Pence } from '../core/money.ts'
import type { RecipientMarks } from './payout-recipients.ts'
import { type Tx, statement } from './sql.ts'

const START = '00000000-0000-0000-0000-000000000000'

const BEGIN = statement(
  'begin_resealing',
  `insert into resealing as r (seal_key, fingerprint_key, at_partner, at_environment, at_payout)
   values ($1, $2, '${START}', 'sandbox', '${START}')
   on conflict (only_row) do update set seal_key = excluded.seal_key, fingerprint_key = excluded.fingerprint_key,
     at_partner = excluded.at_partner, at_environment = excluded.at_environment, at_payout = excluded.at_payout, moved = 0,
     finished_at = null
    -- One that is under way to the same keys goes on where it is.
    where r.finished_at is not null or r.seal_key <> excluded.seal_key or r.fingerprint_key <> excluded.fingerprint_key`,
)

export function beginResealing(tx: Tx, to: { sealKey: Buffer; fingerprintKey: Buffer }): void {
  tx.defer(BEGIN, [to.sealKey, to.fingerprintKey])
}

export interface Position {
  readonly partnerId: string
  readonly environment: Environment
  readonly id: string
}

export interface Resealing {
  /** The ids of the keys that everything is moved to. */
  readonly sealKey: Buffer
  readonly fingerprintKey: Buffer
  readonly position: Position
  /** How many payouts this pass has moved. */
  readonly moved: number
}

const TAKE = statement(
  'take_resealing',
  `select seal_key as "sealKey", fingerprint_key as "fingerprintKey", moved,
          jsonb_build_object('partnerId', at_partner, 'environment', at_environment, 'id', at_payout) as position
     from resealing where finished_at is null for update skip locked`,
)

/** Null when there is nothing to do, or another process is doing it. */
export async function takeResealing(tx: Tx): Promise<Resealing | null> {
  return (await tx.query<Resealing>(TAKE))[0] ?? null
}

const FIND = statement('find_resealing', 'select finished_at as "finishedAt" from resealing')

/** Null where no key was ever changed. */
export async function findResealing(tx: Tx): Promise<{ readonly finishedAt: Date | null } | null> {
  return (await tx.query<{ finishedAt: Date | null }>(FIND))[0] ?? null
}

const KEEP = statement(
  'keep_resealing',
  'update resealing set at_partner = $1, at_environment = $2, at_payout = $3, moved = moved + $4',
)

export function keepPosition(tx: Tx, { partnerId, environment, id }: Position, moved: number): void {
  tx.defer(KEEP, [partnerId, environment, id, moved])
}

const END = statement(
  'end_reseal_pass',
  `update resealing set at_partner = '${START}', at_environment = 'sandbox', at_payout = '${START}', moved = 0, finished_at = $1`,
)

/** Null: another pass from the start. */
export function endPass(tx: Tx, finishedAt: Date | null): void {
  tx.defer(END, [finishedAt])
}

export interface SealedPayout extends Position {
  readonly amount: Pence
  readonly reference: string | null
  readonly recipientSealed: Buffer
  readonly fingerprint: Buffer
  readonly recipientFingerprint: Buffer
  /** Null is the first key. */
  readonly fingerprintKey: Buffer | null
}

const PAGE = statement(
  'sealed_payouts_after',
  `select partner_id as "partnerId", environment, id, amount_pence as amount, reference,
          recipient_sealed as "recipientSealed", fingerprint, recipient_fingerprint as "recipientFingerprint",
          fingerprint_key as "fingerprintKey"
     from payouts where (partner_id, environment, id) > ($1, $2::environment, $3)
    order by partner_id, environment, id limit $4 for no key update`,
)

export function lockSealedPayouts(tx: Tx, after: Position, most: number): Promise<SealedPayout[]> {
  return tx.query<SealedPayout>(PAGE, [after.partnerId, after.environment, after.id, most])
}

export interface MovedPayout {
  readonly old: SealedPayout
  readonly recipientSealed: Buffer
  readonly fingerprint: Buffer
  readonly recipientFingerprint: Buffer
  readonly fingerprintKey: Buffer
  readonly marks: RecipientMarks
}

const ITEMS = 'unnest($1::uuid[], $2::text[], $3::uuid[]'
const SAME = 'item.partner_id and t.environment = item.environment::environment'

const MOVE = statement(
  'move_payouts_to_key',
  `update payouts t set recipient_sealed = item.sealed, fingerprint = item.fingerprint,
     recipient_fingerprint = item.recipient, fingerprint_key = item.key
     from ${ITEMS}, $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[])
            as item (partner_id, environment, id, sealed, fingerprint, recipient, key)
    where t.partner_id = ${SAME} and t.id = item.id`,
)
const MARK = statement(
  'move_marks_to_key',
  `update payout_recipients t set name_mark = item.name_mark, account_mark = item.account_mark
     from ${ITEMS}, $4::bytea[], $5::bytea[]) as item (partner_id, environment, id, name_mark, account_mark)
    where t.partner_id = ${SAME} and t.payout_id = item.id`,
)
const COPY_KNOWN = statement(
  'copy_bank_recipients_to_key',
  `insert into bank_recipients (partner_id, environment, recipient_fingerprint, recipient_ref, created_at)
   select t.partner_id, t.environment, item.fingerprint, t.recipient_ref, t.created_at
     from ${ITEMS}, $4::bytea[], $5::bytea[]) as item (partner_id, environment, id, old, fingerprint)
     join bank_recipients t on t.partner_id = ${SAME} and t.recipient_fingerprint = item.old
   on conflict do nothing`,
)
const DROP_KNOWN = statement(
  'drop_bank_recipients_of_key',
  `delete from bank_recipients t using ${ITEMS}, $4::bytea[], $5::bytea[])
            as item (partner_id, environment, id, old, fingerprint)
    where t.partner_id = ${SAME} and t.recipient_fingerprint = item.old and item.old <> item.fingerprint`,
)

/** Replaces everything that the keys made of a payout, in one update. */
export function movePayouts(tx: Tx, moved: readonly MovedPayout[]): void {
  if (moved.length === 0) return
  const which = [
    moved.map(({ old }) => old.partnerId),
    moved.map(({ old }) => old.environment),
    moved.map(({ old }) => old.id),
  ]
  const recipients = [
    ...which,
    moved.map(({ old }) => old.recipientFingerprint),
    moved.map(({ recipientFingerprint }) => recipientFingerprint),
  ]
  tx.defer(MOVE, [
    ...which,
    moved.map(({ recipientSealed }) => recipientSealed),
    moved.map(({ fingerprint }) => fingerprint),
    moved.map(({ recipientFingerprint }) => recipientFingerprint),
    moved.map(({ fingerprintKey }) => fingerprintKey),
  ])
  tx.defer(MARK, [...which, moved.map(({ marks }) => marks.name), moved.map(({ marks }) => marks.account)])
  tx.defer(COPY_KNOWN, recipients)
  tx.defer(DROP_KNOWN, recipients)
}
