// What is told of requests, ours to the bank and others' to us: figures, and parts of traces where those are exported.
import type { Environment } from '@kestrel/contract'
import type { FastifyInstance } from 'fastify'

import type { BankOptions } from './connect-banks.ts'
import { systemClock } from './core/clock.ts'
import type { TraceExporter } from './export-traces.ts'
import { onceAnswered } from './http/access/once-answered.ts'
import { routeOf } from './http/access/route-of.ts'
import { type Metrics, noteBankCall } from './metrics.ts'
import type { BankCall } from './rail/bank-call.ts'

export function watchBankCalls(
  metrics: Metrics,
  traces: TraceExporter | null,
): Required<Pick<BankOptions, 'areCallsTraced' | 'onBankCall'>> {
  return {
    areCallsTraced: traces !== null,
    onBankCall: (environment, call) => {
      noteBankCall(metrics, environment, call)
      if (traces !== null && call.trace !== null) noteCall(traces, environment, { ...call, trace: call.trace })
    },
  }
}

type TracedCall = BankCall & { readonly trace: NonNullable<BankCall['trace']> }

function noteCall(traces: TraceExporter, environment: Environment, call: TracedCall): void {
  const { trace, operation, outcome, startedAt, seconds } = call
  const isFailed = outcome !== 'ok' && outcome !== 'refused'
  const attributes = { 'kestrel.environment': environment, 'kestrel.outcome': outcome }
  traces.note({ trace, kind: 'client', name: `bank ${operation}`, startedAt, seconds, isFailed, attributes })
}

export function traceRequests(app: FastifyInstance, traces: TraceExporter): void {
  onceAnswered(app, (request, reply) => {
    const { trace, caller } = request
    const { config, url: route = 'unknown' } = routeOf(request)
    if (trace === null || config.isEndless === true) return
    traces.note({
      trace,
      kind: 'server',
      name: `${request.method} ${route}`,
      startedAt: new Date(systemClock.now().getTime() - reply.elapsedTime),
      seconds: reply.elapsedTime / 1_000,
      isFailed: reply.statusCode >= 500,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': reply.statusCode,
        'kestrel.request_id': request.id,
        ...(caller === null ? {} : { 'kestrel.partner_id': caller.id, 'kestrel.environment': caller.environment }),
      },
    })
  })
}
