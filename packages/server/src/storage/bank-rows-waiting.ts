// Rows of the bank's lists that need another look, and rows that an alarm has told of already.
import type { Environment } from '@kestrel/contract'

import type { FeedName } from './bank-feeds.ts'
import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

export type WaitingReason =
  | 'unreadable'
  | 'not_connected' // its wallet is being connected to the bank
  | 'nobody' // it belongs to no wallet here
  | 'unclaimed' // what an earlier release credited to its wallet has not claimed its transactions yet
  | 'locked' // somebody has had its wallet, or its payout, for too long
  | 'failed' // it could not be recorded
  | 'told' // an alarm told of it; it is left alone until it changes

export interface WaitingRow {
  readonly ref: string
  readonly reason: WaitingReason
  readonly state: string | null
}

// Rows that wait for a wallet, or for claims, are soon done, and so is a lock, if it is not held for long. The others are tried less and
// less often, because each try reads further back. Rows older than a week are left to the daily read of the whole list.
const DUE = statement(
  'bank_rows_due',
  `update bank_rows_waiting set tries = tries + 1, next_try_at = $3::timestamptz + case when reason in ('not_connected', 'unclaimed')
            then interval '5 seconds' when reason = 'locked' then least(interval '10 minutes', interval '5 seconds' * power(2, least(tries, 20)))
            else least(interval '6 hours', interval '1 minute' * power(2, least(tries, 20))) end
    where environment = $1 and feed = $2 and next_try_at <= $3 
      and case when reason = 'locked' then first_seen_at else since end > $3::timestamptz - interval '7 days'
   returning since`,
)

/** The moment to read from, so that every row whose turn it is comes again; null when no row is due. */
export async function takeDueRows(tx: Tx, environment: Environment, feed: FeedName, now: Date): Promise<Date | null> {
  const rows = await tx.query<{ since: Date }>(DUE, [environment, feed, now])
  return rows.reduce<Date | null>((oldest, { since }) => (oldest === null || since < oldest ? since : oldest), null)
}

const ROWS = itemColumns<keyof WaitingRow | 'since'>(4, {
  ref: ['ref', 'text'],
  reason: ['reason', 'text'],
  state: ['state', 'text'],
  since: ['since', 'timestamptz'],
})

const KEEP = statement(
  'keep_bank_rows_waiting',
  `with items as (select ${ROWS.selected} from ${ROWS.from}),
   before as (
     select ref, reason from bank_rows_waiting
      where environment = $1 and feed = $2 and ref = any(select ref from items)),
   kept as (
     insert into bank_rows_waiting (environment, feed, ${ROWS.names}, first_seen_at, next_try_at)
     select $1, $2, ${ROWS.names}, $3, case when reason = 'told' then null else $3::timestamptz end from items
     on conflict (environment, feed, ref) do update set
       -- What it waited for before it met a lock has been told, and would be told anew.
       reason = case when excluded.reason = 'locked' then bank_rows_waiting.reason else excluded.reason end,
       state = case when excluded.reason = 'locked' then bank_rows_waiting.state else excluded.state end,
       since = greatest(bank_rows_waiting.since, excluded.since),
       next_try_at = case when excluded.reason = 'told' then null
                          else coalesce(bank_rows_waiting.next_try_at, excluded.next_try_at) end
     returning ref, reason)
   select kept.ref from kept left join before on before.ref = kept.ref where before.reason is distinct from kept.reason`,
)

/** Returns the refs that were not yet waiting for this reason: nobody has been told of them. */
export async function keepWaitingRows(
  tx: Tx,
  environment: Environment,
  feed: FeedName,
  kept: { rows: readonly (WaitingRow & { readonly since: Date })[]; now: Date },
): Promise<ReadonlySet<string>> {
  // A page may hold a row twice, and one statement can write it only once.
  const rows = [...new Map(kept.rows.map((row) => [row.ref, row])).values()]
  if (rows.length === 0) return new Set()
  const found = await tx.query<{ ref: string }>(KEEP, [environment, feed, kept.now, ...ROWS.values(rows)])
  return new Set(found.map(({ ref }) => ref))
}

const FORGET = statement(
  'forget_bank_rows',
  'delete from bank_rows_waiting where environment = $1 and feed = $2 and ref = any($3)',
)

/** Deletes rows that have been dealt with. */
export function forgetWaitingRows(tx: Tx, environment: Environment, feed: FeedName, refs: readonly string[]): void {
  if (refs.length > 0) tx.defer(FORGET, [environment, feed, refs])
}

const FIND = statement(
  'bank_rows_waiting',
  'select ref, reason, state from bank_rows_waiting where environment = $1 and feed = $2 and ref = any($3)',
)

export async function findWaitingRows(
  db: Db,
  environment: Environment,
  feed: FeedName,
  refs: readonly string[],
): Promise<ReadonlyMap<string, WaitingRow>> {
  if (refs.length === 0) return new Map()
  const rows = await db.query<WaitingRow>(FIND, [environment, feed, refs])
  return new Map(rows.map((row) => [row.ref, row]))
}

const SINCE = statement(
  'bank_row_waiting_since',
  'select first_seen_at as since from bank_rows_waiting where environment = $1 and feed = $2 and ref = $3',
)

/** When a row was first seen to need another look; null: it does not, as far as is known. */
export async function findWaitingSince(
  db: Db,
  environment: Environment,
  feed: FeedName,
  ref: string,
): Promise<Date | null> {
  return (await db.query<{ since: Date }>(SINCE, [environment, feed, ref]))[0]?.since ?? null
}

const UNCREDITED = statement(
  'uncredited_deposits',
  `select ref from bank_rows_waiting
    where environment = $1 and feed in ('bank_deposits', 'chain_deposits') and reason in ('unreadable', 'unclaimed', 'failed')
    order by ref limit 5`,
)

/** Ids of a few deposits that are at the bank and in nobody's wallet here. */
export async function listUncredited(db: Db, environment: Environment): Promise<string[]> {
  return (await db.query<{ ref: string }>(UNCREDITED, [environment])).map(({ ref }) => ref)
}

const THIN = statement('thin_bank_rows_waiting', `delete from bank_rows_waiting where first_seen_at < $1`)

/** Deletes old rows. The daily read finds one that is still there, and tells of it again. */
export function thinWaitingRows(tx: Tx, firstSeenBefore: Date): void {
  tx.defer(THIN, [firstSeenBefore])
}
