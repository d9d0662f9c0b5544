// 405 for addresses that exist with other methods, before the body is read.
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'

import { AppError } from '../../core/errors.ts'

const METHODS: readonly HTTPMethods[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']

/**
 * What was not found by its own method is looked for by the others: a route per address for every method that is not there
 * takes a tenth of a second at each start (decision 0341). Call it before the routes are declared; the returned function after.
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>()
  let isCollecting = true
  // Made for the first who needs them, and not at each start.
  let addresses: readonly Address[] | null = null
  app.addHook('onRoute', (route) => {
    if (!isCollecting) return
    const methods = known.get(route.url) ?? new Set<string>()
    for (const method of [route.method].flat()) methods.add(method)
    known.set(route.url, methods)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 || !METHODS.some((method) => method === request.method)) return done()
    const allowed = METHODS.filter((method) => isFound(app, method, request.url))
    if (allowed.length === 0) return done()
    addresses ??= addressesOf([...known.keys()])
    // For the log and the metrics: to the router it is no route at all.
    request.route = { config: request.routeOptions.config, url: addressNamed(addresses, request.url) }
    done(refusal(request, reply, allowed))
  })
  return () => {
    isCollecting = false
    // First all of them, then the routes: those would be found too.
    const hidden = [...known].filter(([url, allowed]) => isHidden(app, url, allowed))
    for (const [url, allowed] of hidden) refuseAt(app, url, allowed)
  }
}

/** Whether a wider address would take a method that this one does not have, as /v1/payouts/:id would GET /v1/payouts/pause. */
function isHidden(app: FastifyInstance, url: string, allowed: ReadonlySet<string>): boolean {
  const example = url.replaceAll(/:\w+|\*/g, 'x')
  return METHODS.some((method) => !allowed.has(method) && isFound(app, method, example))
}

function isFound(app: FastifyInstance, method: HTTPMethods, url: string): boolean {
  const found = app.findRoute({ method, url }) as ReturnType<FastifyInstance['findRoute']> | null
  // For an address that cannot be decoded, or is too long, the router finds what refuses it: that one has no query.
  return found?.searchParams !== undefined
}

interface Address {
  readonly url: string
  readonly fits: RegExp
}

/** Those with fewer names in them come first, and of those the longer, as the router has it: `/:id.pdf` before `/:id`. */
function addressesOf(urls: readonly string[]): Address[] {
  const names = (url: string) => url.split(/[:*]/).length
  return urls
    .toSorted((one, other) => names(one) - names(other) || other.length - one.length)
    .map((url) => {
      const text = url.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+')
      return { url, fits: new RegExp(`^${text.replaceAll('*', '.*')}/?$`) }
    })
}

function addressNamed(addresses: readonly Address[], url: string): string | undefined {
  const path = decoded(url.replace(/[?#].*/s, ''))
  return addresses.find(({ fits }) => fits.test(path))?.url
}

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function refuseAt(app: FastifyInstance, url: string, allowed: ReadonlySet<string>): void {
  app.route({
    method: METHODS.filter((method) => !allowed.has(method)),
    url,
    schema: { hide: true },
    config: { auth: 'none' },
    onRequest: (request, reply, done) => done(refusal(request, reply, [...allowed].toSorted())),
    handler: () => undefined,
  })
}

function refusal({ method }: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): AppError {
  const allow = allowed.join(', ')
  reply.header('Allow', allow)
  return new AppError('method_not_allowed', `${method} is not possible here. Allowed: ${allow}.`)
}
