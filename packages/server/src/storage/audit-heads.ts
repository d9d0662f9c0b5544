// The signed ends of the chains, one per chain and day, and the public keys that verify them.
import type { ChainId, ChainName } from '../core/audit-chain.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface SignedHead {
  readonly chain: ChainName
  readonly position: number
  readonly hash: Buffer
  readonly signedAt: Date
  readonly keyId: string
  readonly signature: Buffer
}

// A day has one head. Where a clock that was ahead has signed, `signed_on` is a day to come, and that has its head when it comes.
const isToSign = (day: string): string =>
  `position > signed_position and signed_on is distinct from ${day}::date
      and not exists (select 1 from audit_heads h
        where h.partner_id = c.partner_id and h.chain = c.chain and h.day = ${day}::date)`

const DUE = statement(
  'audit_chains_to_sign',
  `select partner_id as "partnerId", chain from audit_chains c
    where ${isToSign('$1')}
    order by partner_id, chain limit $2`,
)

/** The chains that have grown since they were last signed, and were not signed on the day. */
export function listChainsToSign(db: Db, day: string, most: number): Promise<ChainId[]> {
  return db.query<ChainId>(DUE, [day, most])
}

const CLAIM = statement(
  'claim_audit_head',
  `update audit_chains c set signed_on = $3::date, signed_position = position
    where partner_id = $1 and chain = $2 and ${isToSign('$3')}
   returning position::float8 as position, hash`,
)

/** The end to sign, for the first who asks on the day; null for all others. */
export async function claimHead(
  tx: Tx,
  { partnerId, chain }: ChainId,
  day: string,
): Promise<Pick<SignedHead, 'position' | 'hash'> | null> {
  return (await tx.query<Pick<SignedHead, 'position' | 'hash'>>(CLAIM, [partnerId, chain, day]))[0] ?? null
}

const ADD = statement(
  'add_audit_head',
  `insert into audit_heads (partner_id, chain, day, position, hash, signed_at, key_id, signature)
   values ($1, $2, $3::date, $4, $5, $6, $7, $8)`,
)

export function addHead(tx: Tx, partnerId: string, day: string, head: SignedHead): void {
  const { chain, position, hash, signedAt, keyId, signature } = head
  tx.defer(ADD, [partnerId, chain, day, position, hash, signedAt, keyId, signature])
}

const COLUMNS = `chain, position::float8 as position, hash, signed_at as "signedAt", key_id as "keyId", signature`
const OF_CHAIN = statement(
  'audit_heads_of_chain',
  `select ${COLUMNS} from audit_heads where partner_id = $1 and chain = $2 and day < $3::date order by day desc limit $4`,
)

/** The newest first. `before` is a day. */
export function listHeads(
  db: Db,
  { partnerId, chain }: ChainId,
  { before, most }: { before: string; most: number },
): Promise<SignedHead[]> {
  return db.query<SignedHead>(OF_CHAIN, [partnerId, chain, before, most])
}

const NEWEST = statement(
  'newest_audit_heads',
  `select head.* from unnest(array['sandbox', 'live', 'account']) with ordinality as name (chain, place)
    cross join lateral (select ${COLUMNS} from audit_heads
      where partner_id = $1 and audit_heads.chain = name.chain order by day desc limit 1) head
    order by name.place`,
)

/** The newest of each chain. */
export function newestHeads(db: Db, partnerId: string): Promise<SignedHead[]> {
  return db.query<SignedHead>(NEWEST, [partnerId])
}

export interface PublicSigningKey {
  readonly id: string
  readonly publicKey: Buffer
}

const KEEP_KEY = statement(
  'keep_signing_key',
  'insert into signing_keys (id, public_key, since) values ($1, $2, $3) on conflict do nothing',
)

export function keepSigningKey(tx: Tx, { id, publicKey }: PublicSigningKey, at: Date): void {
  tx.defer(KEEP_KEY, [id, publicKey, at])
}

const KEYS = statement(
  'list_signing_keys',
  'select id, public_key as "publicKey" from signing_keys order by since desc, id limit 1000',
)

export function listSigningKeys(db: Db): Promise<PublicSigningKey[]> {
  return db.query<PublicSigningKey>(KEYS)
}
