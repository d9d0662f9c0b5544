// The figures that alarms need. All are in the tables, so any process can tell them.
import { after } from '../../core/clock.ts'
import { londonDay } from '../../core/london-day.ts'
import { type CountedCode, type OpenAlarms, countAlarmsByCode, countOpenAlarms } from '../../storage/alarms.ts'
import { type JobRound, listJobRounds } from '../../storage/job-rounds.ts'
import {
  type LastComparison,
  type PayoutsOfDay,
  type Queues,
  type QueuesDue,
  type UnfinishedPayouts,
  countPayoutsOfDay,
  countUnfinishedPayouts,
  readLastComparison,
  readQueues,
  readQueuesDue,
} from '../../storage/watch.ts'
import { oldestDueDelivery } from '../../storage/webhook-lists.ts'
import type { Deps } from '../deps.ts'
import type { AlarmName } from './alarms/alarm-catalogue.ts'

const MINUTE_MS = 60_000
/** Ages that payouts are counted by. One whose answer takes longer than the second is worth a look. */
export const AGES_MS = [MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS, 24 * 60 * MINUTE_MS] as const
/** The job that runs most often, every few seconds at rest: when it stands still, there is no worker. */
export const PULSE = 'follow payouts'

/** The alarm that counts reasons by their code. */
export const UNKNOWN_REASON: AlarmName = 'the bank gives a reason that we do not know'

export interface Watch {
  readonly jobs: readonly JobRound[]
  readonly payouts: readonly UnfinishedPayouts[]
  readonly payoutsToday: readonly PayoutsOfDay[]
  readonly queues: Queues
  /** For how long the oldest of each queue has been due, in milliseconds; 0: nothing is due. */
  readonly lags: Readonly<Record<QueueName, number>>
  /** Null: the books were never compared. */
  readonly compared: LastComparison | null
  readonly alarms: readonly OpenAlarms[]
  /** Payouts that ended with a reason of the bank's that we do not know, by its code, until somebody closes the alarm. */
  readonly unknownReasons: readonly CountedCode[]
  /** When the next webhook to an endpoint that works is due, or was. */
  readonly webhookDueAt: Date | null
}

export type QueueName = keyof QueuesDue | 'webhooks'

export async function readWatch({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Watch> {
  const now = clock.now()
  const [minute, quarter, hour, day] = AGES_MS
  const moments = [after(now, -minute), after(now, -quarter), after(now, -hour), after(now, -day)] as const
  // On one connection: those who look must not take the payouts' connections, however often they look.
  const read = await db.inTransaction((tx) =>
    Promise.all([
      listJobRounds(tx, now),
      countUnfinishedPayouts(tx, moments),
      countPayoutsOfDay(tx, londonDay(now)),
      readQueues(tx),
      readQueuesDue(tx),
      readLastComparison(tx, now),
      countOpenAlarms(tx),
      countAlarmsByCode(tx, UNKNOWN_REASON),
      oldestDueDelivery(tx),
    ]),
  )
  const [jobs, payouts, payoutsToday, queues, due, compared, alarms, unknownReasons, webhookDueAt] = read
  const lags = lagsAt(now, { ...due, webhooks: webhookDueAt })
  return { jobs, payouts, payoutsToday, queues, lags, compared, alarms, unknownReasons, webhookDueAt }
}

function lagsAt(now: Date, due: Readonly<Record<QueueName, Date | null>>): Watch['lags'] {
  const lag = (at: Date | null) => (at === null ? 0 : Math.max(0, now.getTime() - at.getTime()))
  return {
    followUps: lag(due.followUps),
    events: lag(due.events),
    webhooks: lag(due.webhooks),
    mail: lag(due.mail),
    bankMessages: lag(due.bankMessages),
    invoices: lag(due.invoices),
    refunds: lag(due.refunds),
  }
}
