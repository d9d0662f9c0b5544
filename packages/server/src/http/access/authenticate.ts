// Finds the caller: an API key, or a dashboard session. Every route says who may call it; one that does not say so
// keeps the service from starting.
import type { Environment } from '@kestrel/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { Company } from '../../core/company.ts'
import { AppError } from '../../core/errors.ts'
import type { Scope } from '../../core/scope.ts'
import { authenticateSession } from '../../domain/access/authenticate-session.ts'
import { isTokenShaped, sessionTokenHash } from '../../domain/access/session-token.ts'
import { type Holders, authenticateKey, keySent, sharedHolders } from '../../domain/api-keys/authenticate-key.ts'
import { keyHash } from '../../domain/api-keys/key-format.ts'
import type { Deps } from '../../domain/deps.ts'
import type { Audited } from '../../domain/activity/audited.ts'
import type { Milestone } from '../../domain/activity/counted-traces.ts'
import type { QuoteTerms } from '../../domain/quotes/quote.ts'
import { addAdmission } from './admit-caller.ts'
import { assume, mayBeAssumed } from './assumed-caller.ts'
import { type Caller, type SessionFacts, callerInSession, callerWithKey } from './caller.ts'
import { refuseCrossSite } from './cross-site.ts'
import { refuseOtherNetworks } from './key-access.ts'
import { refuseOtherBusiness } from './other-business.ts'
import type { CallerLimits } from '../limits/caller-limits.ts'
import type { NetworkGate } from '../limits/network-gate.ts'
import { onceAnswered } from './once-answered.ts'
import type { RouteAccess } from './route-access.ts'
import { routeOf } from './route-of.ts'
import { clearSessionCookie, readSessionCookie } from './session-cookie.ts'
import { timesSent } from './times-sent.ts'

declare module 'fastify' {
  interface FastifyContextConfig extends RouteAccess {}
  interface FastifyInstance {
    /** Every route's access rules, by method and address. */
    routeTable: ReadonlyMap<string, RouteAccess>
    /** Makes a new session known, as if it had been looked up. */
    recognise: (token: string) => void
  }
  interface FastifyRequest {
    caller: Caller | null
    /** What activity says beyond the action: an id or an error code, never a name. */
    activityDetail: string | null
    failureCode: string | null
    /** What was changed, by its name, with the values before and after. */
    audited: Audited | null
    /** What the caller's program did with it, perhaps for the first time. */
    milestone: Milestone | null
  }
}

interface Guards {
  readonly limits: CallerLimits | null
  readonly gate: NetworkGate | null
  readonly publicUrl: string
}

export function addAuthentication(app: FastifyInstance, deps: Pick<Deps, 'db' | 'clock'>, options: Guards): void {
  const { limits, gate, publicUrl } = options
  app.decorateRequest('route', null)
  app.decorateRequest('caller', null)
  app.decorateRequest('assumed', null)
  app.decorateRequest('activityDetail', null)
  app.decorateRequest('failureCode', null)
  app.decorateRequest('audited', null)
  app.decorateRequest('milestone', null)
  const admit = addAdmission(app, limits)
  const table = new Map<string, RouteAccess>()
  app.decorate('routeTable', table)
  app.decorate('recognise', (token: string) => gate?.found(sessionTokenHash(token)))
  app.addHook('onRoute', (route) => {
    const { auth, action } = route.config ?? {}
    for (const method of [route.method].flat()) table.set(`${method} ${route.url}`, route.config ?? {})
    if (auth === undefined || (auth !== 'none' && action === undefined)) {
      throw new Error(`Route ${String(route.method)} ${route.url} must say who may call it and what activity calls it`)
    }
  })
  if (gate !== null) countWrongSignatures(app, gate)
  const holders = sharedHolders(deps)
  const company = new Company(deps.clock)
  app.addHook('onRequest', async (request, reply) => {
    const { auth, isSigned, cost = 1 } = routeOf(request).config
    if (auth !== 'key' && auth !== 'session') {
      if (isSigned === true) gate?.admitUnproven(request)
      else gate?.admitStranger(request, cost)
      return
    }
    refuseTwoKeys(request, gate)
    const credential = credentialIn(request, publicUrl)
    // Whoever names nobody keeps nobody waiting.
    if (credential === null) gate?.admitStranger(request, 1)
    else await company.gather()
    const caller = await guarded(gate, request, credential, () =>
      identify(deps, request, { reply, publicUrl, holders, credential, gate }),
    )
    request.caller = caller
    refuseOtherNetworks(request, caller, gate)
    // A key belongs to one environment (spec, part 5), so the query's is ignored, whatever it is.
    const query = request.query as { environment?: unknown }
    if (caller.session === null && query.environment !== undefined) delete query.environment
    if (caller.session !== null) {
      refuseCrossSite(request, publicUrl)
      refuseOtherBusiness(request, caller)
    }
    admit(request, reply, caller)
  })
}

