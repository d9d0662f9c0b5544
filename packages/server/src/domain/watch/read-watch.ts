// The figures that alarms need. All are in the tables, so any process can tell them.
import { after } from '../../core/clock.ts'
import { type CountedCode, type OpenAlarms, countAlarmsByCode, countOpenAlarms } from '../../storage/alarms.ts'
import { type JobRound, listJobRounds } from '../../storage/job-rounds.ts'
import { type Queues, type UnfinishedPayouts, countUnfinishedPayouts, readQueues } from '../../storage/watch.ts'
import { oldestDueDelivery } from '../../storage/webhook-lists.ts'
import type { Deps } from '../deps.ts'
import type { AlarmName } from './alarms/alarm-catalogue.ts'

/** A payout whose answer takes longer than this is worth a look. */
export const LONG_PENDING_MS = 15 * 60_000
/** The job that runs most often, every few seconds at rest: when it stands still, there is no worker. */
export const PULSE = 'follow payouts'

/** The alarm that counts reasons by their code. */
export const UNKNOWN_REASON: AlarmName = 'the bank gives a reason that we do not know'

export interface Watch {
  readonly jobs: readonly JobRound[]
  readonly payouts: readonly UnfinishedPayouts[]
  readonly queues: Queues
  readonly alarms: readonly OpenAlarms[]
  /** Payouts that ended with a reason of the bank's that we do not know, by its code, until somebody closes the alarm. */
  readonly unknownReasons: readonly CountedCode[]
  /** When the next webhook to an endpoint that works is due, or was. */
  readonly webhookDueAt: Date | null
}

export async function readWatch({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Watch> {
  const [jobs, payouts, queues, alarms, unknownReasons, webhookDueAt] = await Promise.all([
    listJobRounds(db),
    countUnfinishedPayouts(db, after(clock.now(), -LONG_PENDING_MS)),
    readQueues(db),
    countOpenAlarms(db),
    countAlarmsByCode(db, UNKNOWN_REASON),
    oldestDueDelivery(db),
  ])
  return { jobs, payouts, queues, alarms, unknownReasons, webhookDueAt }
}
