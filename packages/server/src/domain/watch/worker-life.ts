// The worker's pulse, in a table: any process can tell whether a worker is alive.
import type { Clock } from '../../core/clock.ts'
import { type JobRound, noteJobRounds } from '../../storage/job-rounds.ts'
import type { Database } from '../../storage/sql.ts'

export interface WorkerLife {
  /** Notes that a job finished a round, or failed. Returns at once. */
  note(job: string, outcome: 'finished' | 'failed'): void
  /** When this process last finished a round of any job; null before the first. */
  lastRoundAt(): Date | null
  settled(): Promise<void>
}

/** Often enough for an alarm after a minute, and rare enough to cost nothing. */
const WRITE_EVERY_MS = 5_000

export function createWorkerLife(
  { db, clock }: { db: Database; clock: Clock },
  onError: (error: unknown) => void,
): WorkerLife {
  const rounds = new Map<string, JobRound>()
  const changed = new Set<string>()
  let lastRoundAt: Date | null = null
  let writtenAt = 0
  let running: Promise<void> | null = null

  async function write(): Promise<void> {
    const news = [...changed].map((job) => rounds.get(job)!)
    changed.clear()
    try {
      await db.inTransaction(async (tx) => noteJobRounds(tx, news))
    } catch (error) {
      for (const { job } of news) changed.add(job)
      onError(error)
    }
  }

  return {
    note(job, outcome) {
      const now = clock.now()
      const known = rounds.get(job) ?? { job, lastRoundAt: null, lastFailureAt: null }
      rounds.set(job, outcome === 'failed' ? { ...known, lastFailureAt: now } : { ...known, lastRoundAt: now })
      changed.add(job)
      if (outcome === 'finished') lastRoundAt = now
      if (running !== null || Math.abs(now.getTime() - writtenAt) < WRITE_EVERY_MS) return
      writtenAt = now.getTime()
      running = write().finally(() => (running = null))
    },
    lastRoundAt: () => lastRoundAt,
    settled: () => running ?? Promise.resolve(),
  }
}
