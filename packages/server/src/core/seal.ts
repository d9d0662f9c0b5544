// Encryption at rest for what must never be read from a stolen database: AES-256-GCM, with the keys kept elsewhere.
// Sealed bytes name the key that opens them, so that keys can be changed.
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'

import { assert } from './assert.ts'

/** Before keys could be changed there was only one, and the bytes do not name it. */
const WITHOUT_KEY_ID = 1
const WITH_KEY_ID = 2
const KEY_ID_BYTES = 4
const IV_BYTES = 12
const TAG_BYTES = 16

export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError'
}

/** Names a key without revealing anything about it. */
export function keyId(key: Buffer): Buffer {
  return createHash('sha256').update('kestrel key id v1\n').update(key).digest().subarray(0, KEY_ID_BYTES)
}

/** `boundTo` ties the sealed bytes to their row: copied to another row they no longer open. */
export function seal(key: Buffer, plain: string, boundTo: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(boundTo))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(WITH_KEY_ID), keyId(key), iv, cipher.getAuthTag(), body])
}

/** The id of the key that opens these bytes; null when they are older than ids. */
export function sealedWith(sealed: Buffer): Buffer | null {
  assert(sealed[0] === WITHOUT_KEY_ID || sealed[0] === WITH_KEY_ID, 'sealed data has a version that this program knows')
  return sealed[0] === WITH_KEY_ID ? sealed.subarray(1, 1 + KEY_ID_BYTES) : null
}

export function unseal(keys: readonly Buffer[], sealed: Buffer, boundTo: string): string {
  const id = sealedWith(sealed)
  if (id !== null) {
    const key = keys.find((each) => keyId(each).equals(id))
    if (key === undefined) {
      throw new UnknownKeyError(`This was sealed with the key ${id.toString('hex')}, which this process does not have.`)
    }
    return open(key, sealed.subarray(1 + KEY_ID_BYTES), boundTo)
  }
  let refused: unknown = null
  for (const key of keys.toReversed()) {
    try {
      return open(key, sealed.subarray(1), boundTo)
    } catch (error) {
      refused = error
    }
  }
  throw refused
}

function open(key: Buffer, sealed: Buffer, boundTo: string): string {
  const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(tag)
  return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

export function keyedHash(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
