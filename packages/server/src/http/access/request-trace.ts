// The trace of each request: the caller's, or one of our own where traces are exported.
import type { FastifyInstance } from 'fastify'

import { type Trace, beginTrace, traceFrom, within } from '../../core/trace.ts'

declare module 'fastify' {
  interface FastifyRequest {
    trace: Trace | null
  }
}

export function addTraces(app: FastifyInstance, { areExported }: { areExported: boolean }): void {
  app.decorateRequest('trace', null)
  app.addHook('onRequest', (request, _reply, done) => {
    request.trace = traceFrom(request.headers['traceparent']) ?? (areExported ? beginTrace() : null)
    done()
  })
  // Not sooner: what reads the body calls back from the connection, which belongs to no request.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.trace === null) done()
    else within(request.trace, done)
  })
}
