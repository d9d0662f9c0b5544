// The chains of activity: what waits to be linked, the links, and where each chain ends.
import type { ChainId, ChainName, ChainedEntry } from '../core/audit-chain.ts'
import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

/** The columns of an entry that are hashed. `entry` is its table's name in the statement. */
const HASHED_COLUMNS = `entry.environment, entry.action, entry.status, entry.by, entry.by_name as "byName",
  entry.detail, entry.key_id as "keyId", entry.method, entry.path, entry.duration_ms as "durationMs", entry.ip,
  entry.subject, entry.changes`

// From one chain to the next by the key: it does not matter how many entries wait.
const WAITING = statement(
  'chains_with_unsealed_activity',
  `with recursive waiting as (
     (select partner_id, chain from activity_unsealed
       where (partner_id, chain) > ($2::uuid, $3::text) order by partner_id, chain limit 1)
     union all
     select next.partner_id, next.chain from waiting cross join lateral (
       select partner_id, chain from activity_unsealed
        where (partner_id, chain) > (waiting.partner_id, waiting.chain) order by partner_id, chain limit 1) next
   )
   select partner_id as "partnerId", chain from waiting limit $1`,
)

/** Chains are looked through by their keys; this is before all of them. */
export const FIRST_CHAIN = { partnerId: '00000000-0000-0000-0000-000000000000', chain: '' } as const
export type ChainPlace = ChainId | typeof FIRST_CHAIN

/** Those that come after a place, in the order of their keys. */
export function listChainsToSeal(db: Db, after: ChainPlace, most: number): Promise<ChainId[]> {
  return db.query<ChainId>(WAITING, [most, after.partnerId, after.chain])
}

const BEGIN = statement(
  'begin_audit_chain',
  'insert into audit_chains (partner_id, chain) values ($1, $2) on conflict do nothing',
)
const LOCK = statement(
  'lock_audit_chain',
  `select position::float8 as position, hash from audit_chains where partner_id = $1 and chain = $2 for no key update`,
)

export interface ChainEnd {
  readonly position: number
  readonly hash: Buffer
}

/** Nobody else adds to the chain until the transaction ends. */
export async function lockChain(tx: Tx, { partnerId, chain }: ChainId): Promise<ChainEnd> {
  await tx.query(BEGIN, [partnerId, chain])
  return (await tx.query<ChainEnd>(LOCK, [partnerId, chain]))[0]!
}

export interface WaitingEntry extends ChainedEntry {
  /** To the microsecond, as the table has it. */
  readonly exactAt: string
  /** Null for one that is no longer there, because its month was forgotten. */
  readonly action: string
  readonly isThere: boolean
  readonly isSealed: boolean
}

// Under the chain's lock, in a statement after it: what others have sealed is seen.
const UNSEALED = statement(
  'unsealed_activity',
  `select waiting.at, waiting.at::text as "exactAt", waiting.id, entry.action is not null as "isThere",
          link.hash is not null as "isSealed", ${HASHED_COLUMNS}
     from (select at, id from activity_unsealed where partner_id = $1 and chain = $2 order by at, id limit $3) waiting
     left join lateral (select * from activity where partner_id = $1 and at = waiting.at and id = waiting.id limit 1)
       entry on true
     left join lateral (select hash from activity_links where partner_id = $1 and at = waiting.at and id = waiting.id
       limit 1) link on true
    order by waiting.at, waiting.id`,
)

export function readUnsealed(tx: Tx, { partnerId, chain }: ChainId, most: number): Promise<WaitingEntry[]> {
  return tx.query<WaitingEntry>(UNSEALED, [partnerId, chain, most])
}

export interface NewLink {
  readonly position: number
  readonly exactAt: string
  readonly id: string
  readonly entryHash: Buffer
  readonly hash: Buffer
}

