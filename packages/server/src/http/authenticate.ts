// Who is calling: an API key, or a dashboard session. Every route says who may; one that says nothing does not start.
import type { Environment } from '@kestrel/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { AppError } from '../core/errors.ts'
import type { Plan } from '../core/plan.ts'
import type { Scope } from '../core/scope.ts'
import { authenticateSession } from '../domain/access/authenticate-session.ts'
import { authenticateKey } from '../domain/api-keys/authenticate-key.ts'
import type { Deps } from '../domain/deps.ts'
import type { QuoteTerms } from '../domain/quotes/quote.ts'
import { type Caller, type SessionFacts, callerInSession, callerWithKey } from './caller.ts'
import { refuseCrossSite } from './cross-site.ts'
import { refuseOtherBusiness } from './other-business.ts'
import type { RateLimiter } from './rate-limit.ts'
import { type RouteAccess, requireAccess } from './route-access.ts'
import { clearSessionCookie, readSessionCookie } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyContextConfig extends RouteAccess {}
  interface FastifyRequest {
    caller: Caller | null
    /** What activity says beyond the action: an id or an error code, never a name. */
    activityDetail: string | null
    failureCode: string | null
  }
}

export function addAuthentication(
  app: FastifyInstance,
  deps: Pick<Deps, 'db' | 'clock'>,
  options: { limiter: RateLimiter | null; publicUrl: string },
): void {
  const { limiter, publicUrl } = options
  app.decorateRequest('caller', null)
  app.decorateRequest('activityDetail', null)
  app.decorateRequest('failureCode', null)
  app.addHook('onRoute', (route) => {
    const { auth, action } = route.config ?? {}
    if (auth === undefined || (auth !== 'none' && action === undefined)) {
      throw new Error(`Route ${String(route.method)} ${route.url} must say who may call it and what activity calls it`)
    }
  })
  app.addHook('onRequest', async (request, reply) => {
    const { auth } = request.routeOptions.config
    if (auth !== 'key' && auth !== 'session') return
    refuseTwoKeys(request)
    const caller = await identify(deps, request, { reply, publicUrl })
    request.caller = caller
    if (caller.session !== null) {
      refuseCrossSite(request, publicUrl)
      refuseOtherBusiness(request, caller)
    }
    if (limiter !== null) limit(limiter, caller, reply)
    requireAccess(request, caller)
  })
}

/** A key that is sent is meant, whatever cookies the client has. */
async function identify(
  deps: Pick<Deps, 'db' | 'clock'>,
  request: FastifyRequest,
  { reply, publicUrl }: { reply: FastifyReply; publicUrl: string },
): Promise<Caller> {
  const { authorization } = request.headers
  const token = authorization === undefined ? readSessionCookie(request, publicUrl) : null
  if (token === null) {
    const isForSessions = request.routeOptions.config.auth === 'session'
    if (authorization === undefined && isForSessions)
      throw new AppError('unauthorized', 'Sign in to the dashboard first.')
    return callerWithKey(await authenticateKey(deps, authorization))
  }
  try {
    return callerInSession(await authenticateSession(deps, token, environmentIn(request)))
  } catch (error) {
    if (error instanceof AppError) clearSessionCookie(reply, publicUrl)
    throw error
  }
}

/** What a session looks at. A value that is neither is refused when the query is validated. */
function environmentIn(request: FastifyRequest): Environment {
  const { environment } = request.query as { environment?: unknown }
  return environment === 'live' ? 'live' : 'sandbox'
}

/** Node shows the first of several and drops the others; nobody can tell which one was meant. */
function refuseTwoKeys(request: FastifyRequest): void {
  const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0)
  if (names.filter((name) => name.toLowerCase() === 'authorization').length < 2) return
  throw new AppError('unauthorized', 'The header Authorization came more than once. Send one API key.')
}

function limit(limiter: RateLimiter, caller: Caller, reply: FastifyReply): void {
  const verdict = limiter.take(caller.session?.id ?? caller.keyId ?? caller.id)
  reply.headers({
    'RateLimit-Limit': verdict.limit,
    'RateLimit-Remaining': verdict.remaining,
    'RateLimit-Reset': verdict.resetSeconds,
  })
  if (verdict.isAllowed) return
  const who = caller.session === null ? 'This key' : 'This session'
  throw new AppError('rate_limited', `${who} has made too many requests. Wait as long as Retry-After says.`, {
    retryAfterSeconds: verdict.retryAfterSeconds,
  })
}

export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null)
    throw new Error('A route that reads its caller must be declared with auth: key or session')
  return request.caller
}

export function scopeOf(request: FastifyRequest): Scope {
  const caller = callerOf(request)
  return { partnerId: caller.id, environment: caller.environment }
}

/** Who is signed in, on a route for sessions only. */
export function sessionOf(request: FastifyRequest): SessionFacts {
  const { session } = callerOf(request)
  if (session === null) throw new Error('A route that reads its session must be declared with auth: session')
  return session
}

export function planOf(request: FastifyRequest): Plan {
  return callerOf(request)
}

export function termsOf(request: FastifyRequest): QuoteTerms {
  const caller = callerOf(request)
  return { ...scopeOf(request), rail: caller.rail, account: accountOf(caller), plan: caller, limits: caller }
}

/** Where the caller's money is at the bank; null while it is nowhere but here. */
function accountOf({ customerRef, walletRef }: Caller): QuoteTerms['account'] {
  return customerRef === null || walletRef === null ? null : { customerRef, walletRef }
}
