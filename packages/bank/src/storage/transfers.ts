import type { MicroUsdc, Pence } from '../core/money.ts'
import type { TransferState } from '../core/transfer-moves.ts'
import type { SandboxStory } from '../outcomes.ts'
import { type Condition, type PageRequest, readPage } from './page.ts'
import type { Db, Tx } from './sql.ts'

export interface Transfer {
  /** Null until it is stored. */
  readonly seq: bigint | null
  readonly id: string
  readonly clientReferenceId: string | null
  readonly idempotencyKey: string
  readonly customerId: string
  readonly walletId: string
  readonly walletAddress: string
  readonly externalAccountId: string
  readonly amount: MicroUsdc
  readonly developerFee: MicroUsdc
  /** What it sent more than the exchange needed; null until the exchange. */
  readonly surplus: MicroUsdc | null
  /** What was added to it because it had become too little. */
  readonly toppedUp: MicroUsdc
  /** What its amount shows, where that is more than the wallet was debited. */
  readonly shown: MicroUsdc | null
  /** What it lacks while it is underfunded. */
  readonly missing: MicroUsdc | null
  readonly destination: Pence
  readonly rate: string
  readonly reference: string | null
  readonly story: SandboxStory
  readonly isDebited: boolean
  readonly state: TransferState
  readonly returnReason: string | null
  readonly refundReference: string | null
  /** What the wallet got back; null: nothing came back yet. */
  readonly refunded: MicroUsdc | null
  readonly dueAt: Date | null
  readonly visibleFrom: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

const COLUMNS = `t.seq, t.id, t.client_reference_id as "clientReferenceId", t.idempotency_key as "idempotencyKey",
  t.customer_id as "customerId", t.wallet_id as "walletId", w.address as "walletAddress",
  t.external_account_id as "externalAccountId", t.amount_micro as amount, t.developer_fee_micro as "developerFee",
  t.surplus_micro as surplus, t.topped_up_micro as "toppedUp", t.missing_micro as missing, t.shown_micro as shown,
  t.destination_pence as destination, t.rate, t.reference, t.story,
  t.is_debited as "isDebited", t.state, t.return_reason as "returnReason", t.refund_reference as "refundReference",
  t.refunded_micro as refunded,
  t.due_at as "dueAt", t.visible_from as "visibleFrom", t.created_at as "createdAt", t.updated_at as "updatedAt"`
const FROM = 'transfers t join wallets w on w.id = t.wallet_id'

export function insertTransfers(tx: Tx, transfers: readonly Transfer[]): void {
  if (transfers.length === 0) return
  tx.defer(
    `insert into transfers (id, client_reference_id, idempotency_key, customer_id, wallet_id, external_account_id,
       amount_micro, developer_fee_micro, surplus_micro, destination_pence, rate, reference, story, is_debited,
       state, return_reason, due_at, visible_from, created_at, updated_at, exchange_fee_micro)
     select *, 0
       from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::bigint[], $8::bigint[],
                   $9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::text[], $14::boolean[], $15::text[],
                   $16::text[], $17::timestamptz[], $18::timestamptz[], $19::timestamptz[], $20::timestamptz[])`,
    [
      transfers.map((transfer) => transfer.id),
      transfers.map((transfer) => transfer.clientReferenceId),
      transfers.map((transfer) => transfer.idempotencyKey),
      transfers.map((transfer) => transfer.customerId),
      transfers.map((transfer) => transfer.walletId),
      transfers.map((transfer) => transfer.externalAccountId),
      transfers.map((transfer) => transfer.amount),
      transfers.map((transfer) => transfer.developerFee),
      transfers.map((transfer) => transfer.surplus),
      transfers.map((transfer) => transfer.destination),
      transfers.map((transfer) => transfer.rate),
      transfers.map((transfer) => transfer.reference),
      transfers.map((transfer) => transfer.story),
      transfers.map((transfer) => transfer.isDebited),
      transfers.map((transfer) => transfer.state),
      transfers.map((transfer) => transfer.returnReason),
      transfers.map((transfer) => transfer.dueAt),
      transfers.map((transfer) => transfer.visibleFrom),
      transfers.map((transfer) => transfer.createdAt),
      transfers.map((transfer) => transfer.updatedAt),
    ],
  )
}

/** The transfer with a client's reference. Nobody else can add another one until this transaction ends. */
export async function lockClientReference(tx: Tx, clientReferenceId: string): Promise<Transfer | null> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [clientReferenceId])
  const rows = await tx.query<Transfer>(`select ${COLUMNS} from ${FROM} where t.client_reference_id = $1`, [
    clientReferenceId,
  ])
  return rows[0] ?? null
}

