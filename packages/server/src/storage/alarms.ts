// Alarms that a person has to look at: one row per alarm, however often it rings.
import { type Db, type Tx, statement } from './sql.ts'

export interface AlarmRow {
  readonly id: string
  readonly what: string
  /** Ids, codes and numbers only: never a recipient's details. */
  readonly about: Readonly<Record<string, string | number | boolean>>
  readonly firstSeenAt: Date
  readonly lastSeenAt: Date
  readonly count: bigint
  readonly closedAt: Date | null
}

/**
 * The most open rows per kind; further alarms of that kind count on one row, so that a bad day cannot fill the table.
 * Alarms about payouts always have their own row: there are no more of them than payouts, and each has to be looked at.
 */
const MOST_OF_A_KIND = 200

const RING = statement(
  'ring_alarm',
  `with wanted as (
     select case when $3::jsonb ? 'payoutId' then $3::jsonb
                 when exists (select 1 from alarms where what = $2 and about = $3::jsonb and closed_at is null)
                   or (select count(*) from alarms where what = $2 and closed_at is null) < ${MOST_OF_A_KIND}
                 then $3::jsonb else '{"others": true}'::jsonb end as about
   )
   insert into alarms as a (id, what, about, first_seen_at, last_seen_at, count)
   select $1, $2, about, $4, $5, $6 from wanted
   on conflict (what, about) where closed_at is null
     do update set count = a.count + excluded.count, last_seen_at = greatest(a.last_seen_at, excluded.last_seen_at)`,
)

const LOCK = statement('lock_alarms', `select pg_advisory_xact_lock(hashtext('alarms'))`)

/**
 * Nobody knows before which rows several alarms will count on, so no order keeps two transactions from waiting for each other:
 * those that ring more than one do it one after the other.
 */
export function ringAlarms(tx: Tx, alarms: readonly Omit<AlarmRow, 'closedAt'>[]): void {
  if (alarms.length > 1) tx.defer(LOCK)
  for (const { id, what, about, firstSeenAt, lastSeenAt, count } of alarms) {
    tx.defer(RING, [id, what, JSON.stringify(about), firstSeenAt, lastSeenAt, count])
  }
}

const KEEP = statement(
  'keep_alarm',
  `insert into alarms as a (id, what, about, first_seen_at, last_seen_at, count) values ($1, $2, $3::jsonb, $4, $4, 1)
   on conflict (what, about) where closed_at is null
     do update set count = a.count + 1, last_seen_at = greatest(a.last_seen_at, excluded.last_seen_at)`,
)

/** Keeps an alarm that will not ring again, because it is remembered as told. It always has a row of its own. */
export function keepAlarm(tx: Tx, alarm: Pick<AlarmRow, 'id' | 'what' | 'about'>, at: Date): void {
  tx.defer(KEEP, [alarm.id, alarm.what, JSON.stringify(alarm.about), at])
}

const COLUMNS = `id, what, about, first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt", count,
          closed_at as "closedAt"`

const LIST = statement(
  'list_alarms',
  `select ${COLUMNS} from alarms where closed_at is null or $1 order by last_seen_at desc, id desc limit $2`,
)

/** The latest first, with the closed ones if wanted. */
export function listAlarms(db: Db, options: { withClosed: boolean; most: number }): Promise<AlarmRow[]> {
  return db.query<AlarmRow>(LIST, [options.withClosed, options.most])
}

const OF_PAYOUT = statement(
  'alarms_of_payout',
  `select ${COLUMNS} from alarms where about->>'payoutId' = $1 order by first_seen_at desc, id desc limit 50`,
)

/** The alarms about one payout, with the closed ones. */
export function listAlarmsOf(db: Db, payoutId: string): Promise<AlarmRow[]> {
  return db.query<AlarmRow>(OF_PAYOUT, [payoutId])
}

const CLOSE = statement(
  'close_alarm',
  `update alarms set closed_at = $2 where id = $1 and closed_at is null returning ${COLUMNS}`,
)

/** Null when there is no such alarm, or it is closed already. */
export async function closeAlarm(tx: Tx, id: string, at: Date): Promise<AlarmRow | null> {
  return (await tx.query<AlarmRow>(CLOSE, [id, at]))[0] ?? null
}

const OPEN = statement(
  'open_alarms',
  `select what, count(*) as open, max(last_seen_at) as "lastSeenAt" from alarms where closed_at is null
    group by what order by what`,
)

export interface OpenAlarms {
  readonly what: string
  readonly open: bigint
  readonly lastSeenAt: Date
}

export function countOpenAlarms(db: Db): Promise<OpenAlarms[]> {
  return db.query<OpenAlarms>(OPEN)
}

const BY_CODE = statement(
  'open_alarms_by_code',
  `select coalesce(about->>'environment', 'any') as environment, coalesce(about->>'code', 'others') as code,
          sum(count)::bigint as count
     from alarms where what = $1 and closed_at is null group by 1, 2`,
)

export interface CountedCode {
  readonly environment: string
  readonly code: string
  readonly count: bigint
}

/** How often an alarm that is open rang, by the code that it names. */
export function countAlarmsByCode(db: Db, what: string): Promise<CountedCode[]> {
  return db.query<CountedCode>(BY_CODE, [what])
}

const TIDY = statement('tidy_alarms', 'delete from alarms where closed_at < $1')

export function tidyAlarms(tx: Tx, closedBefore: Date): void {
  tx.defer(TIDY, [closedBefore])
}
