// The metrics. Each process counts what it alone knows. What alarms need is read from the tables when somebody asks, so
// that any process can tell it, also about the worker.
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

import { PULSE, type Watch } from './domain/watch/read-watch.ts'
import { SERVICE_VERSION } from './core/service-version.ts'
import { onceAnswered } from './http/access/once-answered.ts'
import type { PoolUse } from './storage/sql.ts'

export function createMetrics() {
  const registry = new Registry()
  // How late the event loop is, is looked at ten times per second: a hundred times is work for an idle process.
  collectDefaultMetrics({ register: registry, prefix: 'kestrel_', eventLoopMonitoringPrecision: 100 })
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
  return { registry, requests, batches, followed, forwarded, ...watchGauges(gauge), ...processGauges(gauge) }
}

type MakeGauge = <Label extends string>(name: string, help: string, labels?: readonly Label[]) => Gauge<Label>

function processGauges(gauge: MakeGauge) {
  return {
    isDatabaseUp: gauge('kestrel_database_up', 'Whether the figures from the tables could be read just now.'),
    pool: gauge('kestrel_database_connections', 'Connections of this process, by pool and state.', ['pool', 'state']),
    modulusTableAge: gauge('kestrel_modulus_table_age_seconds', 'Since the modulus table of live payouts came out.'),
  }
}

function watchGauges(gauge: MakeGauge) {
  return {
    lastRound: gauge(
      'kestrel_worker_last_round_timestamp_seconds',
      'When a worker, whichever, last finished a round of following payouts; 0: never.',
    ),
    jobRounds: gauge('kestrel_job_last_round_timestamp_seconds', 'When a job last came round, in any worker.', ['job']),
    jobFailures: gauge('kestrel_job_last_failure_timestamp_seconds', 'When a job last failed, in any worker.', ['job']),
    payouts: gauge('kestrel_payouts_unfinished', 'Payouts that are followed.', ['environment', 'status']),
    oldPayouts: gauge('kestrel_payouts_over_15_minutes', 'Of these, the ones older than 15 minutes.', [
      'environment',
      'status',
    ]),
    oldestPayout: gauge('kestrel_payouts_oldest_timestamp_seconds', 'When the oldest of these was created.', [
      'environment',
      'status',
    ]),
    mails: gauge('kestrel_mail_queue', 'Mails that are to be sent.'),
    mailsPutOff: gauge('kestrel_mail_put_off', 'Mails beside these whose recipients the mail server takes later.'),
    oldestMail: gauge('kestrel_mail_queue_oldest_timestamp_seconds', 'When the oldest of them was written; 0: none.'),
    bankMessages: gauge('kestrel_bank_messages_waiting', 'Messages of the bank that nobody has handled.'),
    oldestBankMessage: gauge(
      'kestrel_bank_messages_oldest_timestamp_seconds',
      'When the oldest of them came; 0: none waits.',
    ),
    webhookDue: gauge(
      'kestrel_webhooks_due_timestamp_seconds',
      'When the next webhook to an endpoint that works is due, or was; 0: none waits.',
    ),
    lowWallets: gauge('kestrel_wallets_low', 'Live wallets below what their business has set.'),
    reconciled: gauge('kestrel_reconciliation_timestamp_seconds', 'When the books were last compared; 0: never.'),
    breaks: gauge('kestrel_reconciliation_breaks', 'What that comparison found.'),
    unknownReasons: gauge(
      'kestrel_bank_reasons_unknown',
      'Payouts that ended with a reason of the bank’s that this program does not know, by its code, until the alarm is closed.',
      ['environment', 'code'],
    ),
    alarms: gauge('kestrel_alarms_open', 'Alarms that nobody has closed, by what they say.', ['alarm']),
    lastAlarm: gauge('kestrel_alarm_last_timestamp_seconds', 'When such an alarm last rang.', ['alarm']),
  }
}

export type Metrics = ReturnType<typeof createMetrics>

const seconds = (at: Date | null | undefined) => (at == null ? 0 : at.getTime() / 1_000)
const figure = (count: bigint) => Number.parseInt(count.toString(), 10)

/** Null when the tables could not be read: earlier figures are not repeated. */
export function showWatch(metrics: Metrics, watch: Watch | null): void {
  metrics.isDatabaseUp.set(watch === null ? 0 : 1)
  const { oldPayouts, oldestPayout, alarms, lastAlarm, unknownReasons } = metrics
  for (const each of [metrics.payouts, oldPayouts, oldestPayout, alarms, lastAlarm, unknownReasons]) each.reset()
  if (watch === null) return
  metrics.lastRound.set(seconds(watch.jobs.find(({ job }) => job === PULSE)?.lastRoundAt))
  for (const { job, lastRoundAt, lastFailureAt } of watch.jobs) {
    metrics.jobRounds.set({ job }, seconds(lastRoundAt))
    metrics.jobFailures.set({ job }, seconds(lastFailureAt))
  }
  for (const { environment, status, payouts, old, oldestAt } of watch.payouts) {
    metrics.payouts.set({ environment, status }, figure(payouts))
    metrics.oldPayouts.set({ environment, status }, figure(old))
    metrics.oldestPayout.set({ environment, status }, seconds(oldestAt))
  }
  for (const { what, open, lastSeenAt } of watch.alarms) {
    metrics.alarms.set({ alarm: what }, figure(open))
    metrics.lastAlarm.set({ alarm: what }, seconds(lastSeenAt))
  }
  for (const { environment, code, count } of watch.unknownReasons) {
    metrics.unknownReasons.set({ environment, code }, figure(count))
  }
  metrics.webhookDue.set(seconds(watch.webhookDueAt))
  showQueues(metrics, watch.queues)
}

function showQueues(metrics: Metrics, queues: Watch['queues']): void {
  metrics.mails.set(figure(queues.mails))
  metrics.mailsPutOff.set(figure(queues.mailsPutOff))
  metrics.oldestMail.set(seconds(queues.oldestMailAt))
  metrics.bankMessages.set(figure(queues.bankMessages))
  metrics.oldestBankMessage.set(seconds(queues.oldestBankMessageAt))
  metrics.lowWallets.set(figure(queues.lowWallets))
  metrics.reconciled.set(seconds(queues.reconciledAt))
  metrics.breaks.set(queues.breaks ?? 0)
}

export function showPools(metrics: Metrics, pools: Readonly<Record<string, PoolUse>>): void {
  for (const [pool, { total, idle, waiting }] of Object.entries(pools)) {
    metrics.pool.set({ pool, state: 'busy' }, total - idle)
    metrics.pool.set({ pool, state: 'idle' }, idle)
    metrics.pool.set({ pool, state: 'awaited' }, waiting)
  }
}

export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  onceAnswered(app, (request, reply) => {
    // How long a listener stayed says nothing about our speed.
    if (request.routeOptions.config.isEndless === true) return
    const labels = { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode }
    metrics.requests.observe(labels, reply.elapsedTime / 1_000)
  })
}