/** Which row is meant, and how it is: another version whenever anything in it has changed. */
export interface TransferVersion {
  readonly id: string
  readonly version: string
}

/** The transfers among these that clients may already know about. */
export function findVisibleVersions(db: Db, ids: readonly string[], now: Date): Promise<TransferVersion[]> {
  return db.query<TransferVersion>(
    'select id, xmin::text as version from transfers where id = any ($1::uuid[]) and visible_from <= $2',
    [ids, now],
  )
}

/** Versions are those of the rows that are returned, and maybe newer than those that were asked for. */
export function findTransfers(db: Db, ids: readonly string[]): Promise<(Transfer & TransferVersion)[]> {
  return db.query(`select ${COLUMNS}, t.xmin::text as version from ${FROM} where t.id = any ($1::uuid[])`, [ids])
}

export async function lockTransfer(tx: Tx, id: string): Promise<Transfer | null> {
  const rows = await tx.query<Transfer>(`select ${COLUMNS} from ${FROM} where t.id = $1 for no key update of t`, [id])
  return rows[0] ?? null
}

/** The transfers that are due and that no other process is moving: the limit counts only those. Nothing is waited for. */
export function lockDueTransfers(tx: Tx, now: Date, limit: number): Promise<Transfer[]> {
  return tx.query<Transfer>(
    `select ${COLUMNS} from ${FROM} where t.due_at <= $1 order by t.due_at, t.seq limit $2 for no key update of t skip locked`,
    [now, limit],
  )
}

/**
 * The transfers that have been due longest. Those that another process is moving are waited for, and left out if they have
 * moved: with none returned, others may still be due.
 */
export async function lockAllDueTransfers(tx: Tx, now: Date, limit: number): Promise<Transfer[]> {
  // Whoever waits for several transfers locks them in the order of `seq`, which never changes: by the time at which they are
  // due, two who read at different moments could wait for each other.
  const due = await tx.query<Transfer>(
    `select ${COLUMNS} from ${FROM}
      where t.due_at <= $1 and t.id in (select id from transfers where due_at <= $1 order by due_at, seq limit $2)
      order by t.seq for no key update of t`,
    [now, limit],
  )
  return due.toSorted((one, other) => (one.dueAt?.getTime() ?? 0) - (other.dueAt?.getTime() ?? 0))
}

export async function hasDueTransfers(db: Db, now: Date): Promise<boolean> {
  return (await db.query('select 1 from transfers where due_at <= $1 limit 1', [now])).length > 0
}

/** Makes all that a wallet's transfers wait for happen so much sooner. Returns the ids of those that are due by now. */
export async function bringForward(tx: Tx, wallet: { id: string; ms: number; now: Date }): Promise<string[]> {
  await tx.query(
    `select 1 from transfers t where t.wallet_id = $1 and (t.due_at is not null or t.visible_from > $2)
      order by t.seq for no key update`,
    [wallet.id, wallet.now],
  )
  const rows = await tx.query<{ id: string; isDue: boolean }>(
    `update transfers t
        set due_at = t.due_at - $2 * interval '1 millisecond',
            visible_from = case when t.visible_from > $3 then t.visible_from - $2 * interval '1 millisecond' else t.visible_from end
      where t.wallet_id = $1 and (t.due_at is not null or t.visible_from > $3)
      returning t.id, coalesce(t.due_at <= $3, false) as "isDue"`,
    [wallet.id, wallet.ms, wallet.now],
  )
  return rows.filter(({ isDue }) => isDue).map(({ id }) => id)
}

