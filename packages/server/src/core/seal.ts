// Encryption at rest for what must never be read from a stolen database: AES-256-GCM, with the keys kept elsewhere.
// Sealed bytes name the key that opens them, so that keys can be changed.
import { type KeyObject, createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey } from 'node:crypto'

import { assert } from './assert.ts'
import { freshBytes } from './ids.ts'

/** Before keys could be changed there was only one, and the bytes do not name it. */
const WITHOUT_KEY_ID = 1
const WITH_KEY_ID = 2
const KEY_ID_BYTES = 4
const IV_BYTES = 12
const TAG_BYTES = 16

export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError'
}

/** What is made of a key once and asked for with every payout. */
interface MadeOfKey {
  readonly id: Buffer
  /** As OpenSSL takes it: of plain bytes it would make one each time. */
  readonly object: KeyObject
}
const made = new WeakMap<Buffer, MadeOfKey>()

function madeOf(key: Buffer): MadeOfKey {
  let known = made.get(key)
  if (known === undefined) {
    const id = createHash('sha256').update('kestrel key id v1\n').update(key).digest().subarray(0, KEY_ID_BYTES)
    known = { id, object: createSecretKey(key) }
    made.set(key, known)
  }
  return known
}

/** Names a key without revealing anything about it. */
export function keyId(key: Buffer): Buffer {
  return madeOf(key).id
}

/** `boundTo` ties the sealed bytes to their row: copied to another row they no longer open. */
export function seal(key: Buffer, plain: string, boundTo: string): Buffer {
  const { id, object } = madeOf(key)
  const iv = freshBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', object, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(boundTo))
  const body = cipher.update(plain, 'utf8')
  const rest = cipher.final()
  return Buffer.concat([Buffer.of(WITH_KEY_ID), id, iv, cipher.getAuthTag(), body, rest])
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
  // Letter for byte, from which a Buffer out of Node's pool is made sooner than OpenSSL's own gets one around it.
  return Buffer.from(createHmac('sha256', madeOf(key).object).update(text).digest('binary'), 'latin1')
}
