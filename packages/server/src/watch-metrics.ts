// The metrics that are read from the tables when somebody asks, so that any process can tell them, also about the worker.
import type { Gauge } from 'prom-client'

import { BANK_CHECKS } from './domain/banking/reconcile/compare-books.ts'
import { PULSE, type QueueName, type Watch } from './domain/watch/read-watch.ts'

export type MakeGauge = <Label extends string>(name: string, help: string, labels?: readonly Label[]) => Gauge<Label>

export function watchGauges(gauge: MakeGauge) {
  return {
    lastRound: gauge(
      'kestrel_worker_last_round_timestamp_seconds',
      'When a worker, whichever, last finished a round of following payouts; 0: never.',
    ),
    jobRounds: gauge('kestrel_job_last_round_timestamp_seconds', 'When a job last came round, in any worker.', ['job']),
    jobFailures: gauge('kestrel_job_last_failure_timestamp_seconds', 'When a job last failed, in any worker.', ['job']),
    ...payoutGauges(gauge),
    queueLag: gauge('kestrel_queue_lag_seconds', 'For how long the oldest of a queue has been due; 0: none is.', [
      'queue',
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
    breaksByCheck: gauge('kestrel_reconciliation_breaks_by_check', 'The same by what differs.', [
      'environment',
      'check',
    ]),
    brokenSince: gauge(
      'kestrel_reconciliation_breaks_since_timestamp_seconds',
      'When the first of the comparisons ended that have all found something; 0: the last found nothing.',
    ),
    ledgerBreaks: gauge(
      'kestrel_ledger_breaks',
      'What is wrong in our own books, without the bank’s, as they were last compared.',
    ),
    unknownReasons: gauge(
      'kestrel_bank_reasons_unknown',
      'Payouts that ended with a reason of the bank’s that this program does not know, by its code, until the alarm is closed.',
      ['environment', 'code'],
    ),
    alarms: gauge('kestrel_alarms_open', 'Alarms that nobody has closed, by what they say.', ['alarm']),
    lastAlarm: gauge('kestrel_alarm_last_timestamp_seconds', 'When such an alarm last rang.', ['alarm']),
  }
}

function payoutGauges(gauge: MakeGauge) {
  return {
    payouts: gauge('kestrel_payouts_unfinished', 'Payouts that are followed.', ['environment', 'status']),
    payoutsByAge: gauge('kestrel_payouts_by_age', 'The same by how old they are.', ['environment', 'status', 'age']),
    inDoubt: gauge('kestrel_payouts_in_doubt', 'Payouts of which nobody knows whether the bank has them.', [
      'environment',
    ]),
    oldestInDoubt: gauge(
      'kestrel_payouts_in_doubt_oldest_timestamp_seconds',
      'When the oldest of these was created; 0: there is none.',
      ['environment'],
    ),
    payoutsToday: gauge('kestrel_payouts_today', 'Payouts of this day (London), by how they stand.', [
      'environment',
      'status',
    ]),
    oldPayouts: gauge('kestrel_payouts_over_15_minutes', 'Of these, the ones older than 15 minutes.', [
      'environment',
      'status',
    ]),
    oldestPayout: gauge('kestrel_payouts_oldest_timestamp_seconds', 'When the oldest of these was created.', [
      'environment',
      'status',
    ]),
  }
}

export type WatchMetrics = ReturnType<typeof watchGauges>

/** As labels name them. */
const QUEUES: Readonly<Record<QueueName, string>> = {
  followUps: 'follow_ups',
  events: 'events',
  webhooks: 'webhooks',
  mail: 'mail',
  bankMessages: 'bank_messages',
  invoices: 'invoices',
  refunds: 'refunds',
}
/** As labels name them, for those that are older than none, one, two … of AGES_MS. */
const AGES = ['under_1m', '1m_to_15m', '15m_to_1h', '1h_to_1d', 'over_1d'] as const
const OF_THE_BANK: ReadonlySet<string> = new Set([...BANK_CHECKS, 'bank_not_compared'])

const seconds = (at: Date | null | undefined) => (at == null ? 0 : at.getTime() / 1_000)
const figure = (count: bigint) => Number.parseInt(count.toString(), 10)

/** Null when the tables could not be read: earlier figures are not repeated. */
export function showWatch(metrics: WatchMetrics, watch: Watch | null): void {
  for (const gauge of Object.values(metrics)) {
    gauge.reset()
    // A figure without labels would now be 0, which is a figure too.
    gauge.remove({})
  }
  if (watch === null) return
  metrics.lastRound.set(seconds(watch.jobs.find(({ job }) => job === PULSE)?.lastRoundAt))
  for (const { job, lastRoundAt, lastFailureAt } of watch.jobs) {
    metrics.jobRounds.set({ job }, seconds(lastRoundAt))
    metrics.jobFailures.set({ job }, seconds(lastFailureAt))
  }
  showPayouts(metrics, watch)
  for (const { what, open, lastSeenAt } of watch.alarms) {
    metrics.alarms.set({ alarm: what }, figure(open))
    metrics.lastAlarm.set({ alarm: what }, seconds(lastSeenAt))
  }
  for (const { environment, code, count } of watch.unknownReasons) {
    metrics.unknownReasons.set({ environment, code }, figure(count))
  }
  metrics.webhookDue.set(seconds(watch.webhookDueAt))
  showQueues(metrics, watch)
  showComparison(metrics, watch.compared)
}

function showPayouts(metrics: WatchMetrics, { payouts, payoutsToday }: Watch): void {
  for (const environment of ['sandbox', 'live'] as const) {
    const pending = payouts.find((each) => each.environment === environment && each.inDoubt > 0n)
    metrics.inDoubt.set({ environment }, figure(pending?.inDoubt ?? 0n))
    metrics.oldestInDoubt.set({ environment }, seconds(pending?.oldestInDoubtAt))
  }
  for (const { environment, status, payouts: count, oldestAt, before } of payouts) {
    metrics.payouts.set({ environment, status }, figure(count))
    metrics.oldPayouts.set({ environment, status }, before[1] ?? 0)
    metrics.oldestPayout.set({ environment, status }, seconds(oldestAt))
    const atLeast = [figure(count), ...before, 0]
    for (const [index, age] of AGES.entries()) {
      metrics.payoutsByAge.set({ environment, status, age }, atLeast[index]! - atLeast[index + 1]!)
    }
  }
  for (const { environment, status, payouts: count } of payoutsToday) {
    metrics.payoutsToday.set({ environment, status }, figure(count))
  }
}

function showQueues(metrics: WatchMetrics, { queues, lags }: Pick<Watch, 'queues' | 'lags'>): void {
  metrics.mails.set(figure(queues.mails))
  metrics.mailsPutOff.set(figure(queues.mailsPutOff))
  metrics.oldestMail.set(seconds(queues.oldestMailAt))
  metrics.bankMessages.set(figure(queues.bankMessages))
  metrics.oldestBankMessage.set(seconds(queues.oldestBankMessageAt))
  metrics.lowWallets.set(figure(queues.lowWallets))
  for (const [queue, name] of Object.entries(QUEUES)) {
    metrics.queueLag.set({ queue: name }, lags[queue as QueueName] / 1_000)
  }
}

function showComparison(metrics: WatchMetrics, compared: Watch['compared']): void {
  metrics.reconciled.set(seconds(compared?.at))
  metrics.brokenSince.set(seconds(compared?.brokenSince))
  const breaks = compared?.breaks ?? []
  const count = (found: typeof breaks) => found.reduce((sum, each) => sum + each.count, 0)
  metrics.breaks.set(count(breaks))
  metrics.ledgerBreaks.set(count(breaks.filter(({ check }) => !OF_THE_BANK.has(check))))
  for (const { environment, check, count: found } of breaks) {
    metrics.breaksByCheck.set({ environment, check }, found)
  }
}
