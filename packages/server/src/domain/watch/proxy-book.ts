// Notices proxies that nobody has named: requests from one network that say they are forwarded for several others. A
// single caller may say so without a proxy, so that one network that speaks for one other is not noticed.
import { type Clock, after } from '../../core/clock.ts'
import { forgetOldest } from '../../core/forget-oldest.ts'
import { networkOf } from '../../core/network.ts'
import { type UnnamedProxy, listUnnamedProxies, noteUnnamedProxies } from '../../storage/unnamed-proxies.ts'
import type { Database } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'

export interface ProxyBook {
  /** A request came from one address, and says that it is another's. Returns at once. */
  note(forwarded: { readonly by: string; readonly on: string }): void
  settled(): Promise<void>
}

/** From so many callers on, a network that speaks for them is taken for a proxy. */
const SEVERAL = 3
/** Those that have been silent longest are forgotten first, so memory is bounded. */
const MOST_WATCHED = 1_000
const MOST_WRITTEN = 5
const WRITE_EVERY_MS = 5 * 60_000
/** A proxy that is named, or gone, is not told of for longer than this. */
const FORGET_AFTER_MS = 24 * 60 * 60_000

interface Watched {
  readonly callers: Set<string>
  requests: bigint
}

export function createProxyBook(
  { db, clock }: { db: Database; clock: Clock },
  hooks: { readonly onFound: (network: string) => void; readonly onError: (error: unknown) => void },
): ProxyBook {
  const watched = new Map<string, Watched>()
  let writtenAt = 0
  let running: Promise<void> | null = null

  async function write(now: Date): Promise<void> {
    const proxies = [...watched].filter(([, { callers, requests }]) => callers.size >= SEVERAL && requests > 0n)
    const busiest = proxies.toSorted(([, a], [, b]) => (a.requests > b.requests ? -1 : 1)).slice(0, MOST_WRITTEN)
    const seen = busiest.map(([network, { requests }]) => ({ network, requests }))
    for (const [, each] of watched) each.requests = 0n
    try {
      const at = { now, forgetBefore: after(now, -FORGET_AFTER_MS) }
      await db.inTransaction(async (tx) => noteUnnamedProxies(tx, seen, at))
    } catch (error) {
      hooks.onError(error)
    }
  }

  return {
    note({ by, on }) {
      const network = networkOf(by)
      const known = watched.get(network) ?? { callers: new Set<string>(), requests: 0n }
      watched.delete(network)
      watched.set(network, known)
      forgetOldest(watched, MOST_WATCHED)
      known.requests += 1n
      if (known.callers.size < SEVERAL) {
        known.callers.add(networkOf(on))
        if (known.callers.size === SEVERAL) hooks.onFound(network)
      }
      const now = clock.now()
      const isDue = Math.abs(now.getTime() - writtenAt) >= WRITE_EVERY_MS
      if (known.callers.size < SEVERAL || running !== null || !isDue) return
      writtenAt = now.getTime()
      running = write(now).finally(() => (running = null))
    },
    settled: () => running ?? Promise.resolve(),
  }
}

/** What the processes that answer requests have seen within a day, the busiest first. */
export function readUnnamedProxies({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<UnnamedProxy[]> {
  return listUnnamedProxies(db, after(clock.now(), -FORGET_AFTER_MS))
}
