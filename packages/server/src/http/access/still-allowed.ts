import type { FastifyRequest } from 'fastify'

import { AppError } from '../../core/errors.ts'
import { lookAtSession } from '../../domain/access/authenticate-session.ts'
import { type FindHolder, authenticateKey } from '../../domain/api-keys/authenticate-key.ts'
import type { Deps } from '../../domain/deps.ts'
import { callerOf } from './authenticate.ts'
import { callerInSession, callerWithKey } from './caller.ts'
import { refuseOtherNetworks } from './key-access.ts'
import { requireAccess } from './route-access.ts'
import { readSessionCookie } from './session-cookie.ts'

/**
 * Whether the caller who opened a stream could still open it now. This does not count as using the session: a page that
 * was left open must not keep it alive.
 */
export async function isStillAllowed(
  deps: Pick<Deps, 'db' | 'clock'>,
  request: FastifyRequest,
  { publicUrl, findHolder }: { publicUrl: string; findHolder: FindHolder },
): Promise<boolean> {
  const { id, session, environment } = callerOf(request)
  try {
    const token = session === null ? null : readSessionCookie(request, publicUrl)
    const caller =
      token === null
        ? callerWithKey(await authenticateKey(deps, request.headers.authorization, { findHolder }))
        : callerInSession(await lookAtSession(deps, token, environment))
    refuseOtherNetworks(request, caller, null)
    requireAccess(request, caller)
    // A session may have turned to another business, whose changes this stream does not tell.
    return caller.id === id
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
