// Tells one browser from another by 32 random bytes in a cookie, whose hash is stored.
import { isTokenShaped, newSessionToken, sessionTokenHash } from './session-token.ts'

export interface BrowserToken {
  readonly token: string
  readonly hash: Buffer
}

/** The token that came with the request, or a new one for a browser that has none. */
export function browserToken(given: string | null): BrowserToken {
  if (given !== null && isTokenShaped(given)) return { token: given, hash: sessionTokenHash(given) }
  const { token, tokenHash } = newSessionToken()
  return { token, hash: tokenHash }
}
