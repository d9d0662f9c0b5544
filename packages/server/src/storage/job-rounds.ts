// When each of the worker's jobs last ran, in whichever process.
import { type Db, type Tx, statement } from './sql.ts'

export interface JobRound {
  readonly job: string
  readonly lastRoundAt: Date | null
  readonly lastFailureAt: Date | null
}

const NOTE = statement(
  'note_job_rounds',
  `insert into job_rounds as j (job, last_round_at, last_failure_at)
   select * from unnest($1::text[], $2::timestamptz[], $3::timestamptz[])
   on conflict (job) do update
     set last_round_at = greatest(j.last_round_at, excluded.last_round_at),
         last_failure_at = greatest(j.last_failure_at, excluded.last_failure_at)`,
)

/** Written in the order of their names, so that two workers writing at once cannot deadlock. */
export function noteJobRounds(tx: Tx, rounds: readonly JobRound[]): void {
  const sorted = rounds.toSorted((a, b) => (a.job < b.job ? -1 : 1))
  tx.defer(NOTE, [
    sorted.map(({ job }) => job),
    sorted.map(({ lastRoundAt }) => lastRoundAt),
    sorted.map(({ lastFailureAt }) => lastFailureAt),
  ])
}

const LIST = statement(
  'list_job_rounds',
  `select job, last_round_at as "lastRoundAt", last_failure_at as "lastFailureAt" from job_rounds order by job`,
)

export function listJobRounds(db: Db): Promise<JobRound[]> {
  return db.query<JobRound>(LIST)
}
