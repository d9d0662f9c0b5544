// How far payouts have been moved to the newest keys, and the reads and writes of moving them.
import type { Environment } from '@kestrel/contract'

import type { Pence } from '../core/money.ts'
import { itemColumns } from './item-columns.ts'
import { PAYOUT_KEY } from './payouts.ts'
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

const IS_SAME = 't.partner_id = item.partner_id and t.environment = item.environment'

const MOVED = itemColumns<
  keyof typeof PAYOUT_KEY | 'recipientSealed' | 'fingerprint' | 'recipientFingerprint' | 'fingerprintKey'
>(1, {
  ...PAYOUT_KEY,
  recipientSealed: ['recipient_sealed', 'bytea'],
  fingerprint: ['fingerprint', 'bytea'],
  recipientFingerprint: ['recipient_fingerprint', 'bytea'],
  fingerprintKey: ['fingerprint_key', 'bytea'],
})
const MOVE = statement(
  'move_payouts_to_key',
  `update payouts t set ${MOVED.assigned(['partnerId', 'environment', 'id'])}
     from ${MOVED.from} where ${IS_SAME} and t.id = item.id`,
)

const MARKED = itemColumns<keyof typeof PAYOUT_KEY | 'name' | 'account'>(1, {
  ...PAYOUT_KEY,
  name: ['name_mark', 'bytea'],
  account: ['account_mark', 'bytea'],
})
const MARK = statement(
  'move_marks_to_key',
  `update payout_recipients t set ${MARKED.assigned(['partnerId', 'environment', 'id'])}
     from ${MARKED.from} where ${IS_SAME} and t.payout_id = item.id`,
)

const KNOWN = itemColumns<'partnerId' | 'environment' | 'before' | 'recipientFingerprint'>(1, {
  partnerId: PAYOUT_KEY.partnerId,
  environment: PAYOUT_KEY.environment,
  before: ['before', 'bytea'],
  recipientFingerprint: ['recipient_fingerprint', 'bytea'],
})
const COPY_KNOWN = statement(
  'copy_bank_recipients_to_key',
  `insert into bank_recipients (partner_id, environment, recipient_fingerprint, recipient_ref, created_at)
   select t.partner_id, t.environment, item.recipient_fingerprint, t.recipient_ref, t.created_at
     from ${KNOWN.from} join bank_recipients t on ${IS_SAME} and t.recipient_fingerprint = item.before
   on conflict do nothing`,
)
const DROP_KNOWN = statement(
  'drop_bank_recipients_of_key',
  `delete from bank_recipients t using ${KNOWN.from}
    where ${IS_SAME} and t.recipient_fingerprint = item.before and item.before <> item.recipient_fingerprint`,
)

/** Replaces everything that the keys made of a payout, in one update. */
export function movePayouts(tx: Tx, moved: readonly MovedPayout[]): void {
  if (moved.length === 0) return
  const items = moved.map(({ old: { partnerId, environment, id, recipientFingerprint: before }, marks, ...made }) => {
    return { partnerId, environment, id, before, ...marks, ...made }
  })
  tx.defer(MOVE, MOVED.values(items))
  tx.defer(MARK, MARKED.values(items))
  tx.defer(COPY_KNOWN, KNOWN.values(items))
  tx.defer(DROP_KNOWN, KNOWN.values(items))
}
