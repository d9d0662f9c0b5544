import type { Environment } from '@kestrel/contract'

import type { Plan } from '../core/plan.ts'
import { itemColumns } from './item-columns.ts'
import { PARTNER_COLUMNS, type Partner } from './partners.ts'
import { PLAN_COLUMNS, planJoin } from './plans.ts'
import { type Db, type Tx, statement } from './sql.ts'
import { WALLET_COLUMNS, type Wallet } from './wallets.ts'

export interface ApiKeyRow {
  readonly id: string
  readonly environment: Environment
  readonly keyPrefix: string
  readonly label: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly lastUsedIp: string | null
  /** When the key stopped working: it was revoked, or its rotation ended. */
  readonly revokedAt: Date | null
  readonly createdBy: string | null
  readonly expiresAt: Date | null
  readonly replacedBy: string | null
  /** Null: those that its environment gives. */
  readonly scopes: readonly string[] | null
  readonly allowedIps: readonly string[] | null
  /** The first key of those that replaced each other: they share their limits. */
  readonly spenderId: string
}

/** The key that a request came with, its partner and the partner's plan: one look-up per request. */
export interface KeyHolder extends Partner, Plan, Wallet {
  readonly version: string
  readonly keyId: string
  readonly keyHash: Buffer
  readonly environment: Environment
  readonly keyPrefix: string
  readonly scopes: readonly string[] | null
  readonly allowedIps: readonly string[] | null
  readonly spenderId: string
}

/** In SQL: a key that was not revoked and has not expired. */
export const isWorking = (key: string, at: string): string =>
  `${key}revoked_at is null and (${key}expires_at is null or ${key}expires_at > ${at})`

/**
 * Another one after any change to what is said of the holder: which rows they are, and the transaction that has written each, for one
 * transaction may write several plans, or wallets. A key's row is written whenever it was used; of what is said of it only this changes.
 */
const VERSION = `concat(k.spender_id, '|', k.scopes, '|', k.allowed_ips, '|', p.id, p.xmin, '|', w.environment, w.xmin, '|',
  plan.valid_from, '|', plan.version)`

const JOINED = (which: string, at = '$2'): string => `
     from api_keys k join partners p on p.id = k.partner_id ${planJoin(at)}
     join wallets w on w.partner_id = k.partner_id and w.environment = k.environment
    where ${which} and ${isWorking('k.', at)}`

/** In SQL: the version of a key's holder, for a statement of its own; none where the key does not work. */
export const holderVersionOf = (partnerId: string, keyId: string, at: string): string =>
  `select ${VERSION} as version ${JOINED(`k.partner_id = ${partnerId} and k.id = ${keyId}`, at)} limit 1`

const HOLDER = (which: string): string => `
   select ${VERSION} as version, k.id as "keyId", k.key_hash as "keyHash", k.environment, k.key_prefix as "keyPrefix",
          k.scopes, k.allowed_ips as "allowedIps", coalesce(k.spender_id, k.id) as "spenderId",
          ${PARTNER_COLUMNS}, ${PLAN_COLUMNS}, ${WALLET_COLUMNS} ${JOINED(which)}`
const HOLDER_OF_ONE = statement('key_holder', HOLDER('k.key_hash = $1'))
const HOLDERS = statement('key_holders', HOLDER('k.key_hash = any($1::bytea[])'))

const HOLDER_VERSION = (which: string): string =>
  `select k.key_hash as "keyHash", ${VERSION} as version ${JOINED(which)}`
const VERSION_OF_ONE = statement('key_holder_version', HOLDER_VERSION('k.key_hash = $1'))
const VERSIONS = statement('key_holder_versions', HOLDER_VERSION('k.key_hash = any($1::bytea[])'))

export interface HolderVersion {
  readonly keyHash: Buffer
  readonly version: string
}

