// A small server for monitoring a process: the same health, readiness and metrics, and nothing else. It is the worker's
// only one.
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'

import { addErrorHandling } from './errors/error-handler.ts'
import { type HealthChecks, addHealthRoutes } from './routes/health.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

export function buildAdminServer(checks: HealthChecks, log: FastifyBaseLogger): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1_024,
    requestTimeout: 5_000,
    // Node takes the longer of the two for the whole request.
    http: { headersTimeout: 5_000 },
    connectionTimeout: 15_000,
    exposeHeadRoutes: true,
  })
  addErrorHandling(app, log, '')
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(SECURITY_HEADERS)
  })
  addHealthRoutes(app, checks)
  return app
}
