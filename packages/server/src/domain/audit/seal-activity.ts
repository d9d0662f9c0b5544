// Links entries to their chains, after they are committed and in the order in which they are found. Whoever writes an entry waits
// for nothing here; whoever seals holds the chain's row, so a chain has one end however many workers there are.
import { AUDIT_FORM, entryHash, linkHash } from '../../core/audit-chain.ts'
import { backfillNext, takeBackfill } from '../../storage/audit-backfills.ts'
import {
  type ChainEnd,
  type ChainId,
  type ChainPlace,
  FIRST_CHAIN,
  type NewLink,
  listChainsToSeal,
  lockChain,
  readUnsealed,
  writeLinks,
} from '../../storage/audit-chains.ts'
import type { Deps } from '../deps.ts'

/** About twenty milliseconds of hashing. */
const MOST_AT_ONCE = 1_000
const MOST_CHAINS = 500

/**
 * Seals some chains per round, and says whether there is more. Each round goes on after the last chain of the one before, so
 * chains that grow all the time keep none behind them waiting.
 */
export function createSealer(deps: Pick<Deps, 'db' | 'clock'>, mostChains = MOST_CHAINS): () => Promise<boolean> {
  let place: ChainPlace = FIRST_CHAIN
  return async () => {
    const chains = await listChainsToSeal(deps.db, place, mostChains)
    const isFromTheFirst = place === FIRST_CHAIN
    place = chains.length === mostChains ? chains.at(-1)! : FIRST_CHAIN
    const hasFull = await sealEach(deps, chains)
    return hasFull || place !== FIRST_CHAIN || !isFromTheFirst
  }
}

/** Whether one of them has more. */
async function sealEach(deps: Pick<Deps, 'db' | 'clock'>, chains: readonly ChainId[]): Promise<boolean> {
  let hasMore = false
  let failure: unknown = null
  for (const chain of chains) {
    try {
      if ((await sealChain(deps, chain)) === MOST_AT_ONCE) hasMore = true
    } catch (error) {
      // One that was tampered with holds up no other; the job says that it failed.
      failure ??= error
    }
  }
  if (failure !== null) throw failure
  return hasMore
}

/** Returns how many entries waited, of those that were looked at. */
function sealChain({ db, clock }: Pick<Deps, 'db' | 'clock'>, chain: ChainId): Promise<number> {
  return db.inTransaction(async (tx) => {
    const start = await lockChain(tx, chain)
    const waiting = await readUnsealed(tx, chain, MOST_AT_ONCE)
    const sealedAt = clock.now()
    const links: (NewLink & ChainEnd)[] = []
    for (const entry of waiting) {
      if (!entry.isThere || entry.isSealed) continue
      const end = links.at(-1) ?? start
      const link = { ...entry, position: end.position + 1, sealedAt, entryHash: entryHash(entry) }
      links.push({ ...link, hash: linkHash(chain, link, end.hash) })
    }
    writeLinks(tx, chain, { form: AUDIT_FORM, sealedAt, links, end: links.at(-1) ?? start, done: waiting })
    return waiting.length
  })
}

const MOST_BACKFILLED = 2_000

/** Entries from before there were chains, a business at a time. True while there is more. */
export function backfillChains(deps: Pick<Deps, 'db'>): Promise<boolean> {
  return deps.db.inTransaction(async (tx) => {
    const partnerId = await takeBackfill(tx)
    if (partnerId === null) return false
    await backfillNext(tx, partnerId, MOST_BACKFILLED)
    return true
  })
}