/** A wrong signature counts as much as a key that nobody has, and by itself. */
function countWrongSignatures(app: FastifyInstance, gate: NetworkGate): void {
  onceAnswered(app, (request, reply) => {
    if (routeOf(request).config.isSigned === true && reply.statusCode !== 401) gate.uncount(request)
  })
}

/** Counts the caller as a stranger first, whatever follows. */
async function guarded(
  gate: NetworkGate | null,
  request: FastifyRequest,
  credential: Buffer | null,
  look: () => Promise<Caller>,
): Promise<Caller> {
  if (gate === null || credential === null) return look()
  await gate.admitCredential(request, credential)
  try {
    const caller = await look()
    gate.found(credential)
    gate.uncount(request)
    return caller
  } catch (error) {
    if (!isUnauthorized(error)) gate.uncount(request)
    throw failed(gate, request, credential, error)
  }
}

const isUnauthorized = (error: unknown) => error instanceof AppError && error.code === 'unauthorized'

/** Returns the error. */
function failed(gate: NetworkGate | null, request: FastifyRequest, credential: Buffer, error: unknown): unknown {
  if (isUnauthorized(error)) gate?.failed(request, credential)
  return error
}

/** The hash of the key or session, made once per request; null for what can be neither. */
function credentialIn(request: FastifyRequest, publicUrl: string): Buffer | null {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const key = keySent(authorization)
    return key === null ? null : keyHash(key)
  }
  const token = readSessionCookie(request, publicUrl)
  return token !== null && isTokenShaped(token) ? sessionTokenHash(token) : null
}

interface Identifying {
  readonly reply: FastifyReply
  readonly publicUrl: string
  readonly holders: Holders
  readonly credential: Buffer | null
  readonly gate: NetworkGate | null
}

/** A key that is sent counts, whatever cookies the client has. */
async function identify(
  deps: Pick<Deps, 'db' | 'clock'>,
  request: FastifyRequest,
  { reply, publicUrl, holders, credential, gate }: Identifying,
): Promise<Caller> {
  const { authorization } = request.headers
  const token = authorization === undefined ? readSessionCookie(request, publicUrl) : null
  if (token === null) {
    const isForSessions = routeOf(request).config.auth === 'session'
    if (authorization === undefined && isForSessions)
      throw new AppError('unauthorized', 'Sign in to the dashboard first.')
    const lookUp = () => authenticateKey(deps, authorization, { findHolder: holders.find, hash: credential })
    const isProvenLater = credential !== null && routeOf(request).config.provesKey === true
    const latest = isProvenLater ? holders.latest(credential) : null
    // Who sends a body slowly, or never to its end, would be taken for the key's owner for as long.
    if (latest === null || !hasArrived(request) || !mayBeAssumed(request, latest)) return callerWithKey(await lookUp())
    const anew = () =>
      lookUp().catch((error: unknown) => {
        throw failed(gate, request, credential!, error)
      })
    assume(request, latest, { lookUp: anew, gate })
    return callerWithKey(latest)
  }
  try {
    return callerInSession(await authenticateSession(deps, token, environmentIn(request)))
  } catch (error) {
    if (error instanceof AppError) clearSessionCookie(reply, publicUrl)
    throw error
  }
}

/** With its body. A request that came over no socket has all of it from the start, and does not say so. */
function hasArrived(request: FastifyRequest): boolean {
  const raw: { readonly complete?: boolean } = request.raw
  return raw.complete ?? true
}

/** The environment that a session looks at. Any other value is refused when the query is validated. */
function environmentIn(request: FastifyRequest): Environment {
  const { environment } = request.query as { environment?: unknown }
  return environment === 'live' ? 'live' : 'sandbox'
}

/** Node shows the first of several headers and drops the others; nobody can tell which was meant. */
function refuseTwoKeys(request: FastifyRequest, gate: NetworkGate | null): void {
  if (timesSent(request.raw, 'authorization') < 2) return
  gate?.admitStranger(request, 1)
  throw new AppError('unauthorized', 'The header Authorization came more than once. Send one API key.')
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

/** The signed-in member, on a route for sessions only. */
export function sessionOf(request: FastifyRequest): SessionFacts {
  const { session } = callerOf(request)
  if (session === null) throw new Error('A route that reads its session must be declared with auth: session')
  return session
}

export function termsOf(request: FastifyRequest): QuoteTerms {
  const caller = callerOf(request)
  return { ...scopeOf(request), rail: caller.rail, account: accountOf(caller), plan: caller, limits: caller }
}

/** The caller's wallet at the bank; null until it is connected. */
function accountOf({ holderRef, walletRef }: Caller): QuoteTerms['account'] {
  return holderRef === null || walletRef === null ? null : { holderRef, walletRef }
}
