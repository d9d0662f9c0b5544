// 405 for addresses that exist with other methods, before the body is read.
import type { FastifyInstance, HTTPMethods } from 'fastify'

import { AppError } from '../../core/errors.ts'

const METHODS: readonly HTTPMethods[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']

/** Call it before the routes are declared; the returned function after. */
export function collectMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>()
  let isCollecting = true
  app.addHook('onRoute', (route) => {
    if (!isCollecting) return
    const methods = known.get(route.url) ?? new Set<string>()
    for (const method of [route.method].flat()) methods.add(method)
    known.set(route.url, methods)
  })
  return () => {
    isCollecting = false
    for (const [url, allowed] of known) refuseOthers(app, url, allowed)
  }
}

function refuseOthers(app: FastifyInstance, url: string, allowed: ReadonlySet<string>): void {
  const allow = [...allowed].toSorted().join(', ')
  app.route({
    method: METHODS.filter((method) => !allowed.has(method)),
    url,
    schema: { hide: true },
    config: { auth: 'none' },
    onRequest: async (request, reply) => {
      reply.header('Allow', allow)
      throw new AppError('method_not_allowed', `${request.method} is not possible here. Allowed: ${allow}.`)
    },
    handler: () => undefined,
  })
}
