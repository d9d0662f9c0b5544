// How often something may be done, counted in the database, so for all processes and across restarts.
import { CLOCK_WAS_WRONG_MS } from '../core/clock.ts'
import { type Db, type Tx, statement } from './sql.ts'

/** In SQL: from when on bucket `a` is counted. None is empty for longer than it takes to fill it. */
const COUNTED_FROM = `case when a.full_at > $2::timestamptz + $5 * interval '1 millisecond' then $2
                           else greatest(a.full_at, $2) end`
const TAKE = statement(
  'take_allowance',
  `insert into allowances as a (bucket, full_at) values ($1, $2::timestamptz + $3 * interval '1 millisecond')
   on conflict (bucket) do update set full_at = ${COUNTED_FROM} + $3 * interval '1 millisecond'
    where ${COUNTED_FROM} + $3 * interval '1 millisecond' <= $2 + $4 * interval '1 millisecond'
   returning 1 as taken`,
)

/**
 * False when the bucket is empty. One comes back every `everyMs`, and a full bucket is worth `longestMs`: to this caller, and up to
 * `everMs` to others.
 */
export async function takeAllowance(
  tx: Tx,
  allowance: { bucket: Buffer; at: Date; everyMs: number; longestMs: number; everMs: number },
): Promise<boolean> {
  const { bucket, at, everyMs, longestMs, everMs } = allowance
  return (await tx.query(TAKE, [bucket, at, everyMs, longestMs, everMs + CLOCK_WAS_WRONG_MS])).length === 1
}

const FULL_AT = statement('allowance_full_at', 'select full_at as "fullAt" from allowances where bucket = $1')

export async function allowanceFullAt(db: Db, bucket: Buffer): Promise<Date | null> {
  return (await db.query<{ fullAt: Date }>(FULL_AT, [bucket]))[0]?.fullAt ?? null
}

const FILL = statement('fill_allowances', 'delete from allowances where bucket = any($1)')

export function fillAllowances(tx: Tx, buckets: readonly Buffer[]): void {
  tx.defer(FILL, [buckets])
}

const TIDY = statement('tidy_allowances', 'delete from allowances where full_at < $1')

export function tidyAllowances(tx: Tx, at: Date): void {
  tx.defer(TIDY, [at])
}
