// A session's token is 32 random bytes, which only the browser has. We store their hash.
import { randomToken, sha256 } from '../../core/ids.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/
const TOKEN_BYTES = 32

export function newSessionToken(): { token: string; tokenHash: Buffer } {
  const token = randomToken(TOKEN_BYTES)
  return { token, tokenHash: sessionTokenHash(token) }
}

export function isTokenShaped(text: string): boolean {
  return TOKEN.test(text)
}

/** With 256 random bits a plain hash is as good as a slow one, and it can be looked up. */
export function sessionTokenHash(token: string): Buffer {
  return sha256(token)
}
