// A route's rules about who may call it, and how they apply to a known caller.
import type { ActionName, KeyScope } from '@kestrel/contract'
import type { FastifyRequest } from 'fastify'

import { AppError, notFound } from '../../core/errors.ts'
import { requireActivePartner } from '../../domain/api-keys/authenticate-key.ts'
import type { Caller } from './caller.ts'
import { requireScope } from './key-access.ts'
import { routeOf } from './route-of.ts'
import type { Kind } from '../limits/places.ts'
import type { Share } from '../limits/shares.ts'

export interface RouteAccess {
  /** `key`: an API key or a dashboard session. `session`: a session only. */
  readonly auth?: 'key' | 'session' | 'none'
  /** What a key must be for. Unless a route says so, its address and its method do (`scopeNeeded`). */
  readonly scope?: KeyScope
  /** For sessions: a viewer is refused. An API key counts as an admin. */
  readonly needs?: 'admin'
  /** In live a session may do this only once the business is verified; reading is always allowed. */
  readonly needsVerification?: true
  /** A session may do this even though its partner is suspended: look, and sign out. */
  readonly evenSuspended?: true
  /** What it shows is live, so a sandbox key does not see it; a session of the business does. */
  readonly showsLive?: true
  /** Only a sandbox has it: in live there is no such address. */
  readonly sandboxOnly?: true
  /** It needs no key or session, but a signature that the handler checks. */
  readonly isSigned?: true
  /** How many requests it counts as, compared with a plain read, which is one. 0 is never limited. */
  readonly cost?: number
  /** The kind of work of which a partner may have only so much under way at once. */
  readonly share?: Share
  /** The line in which it waits while others of its kind are under way for the business; by default `plain`. */
  readonly line?: Kind
  /** The answer lasts for as long as the caller listens. */
  readonly isEndless?: true
  /** What it writes is written for one version of the key's holder alone, so that the key need not be looked up before. */
  readonly provesKey?: true
  /** The name in activity, as `resource.verb`. */
  readonly action?: ActionName
}

export function requireAccess(request: FastifyRequest, caller: Caller): void {
  const access: RouteAccess = routeOf(request).config
  if (access.sandboxOnly === true && caller.environment === 'live') throw notFound()
  if (caller.session === null) {
    requireActivePartner(caller)
    if (access.auth === 'session') throw new AppError('api_key_required', 'Sign in to the dashboard to do this.')
    requireScope(request, caller, access)
    if (access.showsLive === true && caller.environment !== 'live') {
      throw new AppError('api_key_required', 'The payouts behind an invoice are live ones. Ask with a live API key.')
    }
    return
  }
  // Live can be looked at before it is open.
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

/** The operation's summary, as the end of a sentence: "create a payout". */
function doing(request: FastifyRequest): string {
  const { summary = 'do this' } = (request.routeOptions.schema ?? {}) as { summary?: string }
  return summary.charAt(0).toLowerCase() + summary.slice(1)
}
