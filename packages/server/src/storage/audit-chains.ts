// The chains of activity: the links, and where each chain ends.
import type { ChainId, ChainName, ChainedEntry } from '../core/audit-chain.ts'
import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

/** The columns of an entry that are hashed. `entry` is its table's name in the statement. */
const HASHED_COLUMNS = `entry.environment, entry.action, entry.status, entry.by, entry.by_name as "byName",
  entry.detail, entry.key_id as "keyId", entry.method, entry.path, entry.duration_ms as "durationMs", entry.ip,
  entry.subject, entry.changes`

const CHAIN_KEY = { partnerId: ['partner_id', 'uuid'], chain: ['chain', 'text'] } as const
const KEYS = itemColumns<keyof ChainId>(1, CHAIN_KEY)
const BEGIN = statement(
  'begin_audit_chains',
  `insert into audit_chains (${KEYS.names})
   select ${KEYS.selected} from ${KEYS.from} order by item.partner_id, item.chain on conflict do nothing`,
)
// In the order of their keys: two orders would deadlock.
const LOCK = statement(
  'lock_audit_chains',
  `select locked.* from (select item.* from ${KEYS.from} order by item.partner_id, item.chain) item
    cross join lateral (
      select partner_id as "partnerId", chain, position::float8 as position, hash from audit_chains
       where partner_id = item.partner_id and chain = item.chain limit 1 for no key update) locked`,
)

export interface ChainEnd {
  readonly position: number
  readonly hash: Buffer
}

/** Nobody else adds to the chains until the transaction ends. Returns those that have begun. */
export function lockChains(tx: Tx, chains: readonly ChainId[]): Promise<(ChainId & ChainEnd)[]> {
  return tx.query<ChainId & ChainEnd>(LOCK, KEYS.values(chains))
}

/** Those that have begun already stay as they are. */
export function beginChains(tx: Tx, chains: readonly ChainId[]): void {
  tx.defer(BEGIN, KEYS.values(chains))
}

export interface NewLink extends ChainId {
  readonly position: number
  readonly exactAt: string
  readonly id: string
  readonly entryHash: Buffer
  readonly hash: Buffer
}

const LINKS = itemColumns<keyof NewLink>(3, {
  ...CHAIN_KEY,
  position: ['position', 'bigint'],
  exactAt: ['at', 'timestamptz'],
  id: ['id', 'uuid'],
  entryHash: ['entry_hash', 'bytea'],
  hash: ['hash', 'bytea'],
})
const ADD_LINKS = statement(
  'add_activity_links',
  `insert into activity_links (form, sealed_at, ${LINKS.names})
   select $1::smallint, $2::timestamptz, ${LINKS.selected} from ${LINKS.from}`,
)
const NOTED = itemColumns<'partnerId' | 'exactAt' | 'id'>(1, {
  partnerId: ['partner_id', 'uuid'],
  exactAt: ['at', 'timestamptz'],
  id: ['id', 'uuid'],
})
const LINKED_AMONG = statement(
  'linked_among_noted',
  `select item.id from ${NOTED.from} cross join lateral (
     select hash from activity_links where partner_id = item.partner_id and at = item.at and id = item.id limit 1) link`,
)

/** Of these entries, the ids of those that have a link. */
export async function listLinkedAmong(
  tx: Tx,
  entries: readonly Pick<NewLink, 'partnerId' | 'exactAt' | 'id'>[],
): Promise<ReadonlySet<string>> {
  return new Set((await tx.query<{ id: string }>(LINKED_AMONG, NOTED.values(entries))).map(({ id }) => id))
}

const ENDS = itemColumns<keyof ChainId | keyof ChainEnd>(1, {
  ...CHAIN_KEY,
  position: ['position', 'bigint'],
  hash: ['hash', 'bytea'],
})
const MOVE_ENDS = statement(
  'move_ends_of_audit_chains',
  `update audit_chains c set position = item.position, hash = item.hash
     from ${ENDS.from} where c.partner_id = item.partner_id and c.chain = item.chain`,
)
export interface Sealing {
  readonly form: number
  readonly sealedAt: Date
  readonly links: readonly NewLink[]
  /** Of the chains that have new links. */
  readonly ends: readonly (ChainId & ChainEnd)[]
}

/** The caller holds the chains' locks. */
export function writeLinks(tx: Tx, { form, sealedAt, links, ends }: Sealing): void {
  if (links.length === 0) return
  tx.defer(ADD_LINKS, [form, sealedAt, ...LINKS.values(links)])
  tx.defer(MOVE_ENDS, ENDS.values(ends))
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
