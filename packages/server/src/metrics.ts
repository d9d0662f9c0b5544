// The metrics that each process counts by itself, because it alone knows them. What alarms need is in the tables
// (watch-metrics.ts).
import type { Environment } from '@kestrel/contract'
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

import { SERVICE_VERSION } from './core/service-version.ts'
import { onceAnswered } from './http/access/once-answered.ts'
import { routeOf } from './http/access/route-of.ts'
import type { BankCall } from './rail/bank-call.ts'
import type { PoolUse } from './storage/sql.ts'
import { type MakeGauge, watchGauges } from './watch-metrics.ts'

export function createMetrics() {
  const registry = new Registry()
  // Under Node's usual names, which ready-made dashboards look for. How late the event loop is, is looked at ten times per
  // second: a hundred times is work for an idle process.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 })
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] })
  const requests = new Histogram({
    name: 'kestrel_http_request_seconds',
    help: 'Time to answer, by route, method and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const batches = new Histogram({
    name: 'kestrel_payout_batch_size',
    help: 'Payouts that shared a transaction, by step.',
    labelNames: ['step'] as const,
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
    registers: [registry],
  })
  const followed = new Counter({
    name: 'kestrel_payouts_followed_total',
    help: 'Looks at payouts that were not at rest, by this process.',
    registers: [registry],
  })
  const forwarded = new Counter({
    name: 'kestrel_http_requests_forwarded_unnamed_total',
    help: 'Requests that something forwarded which TRUST_PROXY does not name, to this process.',
    registers: [registry],
  })
  gauge('kestrel_build_info', 'Always 1; which version runs, on which Node.', ['version', 'node']).set(
    { version: SERVICE_VERSION, node: process.version },
    1,
  )
  const counted = { requests, batches, followed, forwarded, ...bankCounters(registry) }
  return { registry, ...counted, watched: watchGauges(gauge), ...processGauges(gauge) }
}

function bankCounters(registry: Registry) {
  return {
    bankRequests: new Counter({
      name: 'kestrel_bank_requests_total',
      help: 'Requests to the bank, by operation and how they ended, of this process.',
      labelNames: ['environment', 'operation', 'outcome'] as const,
      registers: [registry],
    }),
    bankSeconds: new Histogram({
      name: 'kestrel_bank_request_seconds',
      help: 'Time until the bank answered, or was given up, by operation.',
      labelNames: ['environment', 'operation'] as const,
      buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    }),
  }
}

function processGauges(gauge: MakeGauge) {
  return {
    isDatabaseUp: gauge('kestrel_database_up', 'Whether the figures from the tables could be read just now.'),
    pool: gauge('kestrel_database_connections', 'Connections of this process, by pool and state.', ['pool', 'state']),
    poolLimit: gauge('kestrel_database_connections_limit', 'The most that a pool of this process may have.', ['pool']),
    modulusTableAge: gauge('kestrel_modulus_table_age_seconds', 'Since the modulus table of live payouts came out.'),
  }
}

export type Metrics = ReturnType<typeof createMetrics>

export function showPools(metrics: Metrics, pools: Readonly<Record<string, PoolUse>>): void {
  for (const [pool, { total, idle, waiting, most }] of Object.entries(pools)) {
    metrics.poolLimit.set({ pool }, most)
    metrics.pool.set({ pool, state: 'busy' }, total - idle)
    metrics.pool.set({ pool, state: 'idle' }, idle)
    metrics.pool.set({ pool, state: 'awaited' }, waiting)
  }
}

export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  onceAnswered(app, (request, reply) => {
    // How long a listener stayed says nothing about our speed.
    const { config, url = 'unknown' } = routeOf(request)
    if (config.isEndless === true) return
    const labels = { method: request.method, route: url, status: reply.statusCode }
    metrics.requests.observe(labels, reply.elapsedTime / 1_000)
  })
}

export function noteBankCall(metrics: Metrics, environment: Environment, call: BankCall): void {
  const { operation, outcome, seconds } = call
  metrics.bankRequests.inc({ environment, operation, outcome })
  metrics.bankSeconds.observe({ environment, operation }, seconds)
}
