// Six digits can be guessed from a plain hash in no time, so they are hashed with a key that is not in the database.
import { timingSafeEqual } from 'node:crypto'

import { keyedHash } from '../../core/seal.ts'
import type { DataKeys } from '../deps.ts'

/** A code has this many tries, for any purpose. */
export const MOST_ATTEMPTS = 5

/** `about` ties the code to its purpose: the same digits mean nothing elsewhere. */
export function codeHash(secrets: DataKeys, about: readonly string[], code: string): Buffer {
  const key = keyedHash(secrets.fingerprintKey, 'kestrel code key v1')
  return keyedHash(key, JSON.stringify([...about, code]))
}

export function isSameHash(a: Buffer, b: Buffer): boolean {
  return timingSafeEqual(a, b)
}