/** Of these keys, those that work, each with the version of its holder. In no order. */
export function findHolderVersions(db: Db, keyHashes: readonly Buffer[], at: Date): Promise<HolderVersion[]> {
  if (keyHashes.length === 0) return Promise.resolve([])
  return keyHashes.length === 1
    ? db.query<HolderVersion>(VERSION_OF_ONE, [keyHashes[0], at])
    : db.query<HolderVersion>(VERSIONS, [keyHashes, at])
}

export async function findKeyHolder(db: Db, keyHash: Buffer, at: Date): Promise<KeyHolder | null> {
  return (await findKeyHolders(db, [keyHash], at))[0] ?? null
}

/** The same of several keys, in no order. */
export function findKeyHolders(db: Db, keyHashes: readonly Buffer[], at: Date): Promise<KeyHolder[]> {
  if (keyHashes.length === 0) return Promise.resolve([])
  return keyHashes.length === 1
    ? db.query<KeyHolder>(HOLDER_OF_ONE, [keyHashes[0], at])
    : db.query<KeyHolder>(HOLDERS, [keyHashes, at])
}

const WORKING = statement(
  'working_keys',
  `select id from api_keys where partner_id = $1 and id = any($2::uuid[]) and ${isWorking('', '$3')}`,
)

/** Of these keys of a partner, those that work. */
export async function workingKeys(
  db: Db,
  partnerId: string,
  ids: readonly string[],
  at: Date,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  return new Set((await db.query<{ id: string }>(WORKING, [partnerId, ids, at])).map(({ id }) => id))
}

const ENDED = statement(
  'key_that_ended',
  'select expires_at as "expiresAt" from api_keys where key_hash = $1 and revoked_at is null and expires_at <= $2',
)

/** When a key stopped by itself; null for one that works, was revoked, or is not known. */
export async function findEndOfKey(db: Db, keyHash: Buffer, at: Date): Promise<Date | null> {
  return (await db.query<{ expiresAt: Date }>(ENDED, [keyHash, at]))[0]?.expiresAt ?? null
}

/** A key whose rotation is over has stopped by itself: nothing was written then. */
const STOPPED_AT = (at: string) =>
  `case when revoked_at is null and expires_at <= ${at} then expires_at else revoked_at end`

const rowColumns = (at: string) => `id, environment, key_prefix as "keyPrefix", label, created_at as "createdAt",
  last_used_at as "lastUsedAt", last_used_ip as "lastUsedIp", ${STOPPED_AT(at)} as "revokedAt", created_by as "createdBy",
  expires_at as "expiresAt", replaced_by as "replacedBy", scopes, allowed_ips as "allowedIps",
  coalesce(spender_id, id) as "spenderId"`

const LIST = statement(
  'list_keys',
  `select * from (
     select * from (select ${rowColumns('$2')} from api_keys where partner_id = $1) as key
      where "revokedAt" is null or "revokedAt" >= $3
      order by "revokedAt" is not null, "createdAt" desc, id desc limit $4) as shown
    order by "createdAt" desc, id desc`,
)

/** The newest first. Where there are too many, the working keys stay and the oldest of the others are left out. */
export function listKeys(
  db: Db,
  partnerId: string,
  { at, stoppedSince, most }: { at: Date; stoppedSince: Date; most: number },
): Promise<ApiKeyRow[]> {
  return db.query<ApiKeyRow>(LIST, [partnerId, at, stoppedSince, most])
}

const FIND = statement('find_key', `select ${rowColumns('$3')} from api_keys where partner_id = $1 and id = $2`)

export async function findKey(db: Db, partnerId: string, id: string, at: Date): Promise<ApiKeyRow | null> {
  return (await db.query<ApiKeyRow>(FIND, [partnerId, id, at]))[0] ?? null
}

const COUNT_ACTIVE = statement(
  'count_active_keys',
  `select count(*)::int as count from api_keys
    where partner_id = $1 and environment = $2 and ${isWorking('', '$3')}`,
)

/** Call it under `lockPartner`, or the answer is out of date at once. */
export async function countActiveKeys(db: Db, partnerId: string, environment: Environment, at: Date): Promise<number> {
  return (await db.query<{ count: number }>(COUNT_ACTIVE, [partnerId, environment, at]))[0]?.count ?? 0
}

