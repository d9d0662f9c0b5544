// A database belongs to its keys. A process must have the newest key and every other that a row still needs; a process
// with a newer key makes that the newest for everybody.
import { keyId } from '../../core/seal.ts'
import { secretsCheck } from '../../core/secrets-check.ts'
import { claimInstallation } from '../../storage/installation.ts'
import { beginResealing } from '../../storage/resealing.ts'
import {
  type SecretKey,
  addSecretKey,
  countKeyUse,
  lockSecretKeys,
  readSecretKeys,
  retireSecretKey,
} from '../../storage/secret-keys.ts'
import type { Db, Tx } from '../../storage/sql.ts'
import type { DataKeys } from '../deps.ts'
import { type KeyPurpose, knownKeys, knowsKey, withNewest } from './known-keys.ts'
import { behindNewest, isRetired, otherSecrets, stillNeeded } from './refusal-words.ts'

export const KEY_PURPOSES: readonly KeyPurpose[] = ['seal', 'fingerprint']

export type Binding =
  | { readonly kind: 'bound'; readonly secrets: DataKeys }
  | { readonly kind: 'refused'; readonly why: string }

export async function bindKeys(tx: Tx, secrets: DataKeys, at: Date): Promise<Binding> {
  const registered = await lockSecretKeys(tx)
  const keys = registered.length > 0 ? registered : await registerFirst(tx, secrets, at)
  if (keys === null) return { kind: 'refused', why: otherSecrets() }
  const why = whyNotWith(keys, secrets) ?? (await retireMissing(tx, { keys, secrets, at }))
  if (why !== null) return { kind: 'refused', why }
  for (const purpose of KEY_PURPOSES) {
    const current = keyId(knownKeys(secrets, purpose)[0]!)
    const isNew = !keys.some((key) => key.purpose === purpose && key.keyId.equals(current))
    if (isNew) await addSecretKey(tx, purpose, current, at)
  }
  const now = await readSecretKeys(tx)
  const newest = newestKeys(now)
  const hasOlder = now.some((key) => key.retiredAt === null && !key.keyId.equals(newest[key.purpose]!))
  // Everything is looked through again at every start: processes that still worked with an older key have ended by
  // then.
  if (hasOlder) beginResealing(tx, { sealKey: newest.seal!, fingerprintKey: newest.fingerprint! })
  return { kind: 'bound', secrets: withNewest(secrets, newest) }
}

/** Registers the keys of the first start; null when this process does not have them. */
async function registerFirst(tx: Tx, secrets: DataKeys, at: Date): Promise<SecretKey[] | null> {
  const check = await claimInstallation(tx, secretsCheck(secrets), at)
  const pairs = knownKeys(secrets, 'seal').flatMap((sealKey) =>
    knownKeys(secrets, 'fingerprint').map((fingerprintKey) => ({ sealKey, fingerprintKey })),
  )
  const first = pairs.find((pair) => secretsCheck(pair).equals(check))
  if (first === undefined) return null
  await addSecretKey(tx, 'seal', keyId(first.sealKey), at)
  await addSecretKey(tx, 'fingerprint', keyId(first.fingerprintKey), at)
  return readSecretKeys(tx)
}

export function newestKeys(keys: readonly SecretKey[]): Record<KeyPurpose, Buffer | null> {
  const newest = (purpose: KeyPurpose) => keys.findLast((key) => key.purpose === purpose)?.keyId ?? null
  return { seal: newest('seal'), fingerprint: newest('fingerprint') }
}

/** Why a process with these keys cannot work on this database; null when it can. */
function whyNotWith(keys: readonly SecretKey[], secrets: DataKeys): string | null {
  const newest = newestKeys(keys)
  const behind = KEY_PURPOSES.filter((purpose) => !knowsKey(secrets, purpose, newest[purpose]!))
  const isStranger = behind.some(
    (purpose) => !keys.some((key) => key.purpose === purpose && knowsKey(secrets, purpose, key.keyId)),
  )
  if (isStranger) return otherSecrets()
  if (behind[0] !== undefined) return behindNewest(behind[0], newest[behind[0]]!)
  const retired = keys.find(
    (key) => key.retiredAt !== null && keyId(knownKeys(secrets, key.purpose)[0]!).equals(key.keyId),
  )
  return retired === undefined ? null : isRetired(retired)
}

/** A key that this process no longer has is retired if no row needs it; otherwise the process must not start. */
async function retireMissing(
  tx: Tx,
  { keys, secrets, at }: { keys: readonly SecretKey[]; secrets: DataKeys; at: Date },
): Promise<string | null> {
  const missing = missingOf(keys, secrets)
  const why = await whyNotWithout(tx, missing)
  if (why === null) for (const key of missing) retireSecretKey(tx, key, at)
  return why
}

function missingOf(keys: readonly SecretKey[], secrets: DataKeys): SecretKey[] {
  return keys.filter((key) => key.retiredAt === null && !knowsKey(secrets, key.purpose, key.keyId))
}

async function whyNotWithout(tx: Tx, missing: readonly SecretKey[]): Promise<string | null> {
  if (missing.length === 0) return null
  const uses = await countKeyUse(tx)
  const needed = uses.find((use) => missing.some((key) => use.purpose === key.purpose && use.keyId.equals(key.keyId)))
  return needed === undefined ? null : stillNeeded(needed)
}

/** For a running process: null while it has the keys that it needs. */
export async function keyProblem(db: Db, secrets: DataKeys): Promise<string | null> {
  return whyNotWith(await readSecretKeys(db), secrets)
}

/** The same for a command, which may come before the first start: that is what binds the database. */
export async function keyProblemOfCommand(db: Db, secrets: DataKeys): Promise<string | null> {
  const keys = await readSecretKeys(db)
  return keys.length === 0 ? null : whyNotWith(keys, secrets)
}

/** Why a process with these keys would not start; null when it would. Nothing is written. */
export async function whyNoStart(tx: Tx, secrets: DataKeys): Promise<string | null> {
  const keys = await readSecretKeys(tx)
  if (keys.length === 0) return null
  return whyNotWith(keys, secrets) ?? whyNotWithout(tx, missingOf(keys, secrets))
}

/** For commands that only visit: the database's newest keys first, and nothing is written. */
export async function secretsAsBound(db: Db, secrets: DataKeys): Promise<DataKeys> {
  return withNewest(secrets, newestKeys(await readSecretKeys(db)))
}
