// Finds the signed-in member. Session, role and partner are read at every request, so a change to any of them holds
// from the next request on.
import type { Environment } from '@kestrel/contract'
import { timingSafeEqual } from 'node:crypto'

import { after } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { type SessionHolder, findSessionHolder, touchSession } from '../../storage/sessions.ts'
import type { Deps } from '../deps.ts'
import { SEEN_EVERY_MS, SESSION_IDLE_MS } from './session-limits.ts'
import { isTokenShaped, sessionTokenHash } from './session-token.ts'

export async function authenticateSession(
  deps: Pick<Deps, 'db' | 'clock'>,
  token: string,
  environment: Environment,
): Promise<SessionHolder> {
  const holder = await lookAtSession(deps, token, environment)
  const at = deps.clock.now()
  if (at.getTime() - holder.lastSeenAt.getTime() >= SEEN_EVERY_MS) {
    await deps.db.inTransaction(async (tx) => touchSession(tx, { partnerId: holder.id, id: holder.sessionId, at }))
  }
  return holder
}

/** The same without counting as a use of the session. */
export async function lookAtSession(
  deps: Pick<Deps, 'db' | 'clock'>,
  token: string,
  environment: Environment,
): Promise<SessionHolder> {
  const at = deps.clock.now()
  const tokenHash = sessionTokenHash(token)
  const wanted = { tokenHash, at, environment, seenSince: after(at, -SESSION_IDLE_MS) }
  const holder = isTokenShaped(token) ? await findSessionHolder(deps.db.lookup, wanted) : null
  if (holder === null || !timingSafeEqual(holder.tokenHash, tokenHash)) {
    throw new AppError('unauthorized', 'This session has ended. Sign in again.')
  }
  return holder
}
