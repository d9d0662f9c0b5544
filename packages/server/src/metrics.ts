// What can be watched from outside.
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'kestrel_' })
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
    help: 'Looks at payouts that were not at rest.',
    registers: [registry],
  })
  const lastRound = new Gauge({
    name: 'kestrel_worker_last_round_timestamp_seconds',
    help: 'When the worker last finished a round.',
    registers: [registry],
  })
  return { registry, requests, batches, followed, lastRound }
}

export type Metrics = ReturnType<typeof createMetrics>
