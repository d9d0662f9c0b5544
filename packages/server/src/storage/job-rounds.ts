// When each of the worker's jobs last ran, in whichever process.
import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'
import { isFromWrongClock } from './wrong-clocks.ts'

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

const later = (column: string): string =>
  `case when ${isFromWrongClock(`j.${column}`, `excluded.${column}`)} then excluded.${column}
                              else greatest(j.${column}, excluded.${column}) end`

const NOTE = statement(
  'note_job_rounds',
  `insert into job_rounds as j (${ROUNDS.names}) select ${ROUNDS.selected} from ${ROUNDS.from}
   on conflict (job) do update
     set last_round_at = ${later('last_round_at')}, last_failure_at = ${later('last_failure_at')}`,
)

/** Written in the order of their names, so that two workers writing at once cannot deadlock. */
export function noteJobRounds(tx: Tx, rounds: readonly JobRound[]): void {
  const sorted = rounds.toSorted((a, b) => (a.job < b.job ? -1 : 1))
  tx.defer(NOTE, ROUNDS.values(sorted))
}

const known = (column: string): string => `case when not ${isFromWrongClock(column, '$1')} then ${column} end`

const LIST = statement(
  'list_job_rounds',
  `select job, ${known('last_round_at')} as "lastRoundAt", ${known('last_failure_at')} as "lastFailureAt"
     from job_rounds order by job`,
)

export function listJobRounds(db: Db, now: Date): Promise<JobRound[]> {
  return db.query<JobRound>(LIST, [now])
}
