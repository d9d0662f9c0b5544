import { after } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import { insertSession } from '../../storage/sessions.ts'
import type { Tx } from '../../storage/sql.ts'
import { SESSION_LONGEST_MS } from './session-limits.ts'
import { newSessionToken } from './session-token.ts'

/** Where somebody signs in from, for the list of their sessions. */
export interface Visitor {
  readonly ip: string
  readonly userAgent: string | null
}

/** The same with the browser, by the hash of its cookie. */
export interface VisitorInBrowser extends Visitor {
  readonly browserHash: Buffer
}

const LONGEST_USER_AGENT = 300

/** Starts a session for a member. The token goes to the browser and is not stored. */
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
