// Reads one of the bank's lists on from where it was left, one reader at a time. Progress is stored after each page, so
// a long read goes on where it broke off; and the mark never passes a row that may not have been seen.
import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import { newId } from '../../../core/ids.ts'
import { CircularList, watchForCircles } from '../../../core/pages.ts'
import { ROWS_COME_WITHIN_MS } from '../../../rail/port.ts'
import {
  FEED_LEASE_MS,
  type ClaimedFeed,
  type FeedLease,
  type FeedName,
  type FeedRound,
  claimFeed,
  finishFeed,
  leaveFeed,
  leaveFeedToBegin,
  saveFeedPage,
} from '../../../storage/bank-feeds.ts'
import { forgetWaitingRows, takeDueRows } from '../../../storage/bank-rows-waiting.ts'
import type { Deps } from '../../deps.ts'
import { type Unsettled, keepUnsettled } from './unsettled-rows.ts'

/** The mark stays this far behind our own clock, whatever the bank's clock says: its rows may come late. */
const MARGIN_MS = 60_000
/** Each read overlaps the last by this; now and then by as much as rows may come late. */
const NARROW_MS = 60_000
/**
 * The whole list is read this often: no row at the bank stays unseen for longer. One that somebody waits for is read at once,
 * unless that has just been done.
 */
const WHOLE_AFTER_MS = { whole: 24 * 60 * 60_000, whole_now: 2 * MARGIN_MS } as const
const BEGINNING = new Date(0)

export interface FeedPage<T> {
  readonly items: readonly T[]
  /** Rows that could not be read. */
  readonly unread: readonly Unsettled[]
  readonly next: string | null
}

export interface Feed<T> {
  readonly name: FeedName
  /** Where a new installation begins to read. */
  readonly startFrom: Date
  /** How often the wide overlap is worth its pages; 0: each time. */
  readonly wideEveryMs: number
  readonly page: (since: Date, cursor: string | null) => Promise<FeedPage<T>>
  readonly updatedAt: (item: T) => Date
  readonly refOf: (item: T) => string
  /** Returns the items that could not be dealt with yet. */
  readonly apply: (items: readonly T[]) => Promise<readonly Unsettled[]>
}

/** Returns how many items were read; null while another process reads, or when a whole read is not due. */
export async function readFeed<T>(
  deps: Deps,
  environment: Environment,
  feed: Feed<T>,
  depth: 'recent' | 'whole' | 'whole_now' = 'recent',
): Promise<number | null> {
  const now = deps.clock.now()
  const reading = depth !== 'recent' ? (`all_${feed.name}` as const) : feed.name
  const lease: FeedLease = { environment, feed: reading, token: newId(now) }
  const claim = {
    now,
    leaseUntil: after(now, FEED_LEASE_MS),
    startFrom: depth === 'recent' ? feed.startFrom : BEGINNING,
  }
  const begun = await deps.db.inTransaction(async (tx) => {
    const claimed = await claimFeed(tx, lease, claim)
    if (claimed === null) return null
    if (claimed.round !== null) return { claimed, round: claimed.round }
    if (depth !== 'recent') return { claimed, round: wholeRound(claimed, now, WHOLE_AFTER_MS[depth]) }
    return { claimed, round: newRound(feed, claimed, { now, due: await takeDueRows(tx, environment, feed.name, now) }) }
  })
  if (begun === null) return null
  if (begun.round === null) {
    await deps.db.inTransaction(async (tx) => finishFeed(tx, lease, begun.claimed.readUpTo, null))
    return null
  }
  try {
    return await readRound(deps, { lease, feed, readUpTo: begun.claimed.readUpTo }, begun.round)
  } catch (error) {
    // A list that leads back to its own beginning would never end, so it is begun anew.
    const leave = error instanceof CircularList ? leaveFeedToBegin : leaveFeed
    await deps.db.inTransaction(async (tx) => leave(tx, lease))
    throw error
  }
}

