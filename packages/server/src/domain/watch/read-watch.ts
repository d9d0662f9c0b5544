// The figures that alarms need. All are in the tables, so any process can tell them.
import { after } from '../../core/clock.ts'
import { type OpenAlarms, countOpenAlarms } from '../../storage/alarms.ts'
import { type JobRound, listJobRounds } from '../../storage/job-rounds.ts'
import { type Queues, type UnfinishedPayouts, countUnfinishedPayouts, readQueues } from '../../storage/watch.ts'
import { oldestDueDelivery } from '../../storage/webhook-lists.ts'
import type { Deps } from '../deps.ts'

/** A payout whose answer takes longer than this is worth a look. */
export const LONG_PENDING_MS = 15 * 60_000
/** The job that runs most often, every few seconds at rest: when it stands still, there is no worker. */
export const PULSE = 'follow payouts'

export interface Watch {
  readonly jobs: readonly JobRound[]
  readonly payouts: readonly UnfinishedPayouts[]
  readonly queues: Queues
  readonly alarms: readonly OpenAlarms[]
  /** When the next webhook to an endpoint that works is due, or was. */
  readonly webhookDueAt: Date | null
}

export async function readWatch({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Watch> {
  const [jobs, payouts, queues, alarms, webhookDueAt] = await Promise.all([
    listJobRounds(db),
    countUnfinishedPayouts(db, after(clock.now(), -LONG_PENDING_MS)),
    readQueues(db),
    countOpenAlarms(db),
    oldestDueDelivery(db),
  ])
  return { jobs, payouts, queues, alarms, webhookDueAt }
}
