import { after } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import { insertSession } from '../../storage/sessions.ts'
import type { Tx } from '../../storage/sql.ts'
import { SESSION_LONGEST_MS } from './session-limits.ts'
import { newSessionToken } from './session-token.ts'

/** From where somebody signs in, for the list of their sessions. */
export interface Visitor {
  readonly ip: string
  readonly userAgent: string | null
}

/** And in which browser, by the hash of its cookie. */
export interface VisitorInBrowser extends Visitor {
  readonly browserHash: Buffer
}

const LONGEST_USER_AGENT = 300

/** A new session for a member; the token is for the browser and is not kept. */
export function startSessionIn(
  tx: Tx,
  member: { partnerId: string; email: string },
  from: Visitor & { at: Date },
): { id: string; token: string; expiresAt: Date } {
  const { at, ip } = from
  const { token, tokenHash } = newSessionToken()
  const id = newId(at)
  const expiresAt = after(at, SESSION_LONGEST_MS)
  const userAgent = from.userAgent?.slice(0, LONGEST_USER_AGENT) ?? null
  insertSession(tx, { ...member, id, tokenHash, userAgent, ip, createdAt: at, expiresAt })
  return { id, token, expiresAt }
}