function newRound<T>(feed: Feed<T>, claimed: ClaimedFeed, at: { now: Date; due: Date | null }): FeedRound {
  const { readUpTo, wideAt } = claimed
  const isWide = wideAt === null || at.now.getTime() - wideAt.getTime() >= feed.wideEveryMs
  const usual = after(readUpTo, isWide ? -ROWS_COME_WITHIN_MS : -NARROW_MS)
  const since = at.due !== null && at.due < usual ? at.due : usual
  return { since, startedAt: at.now, cursor: null, newest: null, isWide }
}

function wholeRound({ readUpTo }: ClaimedFeed, now: Date, afterMs: number): FeedRound | null {
  if (now.getTime() - readUpTo.getTime() < afterMs) return null
  return { since: BEGINNING, startedAt: now, cursor: null, newest: now, isWide: true }
}

async function readRound<T>(
  deps: Deps,
  read: { lease: FeedLease; feed: Feed<T>; readUpTo: Date },
  begun: FeedRound,
): Promise<number> {
  const { lease, feed } = read
  const watch = watchForCircles()
  let round = begun
  for (let count = 0; ;) {
    const page = await feed.page(round.since, round.cursor)
    watch(page.next)
    await settlePage(deps, { ...read, round }, page)
    count += page.items.length
    round = { ...round, cursor: page.next, newest: newestOf(feed, page.items, round.newest) }
    if (page.next === null) {
      const mark = markAfter(round, read.readUpTo)
      await deps.db.inTransaction(async (tx) => finishFeed(tx, lease, mark, round.isWide ? deps.clock.now() : null))
      return count
    }
    const leaseUntil = after(deps.clock.now(), FEED_LEASE_MS)
    const isOurs = await deps.db.inTransaction((tx) => saveFeedPage(tx, lease, round, leaseUntil))
    if (!isOurs) return count
  }
}

/** Deals with what it can. The rest waits, and an alarm tells of it once. */
async function settlePage<T>(
  deps: Deps,
  read: { lease: FeedLease; feed: Feed<T>; round: FeedRound },
  page: FeedPage<T>,
): Promise<void> {
  const { feed, lease, round } = read
  // Nothing new is the usual answer to a service at rest, and asks nothing of the database.
  if (page.items.length === 0 && page.unread.length === 0) return
  const unsettled = [...page.unread, ...(await feed.apply(page.items))]
  const moments = new Map(page.items.map((item) => [feed.refOf(item), feed.updatedAt(item)]))
  const dated = unsettled.map((row) => {
    const at = moments.get(row.ref)
    return at === undefined || row.since !== undefined ? row : { ...row, since: after(at, -ROWS_COME_WITHIN_MS) }
  })
  // A row that cannot be read is found again from where this read began; if that was the list's beginning, by the next
  // whole read.
  const since = lease.feed === feed.name ? round.since : round.startedAt
  await keepUnsettled(deps, { environment: lease.environment, feed: feed.name, since }, dated)
  const open = new Set(unsettled.map((each) => each.ref))
  const settled = page.items.map(feed.refOf).filter((ref) => !open.has(ref))
  await deps.db.inTransaction(async (tx) => forgetWaitingRows(tx, lease.environment, feed.name, settled))
}

export function newestOf<T>(feed: Pick<Feed<T>, 'updatedAt'>, items: readonly T[], before: Date | null): Date | null {
  return items.reduce((newest, item) => {
    const at = feed.updatedAt(item)
    return newest === null || at > newest ? at : newest
  }, before)
}

/** Pages come in the order of creation, not of change: a row that changes while they are read may be missed. */
function markAfter({ newest, startedAt }: FeedRound, readUpTo: Date): Date {
  const safe = after(startedAt, -MARGIN_MS)
  if (newest === null) return readUpTo
  return newest < safe ? newest : safe
}
