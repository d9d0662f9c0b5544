// Encryption at rest for what must never be read from a stolen database: AES-256-GCM, the key kept elsewhere.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

import { assert } from './assert.ts'

const VERSION = 1
const IV_BYTES = 12
const TAG_BYTES = 16

/** `boundTo` ties the sealed bytes to their row: copied to another row they no longer open. */
export function seal(key: Buffer, plain: string, boundTo: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(boundTo))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), body])
}

export function unseal(key: Buffer, sealed: Buffer, boundTo: string): string {
  assert(sealed[0] === VERSION, 'sealed data has a version that this program knows')
  const iv = sealed.subarray(1, 1 + IV_BYTES)
  const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(tag)
  return decipher.update(sealed.subarray(1 + IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

export function keyedHash(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
