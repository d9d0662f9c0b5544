// One line in the log per answer, and one trace in the partner's activity per authenticated answer.
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Clock } from '../core/clock.ts'
import { isUuid } from '../core/ids.ts'
import type { ActivityRecorder } from '../domain/activity/activity-recorder.ts'
import { KeptReads } from '../domain/activity/kept-reads.ts'
import type { NewRequestBodies } from '../domain/activity/request-bodies.ts'
import type { Caller } from './access/caller.ts'
import { onceAnswered } from './access/once-answered.ts'
import { routeOf } from './access/route-of.ts'
import { type Sent, keptBodies, sentOf } from './masking/kept-bodies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer to an authenticated request, once there is one. */
    sent: Sent | null
  }
}

export function addRequestRecords(
  app: FastifyInstance,
  deps: { clock: Clock; activity: ActivityRecorder },
  log: FastifyBaseLogger,
): void {
  app.decorateRequest('sent', null)
  const reads = new KeptReads()
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.caller !== null) request.sent = sentOf(payload)
    done(null, payload)
  })
  onceAnswered(app, (request, reply) => {
    const { caller } = request
    const route = routeOf(request)
    // An allow-list: neither headers nor bodies nor raw addresses ever get here.
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route: route.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        // What is undefined is not written.
        partnerId: caller?.id,
        keyId: caller?.keyId ?? undefined,
        sessionId: caller?.session?.id,
        code: request.failureCode ?? undefined,
        traceId: request.trace?.traceId,
      },
      'request',
    )
    if (caller === null) return
    deps.activity.record({
      partnerId: caller.id,
      keyId: caller.keyId,
      at: deps.clock.now(),
      environment: caller.environment,
      action: route.config.action ?? 'unknown',
      status: reply.statusCode,
      by: caller.by,
      detail: request.failureCode ?? request.activityDetail,
      id: request.id,
      byName: caller.session?.name ?? null,
      // What was refused has changed nothing.
      audited: request.failureCode === null ? request.audited : null,
      // Of members there is nothing to say: the checklist is about the business's program.
      milestone: caller.keyId === null ? null : request.milestone,
      bodies: () => bodiesOf(request, reply, { caller, reads, log }),
      request: {
        method: request.method,
        path: pathOf(request),
        durationMs: Math.round(reply.elapsedTime),
        ip: request.ip,
      },
    })
  })
}

interface Exchange {
  readonly caller: Caller
  readonly reads: KeptReads
  readonly log: FastifyBaseLogger
}

/**
 * Null for what a member only looked at, which is what the dashboard itself asks for, and for a program that polls. Never throws:
 * the trace matters more.
 */
function bodiesOf(request: FastifyRequest, reply: FastifyReply, exchange: Exchange): NewRequestBodies | null {
  const { caller, reads, log } = exchange
  const isRead = (request.method === 'GET' || request.method === 'HEAD') && reply.statusCode < 400
  if (isRead && (caller.session !== null || !reads.take(`${caller.id}/${caller.environment}`))) return null
  try {
    return keptBodies(request, reply, request.sent)
  } catch (error) {
    log.error({ requestId: request.id, err: error }, 'a request could not be kept')
    return null
  }
}

/**
 * The route's address with the ids in it. Anything else that a caller puts there is left out, because it could be
 * anything.
 */
function pathOf(request: FastifyRequest): string {
  const { url = 'unknown' } = routeOf(request)
  if (!url.includes(':')) return url
  const params = request.params as Record<string, string> | null
  return url.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params?.[name]?.toLowerCase() ?? ''
    return isUuid(value) ? value : `{${name}}`
  })
}
