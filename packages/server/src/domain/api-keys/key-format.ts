// The shape of an API key: kp_, its environment, 48 hexadecimal digits (spec, part 5).
import type { Environment } from '@kestrel/contract'

import { randomHex, sha256 } from '../../core/ids.ts'

const KEY = /^kp_(sandbox|live)_[a-f0-9]{48}$/
const SECRET_BYTES = 24
const SHOWN_HEX_DIGITS = 6

export function isKeyShaped(text: string): boolean {
  return KEY.test(text)
}

/** A new key: the secret for its owner, and what we store of it. */
export function newKey(environment: Environment): { secret: string; keyHash: Buffer; keyPrefix: string } {
  const start = `kp_${environment}_`
  const secret = start + randomHex(SECRET_BYTES)
  return { secret, keyHash: keyHash(secret), keyPrefix: secret.slice(0, start.length + SHOWN_HEX_DIGITS) }
}

/** A key has 192 random bits, so a plain hash is as good as a slow one, and it can be looked up. */
export function keyHash(secret: string): Buffer {
  return sha256(secret)
}
