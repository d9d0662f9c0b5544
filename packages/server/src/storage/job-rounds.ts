// When each of the worker's jobs last ran, in whichever process.
import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface JobRound {
  readonly job: string
  readonly lastRoundAt: Date | null
  readonly lastFailureAt: Date | null
}

const ROUNDS = itemColumns<keyof JobRound>(1, {
  job: ['job', 'text'],
  lastRoundAt: ['last_round_at', 'timestamptz'],
  lastFailureAt: ['last_failure_at', 'timestamptz'],
})

const NOTE = statement(
  'note_job_rounds',
  `insert into job_rounds as j (${ROUNDS.names}) select ${ROUNDS.selected} from ${ROUNDS.from}
   on conflict (job) do update
     set last_round_at = greatest(j.last_round_at, excluded.last_round_at),
         last_failure_at = greatest(j.last_failure_at, excluded.last_failure_at)`,
)

/** Written in the order of their names, so that two workers writing at once cannot deadlock. */
export function noteJobRounds(tx: Tx, rounds: readonly JobRound[]): void {
  const sorted = rounds.toSorted((a, b) => (a.job < b.job ? -1 : 1))
  tx.defer(NOTE, ROUNDS.values(sorted))
}

const LIST = statement(
  'list_job_rounds',
  `select job, last_round_at as "lastRoundAt", last_failure_at as "lastFailureAt" from job_rounds order by job`,
)

export function listJobRounds(db: Db): Promise<JobRound[]> {
  return db.query<JobRound>(LIST)
}