/** Whether any of a wallet's transfers will go on by itself. */
export async function hasWaitingTransfers(db: Db, walletId: string): Promise<boolean> {
  const rows = await db.query('select 1 from transfers where wallet_id = $1 and due_at is not null limit 1', [walletId])
  return rows.length > 0
}

/** Writes the state of transfers that the caller has locked. */
export function updateTransfers(tx: Tx, transfers: readonly Transfer[]): void {
  tx.defer(
    `update transfers t
        set state = moved.state, return_reason = moved.return_reason, refund_reference = moved.refund_reference,
            due_at = moved.due_at, updated_at = moved.updated_at, rate = moved.rate, surplus_micro = moved.surplus,
            topped_up_micro = moved.topped_up, shown_micro = moved.shown, missing_micro = moved.missing, refunded_micro = moved.refunded,
            is_debited = moved.is_debited
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::text[],
                   $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::boolean[])
         as moved (id, state, return_reason, refund_reference, due_at, updated_at, rate, surplus, topped_up, missing,
                   refunded, shown, is_debited)
      where t.id = moved.id`,
    [
      transfers.map((transfer) => transfer.id),
      transfers.map((transfer) => transfer.state),
      transfers.map((transfer) => transfer.returnReason),
      transfers.map((transfer) => transfer.refundReference),
      transfers.map((transfer) => transfer.dueAt),
      transfers.map((transfer) => transfer.updatedAt),
      transfers.map((transfer) => transfer.rate),
      transfers.map((transfer) => transfer.surplus),
      transfers.map((transfer) => transfer.toppedUp),
      transfers.map((transfer) => transfer.missing),
      transfers.map((transfer) => transfer.refunded),
      transfers.map((transfer) => transfer.shown),
      transfers.map((transfer) => transfer.isDebited),
    ],
  )
}

export interface TransferFilter {
  readonly customerId: string | null
  readonly clientReferenceId: string | null
  readonly state: string | null
  readonly updatedAfter: Date | null
  readonly updatedBefore: Date | null
}

/** A row of the list. Without a version it is no transfer, but money that was added to one. */
export type ListedTransfer = TransferVersion | { readonly id: string; readonly version: null }

export function listVisibleTransfers(
  db: Db,
  filter: TransferFilter,
  page: PageRequest,
  now: Date,
): Promise<ListedTransfer[]> {
  const where: Condition[] = [{ sql: 't.visible_from <= ?', value: now }]
  if (filter.customerId !== null) where.push({ sql: 't.customer_id = ?', value: filter.customerId })
  if (filter.clientReferenceId !== null)
    where.push({ sql: 't.client_reference_id = ?', value: filter.clientReferenceId })
  if (filter.state !== null) where.push({ sql: 't.state = ?', value: filter.state })
  if (filter.updatedAfter !== null) where.push({ sql: 't.updated_at > ?', value: filter.updatedAfter })
  if (filter.updatedBefore !== null) where.push({ sql: 't.updated_at < ?', value: filter.updatedBefore })
  return readPage<ListedTransfer>(db, {
    select: 't.id, t.version',
    from: 'listed_transfers t',
    alias: 't',
    table: 'listed_transfers',
    where,
    page,
  })
}

/** Every transfer that was created, whether or not anybody was told. */
export function listAllTransfers(db: Db, filter: { customerId: string | null }): Promise<Transfer[]> {
  return db.query<Transfer>(
    `select ${COLUMNS} from ${FROM} where $1::uuid is null or t.customer_id = $1 order by t.seq`,
    [filter.customerId],
  )
}
