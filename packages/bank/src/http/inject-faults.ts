// Makes requests go wrong as a test asked: before anything has happened, or after it was committed.
import { once } from 'node:events'
import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { TooManyRequests } from '../core/bank-error.ts'
import { sleep } from '../core/clock.ts'
import { formatPence, parsePence, pence } from '../core/money.ts'
import { type Fault, type FaultBoard, type RouteFault, routePattern } from '../faults/fault-board.ts'
import { UNEXPECTED_BODY } from './error-handler.ts'

const DEFAULT_HANG_MS = 60_000
const DEFAULT_SLOW_MS = 1_000
const AML_VIOLATION = 'aml_violation'

declare module 'fastify' {
  interface FastifyRequest {
    fault: Fault<RouteFault> | null
  }
}

export function addFaults(app: FastifyInstance, faults: FaultBoard): void {
  app.decorateRequest('fault', null)
  app.addHook('onRequest', async (request, reply) => {
    request.fault = faults.takeForRequest(`${request.method} ${routePattern(request.routeOptions.url ?? '')}`)
    if (request.fault === null) return
    if (request.seen !== null) request.seen.fault = request.fault.mode
    return beforeTheEffect(request.fault, request, reply)
  })
  app.addHook('onSend', async (request, reply, payload) =>
    request.fault === null ? payload : afterTheEffect(request.fault, request, reply, payload),
  )
}

async function beforeTheEffect(
  fault: Fault<RouteFault>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  switch (fault.mode) {
    case 'hang_before':
      await untilGone(request, fault.ms ?? DEFAULT_HANG_MS)
      return cutOff(request, reply)
    case 'reset_before':
    case 'down':
      return cutOff(request, reply)
    case '500_before':
      return reply.code(500).send(UNEXPECTED_BODY)
    case '429':
      throw new TooManyRequests(fault.retryAfter)
    case 'slow':
      await untilGone(request, fault.ms ?? DEFAULT_SLOW_MS)
      return undefined
    case 'hang_after':
    case 'reset_after':
    case '500_after':
    case 'refused_after':
    case 'malformed_2xx':
    case 'wrong_amount':
    case 'truncated':
      return undefined
  }
}

/** Runs after the handler, so after the commit. What it returns is sent instead of the answer. */
async function afterTheEffect(
  fault: Fault<RouteFault>,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  switch (fault.mode) {
    case 'hang_after':
      await untilGone(request, fault.ms ?? DEFAULT_HANG_MS)
      return withoutAnswer(request, payload)
    case 'reset_after':
      return withoutAnswer(request, payload)
    case '500_after':
      if (request.seen !== null) request.seen.status = 500
      reply.code(500).removeHeader('Idempotent-Replayed')
      return JSON.stringify(UNEXPECTED_BODY)
    case 'refused_after':
      if (request.seen !== null) request.seen.status = refusedStatus(fault)
      reply.code(refusedStatus(fault)).removeHeader('Idempotent-Replayed')
      reply.type('application/json; charset=utf-8')
      return JSON.stringify(refusalNamed(fault))
    case 'malformed_2xx':
      return reply.statusCode < 300 ? '<html><body>OK</body></html>' : payload
    case 'wrong_amount':
      return typeof payload === 'string' ? withOtherAmounts(payload) : payload
    case 'truncated':
      return typeof payload === 'string' ? halfOf(payload, request, reply) : payload
    case '429':
    case '500_before':
    case 'down':
    case 'hang_before':
    case 'reset_before':
    case 'slow':
      return payload
  }
}

/** What the bank says of a transfer that it made: the recipient fails its screening, or a field is wrong. */
function refusalNamed({ code, key }: Fault<RouteFault>): object {
  if (code === AML_VIOLATION) return { code, message: 'Failed AML Screening' }
  const source = { location: 'body', key: key ?? 'destination.external_account_id' }
  return { code: code ?? 'invalid_parameters', message: 'It was not made.', source }
}

/** Screening forbids; any other refusal of an order that could be read finds fault with it. */
function refusedStatus({ code }: Fault<RouteFault>): 400 | 403 {
  return code === AML_VIOLATION ? 403 : 400
}

async function untilGone(request: FastifyRequest, ms: number): Promise<void> {
  const over = new AbortController()
  const gone = once(request.raw.socket, 'close', { signal: over.signal }).catch(() => undefined)
  await Promise.race([sleep(ms, over.signal), gone])
  over.abort()
}

function cutOff(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.raw.socket.resetAndDestroy()
  return reply.hijack()
}

/** The payload goes to a connection that has ended. */
function withoutAnswer(request: FastifyRequest, payload: unknown): unknown {
  if (request.seen !== null) request.seen.status = null
  request.raw.socket.resetAndDestroy()
  return payload
}

/** The same answer with every amount of the transfer raised by one. */
function withOtherAmounts(payload: string): string {
  const answer = JSON.parse(payload) as { amount?: unknown; destination?: { amount?: unknown } }
  if (typeof answer.amount === 'string') answer.amount = oneMore(answer.amount)
  if (typeof answer.destination?.amount === 'string') answer.destination.amount = oneMore(answer.destination.amount)
  return JSON.stringify(answer)
}

function oneMore(text: string): string {
  const amount = parsePence(text)
  return amount === null ? text : formatPence(pence(amount + 100n))
}

/** Promises the whole length, sends half of it and ends the connection. */
function halfOf(payload: string, request: FastifyRequest, reply: FastifyReply): Readable {
  const bytes = Buffer.from(payload)
  reply.header('content-length', bytes.length)
  async function* cut(): AsyncGenerator<Buffer> {
    yield bytes.subarray(0, Math.floor(bytes.length / 2))
    // Long enough for the first half to have left before the connection goes.
    await sleep(20)
    request.raw.socket.destroy()
  }
  return Readable.from(cut())
}
