// Sends what is due, endpoint by endpoint. Each has its own few places, and one that fails has a single one, so whoever does not
// answer holds up nobody but itself. Several workers may run: a lease decides which has a delivery.
import { setMaxListeners } from 'node:events'

import { sleep } from '../../core/clock.ts'
import { scopeKey } from '../../core/scope.ts'
import { type BusyEndpoint, listBusyEndpoints } from '../../storage/webhook-deliveries.ts'
import type { Deps } from '../deps.ts'
import { type HoldingLimits, createHoldings } from './holdings.ts'
import { makeDeliveries } from './make-deliveries.ts'
import { isTaken } from './record-and-claim.ts'
import { type Serving, serveEndpoint } from './serve-endpoint.ts'
import type { Places } from './waiting-line.ts'

const MOST_PER_WALLET = 32
/** All of this process: no more sockets than an ordinary system gives. */
const MOST_AT_ONCE = 512
/** All places are taken: looked at again after that. */
const NO_PLACE_MS = 50
/** What a receiver has not answered by then is given back, and sent again by another worker. */
const STOP_WITHIN_MS = 1_500
/** And what it has answered is recorded, unless the database takes longer. */
const RECORD_WITHIN_MS = 5_000

export interface Deliverer {
  /** Begins to serve whoever has something due, without waiting for answers. Returns whether there may be more at once. */
  readonly round: () => Promise<boolean>
  /** Resolves when everything that was begun is over. */
  readonly settled: () => Promise<void>
  /** Takes nothing more, waits a moment for what is under way, and gives the rest back. Resolves soon, whatever receivers do. */
  readonly stop: () => Promise<void>
}

export function createDeliverer(deps: Deps, onError: (error: unknown) => void, limits?: HoldingLimits): Deliverer {
  const served = new Map<string, Serving>()
  const over = new Set<Promise<void>>()
  const places = createPlaces()
  const holdings = createHoldings(limits)
  const [stop, leave] = [new AbortController(), new AbortController()]
  const ends = { stopping: stop.signal, leaving: leave.signal }
  // Every endpoint listens to both, and takes its listeners away when it is served.
  setMaxListeners(0, stop.signal, leave.signal)
  const settled = async () => void (await Promise.all(over))

  const underWay = ({ id }: BusyEndpoint) => served.get(id)?.underWay() ?? 0

  function serve(endpoint: BusyEndpoint): void {
    if (stop.signal.aborted) return
    const known = served.get(endpoint.id)
    if (known !== undefined) return known.wake()
    if (isTaken(endpoint, null, deps.clock.now())) return
    const own = { places: places.of(endpoint), holding: holdings.begin() }
    const serving = serveEndpoint(deps, endpoint, { ...own, ...ends, onError })
    served.set(endpoint.id, serving)
    const ending = serving.over.catch(onError).finally(() => {
      served.delete(endpoint.id)
      over.delete(ending)
    })
    over.add(ending)
  }

  return {
    round: async () => {
      let hasMore = false
      const busy = await listBusyEndpoints(deps.db, deps.clock.now())
      for (const endpoint of busy.toSorted((one, other) => underWay(one) - underWay(other))) {
        if (stop.signal.aborted) return false
        try {
          const makes = served.get(endpoint.id)?.makes() === true
          if (endpoint.hasNews && !makes) hasMore = (await makeDeliveries(deps, endpoint, endpoint.id)) || hasMore
          serve(endpoint)
        } catch (error) {
          onError(error)
        }
      }
      return hasMore
    },
    settled,
    stop: async () => {
      stop.abort()
      await Promise.race([settled(), sleep(STOP_WITHIN_MS, leave.signal)])
      leave.abort()
      await Promise.race([settled(), sleep(RECORD_WITHIN_MS)])
    },
  }
}

/** How many attempts a wallet, and this process, may have under way at once; who waits for one is served in turn. */
function createPlaces(): { of(scope: BusyEndpoint): Places } {
  const taken = new Map<string, number>()
  const queue: { readonly key: string }[] = []
  let all = 0
  const ofWallet = (key: string) => taken.get(key) ?? 0
  return {
    of: (scope) => {
      const key = scopeKey(scope)
      const own = { key }
      const left = () => {
        const place = queue.indexOf(own)
        const before = place === -1 ? queue : queue.slice(0, place)
        const inWallet = before.filter((each) => each.key === key).length
        // One whose own wallet has no place keeps none of the others back.
        const inAll = before.filter((each) => ofWallet(each.key) < MOST_PER_WALLET).length
        return Math.min(MOST_PER_WALLET - ofWallet(key) - inWallet, MOST_AT_ONCE - all - inAll)
      }
      return {
        left,
        take: (count) => {
          all += count
          if (ofWallet(key) + count === 0) taken.delete(key)
          else taken.set(key, ofWallet(key) + count)
        },
        wait: async (until) => {
          if (left() > 0) return
          queue.push(own)
          while (left() <= 0 && !until.aborted) await sleep(NO_PLACE_MS, until)
          queue.splice(queue.indexOf(own), 1)
        },
      }
    },
  }
}

/** Until nothing is due. */
export async function deliverWebhooks(deps: Deps): Promise<void> {
  const failures: unknown[] = []
  const deliverer = createDeliverer(deps, (error) => failures.push(error))
  while (await deliverer.round());
  await deliverer.settled()
  if (failures.length > 0) throw failures[0]
}
