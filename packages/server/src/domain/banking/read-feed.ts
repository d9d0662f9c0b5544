// One of the bank's feeds, read on from where it was left, by one reader at a time.
import type { Environment } from '@kestrel/contract'

import { after } from '../../core/clock.ts'
import { pages } from '../../core/pages.ts'
import { type FeedName, claimFeed, finishFeed } from '../../storage/bank-feeds.ts'
import type { Deps } from '../deps.ts'

const LEASE_MS = 30_000
/** Read again each time: what was being committed while the last page was read must not slip through. */
const OVERLAP_MS = 10_000

export interface Feed<T> {
  readonly startFrom: Date
  readonly page: (since: Date, cursor: string | null) => Promise<{ items: readonly T[]; next: string | null }>
  readonly updatedAt: (item: T) => Date
  /** Gives back what could not be dealt with yet and must be read again. */
  readonly apply: (items: readonly T[]) => Promise<readonly T[]>
}

/** How many items were read; null while somebody else reads. */
export async function readFeed<T>(
  deps: Deps,
  environment: Environment,
  name: FeedName,
  feed: Feed<T>,
): Promise<number | null> {
  const now = deps.clock.now()
  const claim = { now, leaseUntil: after(now, LEASE_MS), startFrom: feed.startFrom }
  const readUpTo = await deps.db.inTransaction((tx) => claimFeed(tx, environment, name, claim))
  if (readUpTo === null) return null
  let newest = readUpTo
  const left: T[] = []
  let count = 0
  try {
    for await (const { items } of pages((cursor) => feed.page(after(readUpTo, -OVERLAP_MS), cursor))) {
      left.push(...(await feed.apply(items)))
      for (const item of items) if (feed.updatedAt(item) > newest) newest = feed.updatedAt(item)
      count += items.length
    }
    for (const item of left) if (feed.updatedAt(item) < newest) newest = feed.updatedAt(item)
  } catch (error) {
    // Pages come newest first: unless all of them were read, the mark must stay where it was.
    newest = readUpTo
    throw error
  } finally {
    await deps.db.inTransaction(async (tx) => finishFeed(tx, environment, name, newest))
  }
  return count
}