const LINKS = itemColumns<keyof NewLink>(5, {
  position: ['position', 'bigint'],
  exactAt: ['at', 'timestamptz'],
  id: ['id', 'uuid'],
  entryHash: ['entry_hash', 'bytea'],
  hash: ['hash', 'bytea'],
})
const ADD_LINKS = statement(
  'add_activity_links',
  `insert into activity_links (partner_id, chain, form, sealed_at, ${LINKS.names})
   select $1::uuid, $2::text, $3::smallint, $4::timestamptz, ${LINKS.selected} from ${LINKS.from}`,
)
const MOVE_END = statement(
  'move_end_of_audit_chain',
  'update audit_chains set position = $3, hash = $4 where partner_id = $1 and chain = $2',
)
const DONE = itemColumns<'exactAt' | 'id'>(3, { exactAt: ['at', 'timestamptz'], id: ['id', 'uuid'] })
// One look-up per entry, whatever PostgreSQL thinks of a table that fills and empties. Rows are never changed, so a place stays a
// row's for as long as the statement runs.
const SEALED = statement(
  'activity_is_sealed',
  `delete from activity_unsealed where ctid = any(array(
     select waiting.ctid from ${DONE.from} cross join lateral (
       select ctid from activity_unsealed
        where partner_id = $1 and chain = $2 and at = item.at and id = item.id limit 1) waiting))`,
)

export interface Sealing {
  readonly form: number
  readonly sealedAt: Date
  readonly links: readonly NewLink[]
  readonly end: ChainEnd
  /** Of what waited: all that was read, linked or not. */
  readonly done: readonly { readonly exactAt: string; readonly id: string }[]
}

/** The caller holds the chain's lock. */
export function writeLinks(tx: Tx, { partnerId, chain }: ChainId, sealing: Sealing): void {
  const { form, sealedAt, links, end, done } = sealing
  if (links.length > 0) {
    tx.defer(ADD_LINKS, [partnerId, chain, form, sealedAt, ...LINKS.values(links)])
    tx.defer(MOVE_END, [partnerId, chain, end.position, end.hash])
  }
  tx.defer(SEALED, [partnerId, chain, ...DONE.values(done)])
}

export interface ChainRow extends ChainId, ChainEnd {
  /** The links up to this one are forgotten with their entries, and this was the hash of the last. */
  readonly forgotten: number
  readonly forgottenHash: Buffer
}

const CHAIN_COLUMNS = `partner_id as "partnerId", chain, position::float8 as position, hash, forgotten::float8 as forgotten,
  forgotten_hash as "forgottenHash"`
const CHAIN = statement(
  'read_audit_chain',
  `select ${CHAIN_COLUMNS} from audit_chains where partner_id = $1 and chain = $2`,
)
const CHAINS = statement(
  'audit_chains_of_partner',
  `select ${CHAIN_COLUMNS} from audit_chains where partner_id = $1 order by chain`,
)

export async function readChain(db: Db, { partnerId, chain }: ChainId): Promise<ChainRow | null> {
  return (await db.query<ChainRow>(CHAIN, [partnerId, chain]))[0] ?? null
}

export function listChains(db: Db, partnerId: string): Promise<ChainRow[]> {
  return db.query<ChainRow>(CHAINS, [partnerId])
}

export interface LinkedEntry extends ChainedEntry {
  readonly position: number
  readonly form: number
  readonly sealedAt: Date
  readonly entryHash: Buffer
  readonly hash: Buffer
  /** False for an entry that is no longer there; its values are then null. */
  readonly isThere: boolean
}

const LINKED = statement(
  'linked_activity',
  `select link.position::float8 as position, link.form, link.sealed_at as "sealedAt", link.entry_hash as "entryHash",
          link.hash, link.at, link.id, entry.action is not null as "isThere", ${HASHED_COLUMNS}
     from (select * from activity_links where partner_id = $1 and chain = $2 and position > $3 and position <= $4
            order by position limit $5) link
     left join lateral (select * from activity where partner_id = $1 and at = link.at and id = link.id limit 1)
       entry on true
    order by link.position`,
)

/** The links after a position, up to another, with their entries. */
export function readLinks(
  db: Db,
  { partnerId, chain }: ChainId,
  { after, upTo, most }: { after: number; upTo: number; most: number },
): Promise<LinkedEntry[]> {
  return db.query<LinkedEntry>(LINKED, [partnerId, chain, after, upTo, most])
}

// By the order that only the key has: PostgreSQL may take the index by entry else, for as long as it takes the table for small.
const LINK = statement(
  'read_activity_link',
  `select hash from activity_links
    where partner_id = $1 and chain = $2 and position >= $3 and position <= $3 order by chain, position limit 1`,
)

/** The hash at a position; null where there is no link. */
export async function readLink(db: Db, { partnerId, chain }: ChainId, position: number): Promise<Buffer | null> {
  return (await db.query<{ hash: Buffer }>(LINK, [partnerId, chain, position]))[0]?.hash ?? null
}

export type { ChainId, ChainName }
