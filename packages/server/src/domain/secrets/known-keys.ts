// The keys of this process: the newest makes everything new, the others still read and recognise.
import { keyId } from '../../core/seal.ts'
import type { DataKeys } from '../deps.ts'

export type KeyPurpose = 'seal' | 'fingerprint'

/** The newest first. */
export function knownKeys(secrets: DataKeys, purpose: KeyPurpose): readonly Buffer[] {
  return purpose === 'seal'
    ? [secrets.sealKey, ...(secrets.olderSealKeys ?? [])]
    : [secrets.fingerprintKey, ...(secrets.olderFingerprintKeys ?? [])]
}

/** The same keys once per fingerprint key, newest first, for values that any of them may have made. */
export function underEachKey(secrets: DataKeys): readonly DataKeys[] {
  return [secrets, ...underOlderKeys(secrets)]
}

/** The same without the newest. Mostly there are none. */
export function underOlderKeys(secrets: DataKeys): readonly DataKeys[] {
  return (secrets.olderFingerprintKeys ?? []).map((fingerprintKey) => ({ ...secrets, fingerprintKey }))
}

export function knowsKey(secrets: DataKeys, purpose: KeyPurpose, id: Buffer): boolean {
  return knownKeys(secrets, purpose).some((key) => keyId(key).equals(id))
}

/** The same keys with the database's newest ones first, where this process has them. */
export function withNewest(secrets: DataKeys, newest: Readonly<Record<KeyPurpose, Buffer | null>>): DataKeys {
  const [sealKey, ...olderSealKeys] = inFront(knownKeys(secrets, 'seal'), newest.seal)
  const [fingerprintKey, ...olderFingerprintKeys] = inFront(knownKeys(secrets, 'fingerprint'), newest.fingerprint)
  return { sealKey: sealKey!, olderSealKeys, fingerprintKey: fingerprintKey!, olderFingerprintKeys }
}

function inFront(keys: readonly Buffer[], newest: Buffer | null): readonly Buffer[] {
  const isNewest = (key: Buffer) => newest !== null && keyId(key).equals(newest)
  return [...keys.filter(isNewest), ...keys.filter((key) => !isNewest(key))]
}
