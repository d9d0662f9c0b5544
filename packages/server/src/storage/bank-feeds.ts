// How far each of the bank's lists has been read, and the read that is under way.
import type { Environment } from '@kestrel/contract'

import { type Db, type Tx, statement } from './sql.ts'
import { isFree } from './wrong-clocks.ts'

/** The lists that the bank gives out. */
export type FeedName = 'transfers' | 'bank_deposits' | 'chain_deposits'
/** A list read on from where it was left, or the whole of it from its beginning. */
export type FeedReading = FeedName | `all_${FeedName}`

/** One read of a list from a moment on, by as many readers in turn as it takes. */
export interface FeedRound {
  readonly since: Date
  readonly startedAt: Date
  readonly cursor: string | null
  /** The newest moment on the pages so far. */
  readonly newest: Date | null
  readonly isWide: boolean
}

export interface ClaimedFeed {
  readonly readUpTo: Date
  readonly wideAt: Date | null
  /** Null when the last read was finished. */
  readonly round: FeedRound | null
}

/** The right to read a feed. A reader whose lease has passed to another can write nothing. */
export interface FeedLease {
  readonly environment: Environment
  readonly feed: FeedReading
  readonly token: string
}

const OPEN = statement(
  'open_bank_feed',
  'insert into bank_feeds (environment, feed, read_up_to) values ($1, $2, $3) on conflict do nothing',
)
/** A reader has the feed for so long, page by page. */
export const FEED_LEASE_MS = 30_000

const CLAIM = statement(
  'claim_bank_feed',
  `update bank_feeds set lease_until = $4, lease_token = $5, read_up_to = least(read_up_to, $3)
    where environment = $1 and feed = $2
      and ${isFree({ until: 'lease_until', by: '$3', now: '$3', longestMs: FEED_LEASE_MS })}
   returning read_up_to as "readUpTo", wide_at as "wideAt", reading_since as since,
             reading_started_at as "startedAt", reading_cursor as cursor, reading_newest as newest,
             coalesce(reading_is_wide, false) as "isWide"`,
)

/** The feed as it was left, for the reader that gets the lease; null while another reader has it. */
export async function claimFeed(
  tx: Tx,
  lease: FeedLease,
  claim: { now: Date; leaseUntil: Date; startFrom: Date },
): Promise<ClaimedFeed | null> {
  await tx.query(OPEN, [lease.environment, lease.feed, claim.startFrom])
  const [row] = await tx.query<Omit<ClaimedFeed, 'round'> & { since: Date | null } & Omit<FeedRound, 'since'>>(CLAIM, [
    lease.environment,
    lease.feed,
    claim.now,
    claim.leaseUntil,
    lease.token,
  ])
  if (row === undefined) return null
  const { readUpTo, wideAt, since, startedAt, cursor, newest, isWide } = row
  return { readUpTo, wideAt, round: since === null ? null : { since, startedAt, cursor, newest, isWide } }
}

const SAVE = statement(
  'save_bank_feed_page',
  `update bank_feeds set reading_since = $4, reading_started_at = $5, reading_cursor = $6, reading_newest = $7,
          reading_is_wide = $8, lease_until = $9, failures = 0
    where environment = $1 and feed = $2 and lease_token = $3 returning 1 as saved`,
)

/** False when the lease has passed to another reader, or the feed was moved back meanwhile. */
export async function saveFeedPage(tx: Tx, lease: FeedLease, round: FeedRound, leaseUntil: Date): Promise<boolean> {
  const { since, startedAt, cursor, newest, isWide } = round
  const values = [lease.environment, lease.feed, lease.token, since, startedAt, cursor, newest, isWide, leaseUntil]
  return (await tx.query(SAVE, values)).length === 1
}

const NO_ROUND = `reading_since = null, reading_started_at = null, reading_cursor = null, reading_newest = null,
  reading_is_wide = null, lease_token = null, lease_until = null, failures = 0`

const FINISH = statement(
  'finish_bank_feed',
  `update bank_feeds set read_up_to = greatest(read_up_to, $4), wide_at = coalesce($5, wide_at), ${NO_ROUND}
    where environment = $1 and feed = $2 and lease_token = $3`,
)

export function finishFeed(tx: Tx, lease: FeedLease, readUpTo: Date, wideAt: Date | null): void {
  tx.defer(FINISH, [lease.environment, lease.feed, lease.token, readUpTo, wideAt])
}

// A bank that no longer knows a cursor would be asked with it for ever: after a few tries the read begins anew.
const LEAVE = statement(
  'leave_bank_feed',
  `update bank_feeds set lease_token = null, lease_until = null, failures = failures + 1,
          reading_cursor = case when failures < 4 then reading_cursor end
    where environment = $1 and feed = $2 and lease_token = $3`,
)

/** The read broke off; the next reader goes on with the next page. */
export function leaveFeed(tx: Tx, lease: FeedLease): void {
  tx.defer(LEAVE, [lease.environment, lease.feed, lease.token])
}

const BEGIN_ANEW = statement(
  'leave_bank_feed_to_begin',
  `update bank_feeds set lease_token = null, lease_until = null, reading_cursor = null
    where environment = $1 and feed = $2 and lease_token = $3`,
)

/** The read failed; the next reader begins it anew. */
export function leaveFeedToBegin(tx: Tx, lease: FeedLease): void {
  tx.defer(BEGIN_ANEW, [lease.environment, lease.feed, lease.token])
}

const REWIND = statement(
  'rewind_bank_feed',
  `update bank_feeds f set read_up_to = $3, rewound_at = $4, rewound_from = f.read_up_to, ${NO_ROUND}
    where environment = $1 and feed = $2 and read_up_to > $3 returning 1 as rewound`,
)

/** Moves a feed's mark back to a moment, and ends the read under way. False when the mark is not later than that. */
export async function rewindFeed(
  tx: Tx,
  environment: Environment,
  feed: FeedName,
  to: { moment: Date; now: Date },
): Promise<boolean> {
  return (await tx.query(REWIND, [environment, feed, to.moment, to.now])).length === 1
}

export interface FeedRow {
  readonly environment: Environment
  readonly feed: FeedReading
  readonly readUpTo: Date
  readonly readingSince: Date | null
  readonly rewoundAt: Date | null
  readonly waiting: number
}

const LIST = statement(
  'list_bank_feeds',
  `select environment, feed, read_up_to as "readUpTo", reading_since as "readingSince", rewound_at as "rewoundAt",
          (select count(*)::int from bank_rows_waiting w
            where w.environment = f.environment and w.feed = f.feed and w.reason <> 'told') as waiting
     from bank_feeds f order by environment, feed`,
)

export function listFeeds(db: Db): Promise<FeedRow[]> {
  return db.query<FeedRow>(LIST)
}
