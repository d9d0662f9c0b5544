// By what a browser is told from any other: 32 random bytes in a cookie, of which the hash is kept.
import { isTokenShaped, newSessionToken, sessionTokenHash } from './session-token.ts'

export interface BrowserToken {
  readonly token: string
  readonly hash: Buffer
}

/** The one that came with the request, or a new one for a browser that has none. */
export function browserToken(given: string | null): BrowserToken {
  if (given !== null && isTokenShaped(given)) return { token: given, hash: sessionTokenHash(given) }
  const { token, tokenHash } = newSessionToken()
  return { token, hash: tokenHash }
}
