// Every request that was seen: one line in the log, and the latest in memory, for tests that prove that nobody asked
// twice. Bodies, names and keys of customers never get here.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { BankLog } from '../bank-log.ts'
import { type Clock, monotonicMs } from '../core/clock.ts'

const MOST_KEPT = 1_000

interface SeenRequest {
  readonly at: Date
  readonly method: string
  readonly route: string
  readonly idempotencyKey: string | null
  /** Null while there is no answer, and for ever if the connection ended first. */
  status: number | null
  fault: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    seen: SeenRequest | null
  }
}

export class RequestJournal {
  readonly #seen: SeenRequest[] = []

  add(request: SeenRequest): void {
    this.#seen.push(request)
    if (this.#seen.length > MOST_KEPT) this.#seen.shift()
  }

  /** Newest first. */
  last(limit: number, route: string | null): object[] {
    return this.#seen
      .filter((seen) => route === null || `${seen.method} ${seen.route}` === route)
      .slice(-limit)
      .toReversed()
      .map((seen) => ({
        at: seen.at,
        method: seen.method,
        route: seen.route,
        status: seen.status,
        idempotency_key: seen.idempotencyKey,
        fault: seen.fault,
      }))
  }

  clear(): void {
    this.#seen.length = 0
  }
}

/** `/v0/customers/{customerId}`, as the real bank's OpenAPI document writes it. */
export function routeOf(request: FastifyRequest): string {
  return (request.routeOptions.url ?? 'unknown').replace(/:([^/]+)/g, '{$1}')
}

export function addRequestJournal(
  app: FastifyInstance,
  options: { journal: RequestJournal; log: BankLog; clock: Clock },
): void {
  app.decorateRequest('seen', null)
  app.addHook('onRequest', async (request, reply) => {
    const seen: SeenRequest = {
      at: options.clock.now(),
      method: request.method,
      route: routeOf(request),
      idempotencyKey: keyOf(request),
      status: null,
      fault: null,
    }
    request.seen = seen
    if (seen.route.startsWith('/v0')) options.journal.add(seen)
    logWhenOver(request, reply, options.log)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.seen !== null) request.seen.status = reply.statusCode
    return payload
  })
}

/** `close` comes for every request, whether answered or cut off. */
function logWhenOver(request: FastifyRequest, reply: FastifyReply, log: BankLog): void {
  const startedMs = monotonicMs()
  reply.raw.once('close', () => {
    const { id, method } = request
    const status = reply.raw.writableFinished ? reply.raw.statusCode : null
    if (status === null && request.seen !== null) request.seen.status = null
    log.request({
      requestId: id,
      method,
      route: routeOf(request),
      status,
      ms: Math.round((monotonicMs() - startedMs) * 10) / 10,
    })
  })
}

function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  return typeof key === 'string' ? key : null
}