const INSERT = statement(
  'insert_key',
  `insert into api_keys (partner_id, id, environment, key_hash, key_prefix, label, created_at, created_by,
                         scopes, allowed_ips, expires_at, spender_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
)

export function insertKey(
  tx: Tx,
  key: {
    partnerId: string
    id: string
    environment: Environment
    keyHash: Buffer
    keyPrefix: string
    label: string | null
    createdAt: Date
    createdBy: string | null
  } & Pick<ApiKeyRow, 'scopes' | 'allowedIps' | 'expiresAt' | 'spenderId'>,
): void {
  const { partnerId, id, environment, keyHash, keyPrefix, label, createdAt, createdBy } = key
  const rules = [key.scopes, key.allowedIps, key.expiresAt, key.spenderId === id ? null : key.spenderId]
  tx.defer(INSERT, [partnerId, id, environment, keyHash, keyPrefix, label, createdAt, createdBy, ...rules])
}

const SET_RULES = statement(
  'set_key_rules',
  'update api_keys set scopes = $3, allowed_ips = $4, expires_at = $5 where partner_id = $1 and id = $2',
)

export function setKeyRules(
  tx: Tx,
  key: { partnerId: string; id: string } & Pick<ApiKeyRow, 'scopes' | 'allowedIps' | 'expiresAt'>,
): void {
  tx.defer(SET_RULES, [key.partnerId, key.id, key.scopes, key.allowedIps, key.expiresAt])
}

const REPLACE = statement(
  'replace_key',
  `update api_keys set replaced_by = $3, expires_at = $4, revoked_at = $5 where partner_id = $1 and id = $2`,
)

/** The key works until `expiresAt`; without one it has stopped now. */
export function replaceKey(
  tx: Tx,
  key: { partnerId: string; id: string; replacedBy: string; expiresAt: Date | null; at: Date },
): void {
  const { partnerId, id, replacedBy, expiresAt, at } = key
  tx.defer(REPLACE, [partnerId, id, replacedBy, expiresAt, expiresAt === null ? at : null])
}

const PARTNER_OF = statement('partner_of_key', 'select partner_id as "partnerId" from api_keys where id = $1')

/** For the operator, who names a key by its id alone. */
export async function findPartnerOfKey(db: Db, keyId: string): Promise<string | null> {
  return (await db.query<{ partnerId: string }>(PARTNER_OF, [keyId]))[0]?.partnerId ?? null
}

const REVOKE = statement(
  'revoke_key',
  `update api_keys set revoked_at = coalesce(revoked_at, $3) where partner_id = $1 and id = $2 returning id`,
)

/** False when the partner has no such key. Revoking twice keeps the first moment. */
export async function revokeKey(tx: Tx, key: { partnerId: string; id: string; at: Date }): Promise<boolean> {
  return (await tx.query(REVOKE, [key.partnerId, key.id, key.at])).length === 1
}

export interface KeyUse {
  readonly partnerId: string
  readonly keyId: string
  readonly at: Date
  readonly ip: string | null
}

const USES = itemColumns<keyof KeyUse>(1, {
  partnerId: ['partner_id', 'uuid'],
  keyId: ['id', 'uuid'],
  at: ['at', 'timestamptz'],
  ip: ['ip', 'text'],
})

const TOUCH = statement(
  'touch_keys',
  `update api_keys k set last_used_at = item.at, last_used_ip = item.ip
     from ${USES.from}
    where k.partner_id = item.partner_id and k.id = item.id and (k.last_used_at is null or k.last_used_at < item.at)`,
)

/** In one order, so that two processes seldom wait for each other. */
export function touchKeys(tx: Tx, used: readonly KeyUse[]): void {
  const inOrder = used.toSorted((one, other) => (one.keyId < other.keyId ? -1 : 1))
  tx.defer(TOUCH, USES.values(inOrder))
}
