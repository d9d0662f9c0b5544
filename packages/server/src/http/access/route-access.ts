// What a route says about who may call it, and what follows from it for a caller who is known.
import type { FastifyRequest } from 'fastify'

import { AppError } from '../../core/errors.ts'
import { requireActivePartner } from '../../domain/api-keys/authenticate-key.ts'
import type { Caller } from './caller.ts'
import type { Share } from '../limits/shares.ts'

export interface RouteAccess {
  /** `key`: an API key or a dashboard session. `session`: a session only. */
  readonly auth?: 'key' | 'session' | 'none'
  /** Binds sessions: a viewer is refused. An API key is as good as an admin. */
  readonly needs?: 'admin'
  /** In live a session may do this only once the business is verified; reading is always possible. */
  readonly needsVerification?: true
  /** A session may do this although its partner is suspended: see where it stands, and leave. */
  readonly evenSuspended?: true
  /** What is behind it is live, so a sandbox key does not see it; a session of the business does. */
  readonly showsLive?: true
  /** Without a key or a session, and still not anybody: it carries a signature that the handler checks. */
  readonly isSigned?: true
  /** How many requests it counts as: what it costs us beside a plain read, which is one. Nothing is never limited. */
  readonly cost?: number
  /** Of what a partner may have only so much under way at once. */
  readonly share?: Share
  /** The answer goes on for as long as the caller listens. */
  readonly isEndless?: true
  /** What activity calls it, as `resource.verb`. */
  readonly action?: string
}

export function requireAccess(request: FastifyRequest, caller: Caller): void {
  const access: RouteAccess = request.routeOptions.config
  if (caller.session === null) {
    requireActivePartner(caller)
    if (access.auth === 'session') throw new AppError('api_key_required', 'Sign in to the dashboard to do this.')
    if (access.showsLive === true && caller.environment !== 'live') {
      throw new AppError('api_key_required', 'The payouts behind an invoice are live ones. Ask with a live API key.')
    }
    return
  }
  // Live is there to be looked at before it is open.
  if (access.evenSuspended !== true) requireActivePartner({ ...caller, environment: 'sandbox' })
  if (access.needs === 'admin' && caller.session.role !== 'admin') {
    throw new AppError(
      'api_key_required',
      `Only admins can ${doing(request)}. Ask an admin of ${caller.name}. Nothing was done.`,
    )
  }
  const isClosed = caller.environment === 'live' && caller.verificationStatus !== 'approved'
  if (access.needsVerification === true && isClosed) {
    throw new AppError(
      'api_key_required',
      `Live opens once business verification is approved; it is ${caller.verificationStatus} now. Nothing was done. Sandbox works already.`,
    )
  }
}

/** The summary of the operation, as the end of a sentence: "create a payout". */
function doing(request: FastifyRequest): string {
  const { summary = 'do this' } = (request.routeOptions.schema ?? {}) as { summary?: string }
  return summary.charAt(0).toLowerCase() + summary.slice(1)
}
