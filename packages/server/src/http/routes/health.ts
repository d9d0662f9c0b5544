// For the operator: is the service up, is it fit to work, and how is it doing.
import type { FastifyInstance } from 'fastify'

import { AppError, notFound } from '../../core/errors.ts'
import { isSameText } from '../../core/same-text.ts'
import { isFromThisMachine, isLoopback } from '../access/this-machine.ts'

export interface HealthChecks {
  /** What is wrong, by name; nothing when the service can do its work. */
  problems(): Promise<Readonly<Record<string, string>>>
  /** The figures, in the text format of Prometheus. */
  metrics(): Promise<{ contentType: string; text: string }>
  /** When set, /metrics requires it as a bearer token; when not, it answers only this machine. */
  readonly metricsToken: string | null
}

/**
 * A container's port forwarding may show strangers as this machine: an address that strangers can reach needs a token.
 */
function listensHere(app: FastifyInstance): boolean {
  const bound = app.server.address()
  return bound === null || typeof bound === 'string' || isLoopback(bound.address)
}

export function addHealthRoutes(app: FastifyInstance, checks: HealthChecks): void {
  const open = { config: { auth: 'none' }, schema: { hide: true } as object } as const
  // A supervisor that restarts a silent service must never be told to wait.
  app.get('/healthz', { ...open, config: { auth: 'none', cost: 0 }, handler: () => ({ status: 'ok' }) })
  app.get('/readyz', {
    ...open,
    handler: async (_request, reply) => {
      const problems = await checks.problems()
      const isReady = Object.keys(problems).length === 0
      return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not_ready', problems })
    },
  })
  app.get('/metrics', {
    ...open,
    handler: async (request, reply) => {
      if (checks.metricsToken === null && !(isFromThisMachine(request) && listensHere(app))) throw notFound()
      if (
        checks.metricsToken !== null &&
        !isSameText(request.headers.authorization ?? '', `Bearer ${checks.metricsToken}`)
      ) {
        throw new AppError('unauthorized', 'Send the metrics token in the header Authorization: Bearer ….')
      }
      const { contentType, text } = await checks.metrics()
      return reply.type(contentType).send(text)
    },
  })
}
