// The keys with which this service signs for everybody: the audit log's heads. Their public halves are kept, so
// that what a key signed stays verifiable after the operator has changed keys and thrown the old one away.
import { type Ed25519Key, ed25519From, isSignedBy } from '../../core/ed25519.ts'
import { keyedHash } from '../../core/seal.ts'
import { type PublicSigningKey, keepSigningKey, listSigningKeys } from '../../storage/audit-heads.ts'
import type { DataKeys, Deps } from '../deps.ts'
import { knownKeys } from '../secrets/known-keys.ts'

const made = new WeakMap<Buffer, Ed25519Key>()

function keyFrom(fingerprintKey: Buffer): Ed25519Key {
  const key = made.get(fingerprintKey) ?? ed25519From(keyedHash(fingerprintKey, 'kestrel platform signing key v1'))
  made.set(fingerprintKey, key)
  return key
}

/** The one that signs now. */
export const platformKey = (secrets: DataKeys): Ed25519Key => keyFrom(secrets.fingerprintKey)

/** Of the keys that this process has: the newest first. */
const ownKeys = (secrets: DataKeys): Ed25519Key[] => knownKeys(secrets, 'fingerprint').map(keyFrom)

export async function keepPublicKeys(deps: Pick<Deps, 'db' | 'secrets' | 'clock'>): Promise<void> {
  const kept = new Set((await listSigningKeys(deps.db)).map(({ id }) => id))
  const missing = ownKeys(deps.secrets).filter(({ id }) => !kept.has(id))
  if (missing.length === 0) return
  await deps.db.inTransaction(async (tx) => {
    for (const key of missing) keepSigningKey(tx, key, deps.clock.now())
  })
}

/** The one that signs now first, then all that ever did. */
export async function publicKeys(deps: Pick<Deps, 'db' | 'secrets'>): Promise<PublicSigningKey[]> {
  const own = ownKeys(deps.secrets).map(({ id, publicKey }) => ({ id, publicKey }))
  const kept = await listSigningKeys(deps.db)
  return [...own, ...kept.filter(({ id }) => !own.some((key) => key.id === id))]
}

/** Whether one of our keys, by its id, has signed this text. What this process has itself is not looked up. */
export async function isSignedByUs(
  deps: Pick<Deps, 'db' | 'secrets'>,
  keyId: string,
  signed: { readonly text: string | Buffer; readonly signature: Buffer },
): Promise<boolean> {
  const named = ({ id }: PublicSigningKey) => id === keyId
  const key = ownKeys(deps.secrets).find(named) ?? (await listSigningKeys(deps.db)).find(named)
  return key !== undefined && isSignedBy(key.publicKey, signed.text, signed.signature)
}
