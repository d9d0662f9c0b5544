// Who may use which route. Every route says so itself: `auth: 'key'` or `auth: 'none'`; one that says nothing
// does not start.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { AppError } from '../core/errors.ts'
import type { Plan } from '../core/plan.ts'
import type { Scope } from '../core/scope.ts'
import { authenticateKey, requireActivePartner } from '../domain/api-keys/authenticate-key.ts'
import type { Deps } from '../domain/deps.ts'
import type { QuoteTerms } from '../domain/quotes/quote.ts'
import type { RateLimiter } from './rate-limit.ts'

export type Caller = Awaited<ReturnType<typeof authenticateKey>>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call. */
    auth?: 'key' | 'none'
    /** What activity calls it, as `resource.verb`. */
    action?: string
  }
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
  limiter: RateLimiter | null,
): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('activityDetail', null)
  app.decorateRequest('failureCode', null)
  app.addHook('onRoute', (route) => {
    const { auth, action } = route.config ?? {}
    if (auth === undefined || (auth === 'key' && action === undefined)) {
      throw new Error(`Route ${String(route.method)} ${route.url} must say who may call it and what activity calls it`)
    }
  })
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.auth !== 'key') return
    refuseTwoKeys(request)
    request.caller = await authenticateKey(deps, request.headers.authorization)
    if (limiter !== null) limit(limiter, request.caller, reply)
    requireActivePartner(request.caller)
  })
}

/** Node shows the first of several and drops the others; nobody can tell which one was meant. */
function refuseTwoKeys(request: FastifyRequest): void {
  const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0)
  if (names.filter((name) => name.toLowerCase() === 'authorization').length < 2) return
  throw new AppError('unauthorized', 'The header Authorization came more than once. Send one API key.')
}

function limit(limiter: RateLimiter, caller: Caller, reply: FastifyReply): void {
  const verdict = limiter.take(caller.keyId)
  reply.headers({
    'RateLimit-Limit': verdict.limit,
    'RateLimit-Remaining': verdict.remaining,
    'RateLimit-Reset': verdict.resetSeconds,
  })
  if (verdict.isAllowed) return
  throw new AppError('rate_limited', 'This key has made too many requests. Wait as long as Retry-After says.', {
    retryAfterSeconds: verdict.retryAfterSeconds,
  })
}

export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('A route that reads its caller must be declared with auth: key')
  return request.caller
}

export function scopeOf(request: FastifyRequest): Scope {
  const caller = callerOf(request)
  return { partnerId: caller.id, environment: caller.environment }
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
