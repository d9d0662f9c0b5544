// Links entries to their chains, after they are committed and in the order in which they are found. Whoever writes an entry waits
// for nothing here; whoever seals holds the chains' rows, so a chain has one end however many workers there are.
import { AUDIT_FORM, linkHash } from '../../core/audit-chain.ts'
import { after } from '../../core/clock.ts'
import { groupBy } from '../../core/group-by.ts'
import { backfillNext, moveOldNotes, takeBackfill } from '../../storage/audit-backfills.ts'
import {
  type ChainEnd,
  type ChainId,
  type NewLink,
  beginChains,
  listLinkedAmong,
  lockChains,
  writeLinks,
} from '../../storage/audit-chains.ts'
import { isTaken } from '../../storage/database.ts'
import type { Tx } from '../../storage/sql.ts'
import {
  type ChainPlace,
  FIRST_CHAIN,
  type NotedEntry,
  type WaitingBatch,
  chainKey,
  entriesOf,
  listChainsToSeal,
  readWaiting,
  takeOffWaiting,
} from '../../storage/waiting-activity.ts'
import type { Deps } from '../deps.ts'

/** About twenty milliseconds of hashing. */
const MOST_AT_ONCE = 1_000
const MOST_CHAINS = 500
/** Chains that are sealed in one transaction: it costs much the same for one as for all of them. */
const TOGETHER = 50

interface Pace {
  readonly mostChains?: number
  /** So old are the entries of a chain with few of them, so that more are linked together: a chain costs as much as ten entries. */
  readonly restMs?: number
}

/**
 * Seals some chains per round, and says whether there is more. Each round goes on after the last chain of the one before, so
 * chains that grow all the time keep none behind them waiting.
 */
export function createSealer(
  deps: Pick<Deps, 'db' | 'clock'>,
  { mostChains = MOST_CHAINS, restMs = 0 }: Pace = {},
): () => Promise<boolean> {
  let place: ChainPlace = FIRST_CHAIN
  return async () => {
    const now = deps.clock.now()
    const chains = await listChainsToSeal(deps.db, place, { most: mostChains, since: after(now, -restMs), now })
    const isFromTheFirst = place === FIRST_CHAIN
    place = chains.length === mostChains ? chains.at(-1)! : FIRST_CHAIN
    const hasFull = await sealEach(deps, chains)
    return hasFull || place !== FIRST_CHAIN || !isFromTheFirst
  }
}

/** Whether one of them has more. */
async function sealEach(
  deps: Pick<Deps, 'db' | 'clock'>,
  chains: readonly ChainId[],
  together = TOGETHER,
): Promise<boolean> {
  let hasMore = false
  let failure: unknown = null
  for (let index = 0; index < chains.length; index += together) {
    const some = chains.slice(index, index + together)
    try {
      if (await sealTogether(deps, some).catch((error: unknown) => sealApart(deps, some, error))) hasMore = true
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== null) throw failure
  return hasMore
}

/** One that was tampered with holds up no other; the job says that it failed. What was only noted twice is linked once. */
function sealApart(deps: Pick<Deps, 'db' | 'clock'>, chains: readonly ChainId[], error: unknown): Promise<boolean> {
  if (chains.length > 1) return sealEach(deps, chains, 1)
  if (isTaken(error, 'activity_links_by_entry')) return sealTogether(deps, chains, withoutLinked)
  throw error
}

type Choose = (tx: Tx, noted: readonly NotedEntry[]) => Promise<readonly NotedEntry[]> | readonly NotedEntry[]

const allOf: Choose = (_tx, noted) => noted

/** To ask for each of them every time would cost more than to link them. */
const withoutLinked: Choose = async (tx, noted) => {
  const linked = await listLinkedAmong(tx, noted)
  return [...new Map(noted.filter(({ id }) => !linked.has(id)).map((entry) => [entry.id, entry])).values()]
}

/** Whether there may be more than was looked at. */
async function sealTogether(
  deps: Pick<Deps, 'db' | 'clock'>,
  chains: readonly ChainId[],
  choose = allOf,
): Promise<boolean> {
  const hasMore = await sealBegun(deps, chains, choose)
  if (hasMore !== null) return hasMore
  // By themselves: whoever holds a chain and begins another may wait for somebody who waits for the first.
  await deps.db.inTransaction(async (tx) => beginChains(tx, chains))
  return (await sealBegun(deps, chains, choose)) ?? true
}

/** In one transaction; null, and nothing is done, where one of them has not begun. */
function sealBegun(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  chains: readonly ChainId[],
  choose: Choose,
): Promise<boolean | null> {
  const mostOfEach = Math.ceil(MOST_AT_ONCE / chains.length)
  return db.inTransaction(async (tx) => {
    const [starts, batches] = await Promise.all([lockChains(tx, chains), readWaiting(tx, chains, mostOfEach)])
    if (starts.length < chains.length) return null
    const entriesOfChain = groupBy(await choose(tx, batches.flatMap(entriesOf)), chainKey)
    const sealedAt = clock.now()
    const linksOf = starts.map((start) => {
      const links: NewLink[] = []
      for (const entry of entriesOfChain.get(chainKey(start)) ?? [])
        links.push(linkOf(entry, links.at(-1) ?? start, sealedAt))
      return links
    })
    const ends = linksOf.flatMap((links) => links.at(-1) ?? [])
    writeLinks(tx, { form: AUDIT_FORM, sealedAt, links: linksOf.flat(), ends })
    takeOffWaiting(tx, batches)
    return [...groupBy(batches, chainKey).values()].some((own) => countIn(own) >= mostOfEach)
  })
}

const countIn = (batches: readonly WaitingBatch[]): number => batches.reduce((sum, { count }) => sum + count, 0)

/** The entry's link after another. */
function linkOf(entry: NotedEntry, end: ChainEnd, sealedAt: Date): NewLink {
  const { partnerId, chain, exactAt, id, entryHash } = entry
  const position = end.position + 1
  const hash = linkHash(entry, { position, at: new Date(exactAt), id, sealedAt, entryHash }, end.hash)
  return { partnerId, chain, position, exactAt, id, entryHash, hash }
}

const MOST_BACKFILLED = 2_000

/** Entries from before there were chains, a business at a time, and notes of the release before. True while there is more. */
export function backfillChains(deps: Pick<Deps, 'db'>): Promise<boolean> {
  return deps.db.inTransaction(async (tx) => {
    const partnerId = await takeBackfill(tx)
    if (partnerId === null) return (await moveOldNotes(tx, MOST_BACKFILLED)) > 0
    await backfillNext(tx, partnerId, MOST_BACKFILLED)
    return true
  })
}

/** Seals, and with nothing to seal fills up: also while a chain cannot be sealed, which is told after that. True while there is more. */
export function createLinker(deps: Pick<Deps, 'db' | 'clock'>, restMs = 0): () => Promise<boolean> {
  const seal = createSealer(deps, { restMs })
  return async () => {
    const [sealed] = await Promise.allSettled([seal()])
    if (sealed.status === 'fulfilled' && sealed.value) return true
    const hasMore = await backfillChains(deps)
    if (sealed.status === 'rejected') throw sealed.reason
    return hasMore
  }
}
