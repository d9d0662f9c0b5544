// Sends what is due, endpoint by endpoint. Each has its own few places, and one that fails has a single one, so whoever does not
// answer holds up nobody but itself. Several workers may run: a lease decides which has a delivery.
import { after } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import { scopeKey } from '../../core/scope.ts'
import {
  type BusyEndpoint,
  type DeliveryRow,
  claimDeliveries,
  listBusyEndpoints,
  noteHealth,
  recordAttempt,
} from '../../storage/webhook-deliveries.ts'
import { type EndpointRow, lockEndpoint } from '../../storage/webhook-endpoints.ts'
import type { Deps } from '../deps.ts'
import { readEvents } from '../events/read-events.ts'
import { attempt } from './attempt.ts'
import { type AttemptVerdict, decideAttempt } from './decide-attempt.ts'
import { disableEndpoint, lookAfterFailing } from './failing-endpoints.ts'
import { makeDeliveries } from './make-deliveries.ts'

const MOST_PER_ENDPOINT = 8
const MOST_PER_WALLET = 32
/** All of this process: memory, and no more sockets than an ordinary system gives. */
const MOST_AT_ONCE = 512
/** Longer than an attempt can take, so that nobody else makes it at the same time. */
const LEASE_MS = 60_000

export interface Deliverer {
  /** Starts what is due, without waiting for answers. Returns how many attempts it started. */
  readonly round: () => Promise<number>
  /** Resolves when everything that was started is over. */
  readonly settled: () => Promise<void>
}

export function createDeliverer(deps: Deps, onError: (error: unknown) => void): Deliverer {
  const underWay = new Set<Promise<void>>()
  const counts = new Map<string, number>()
  const count = (key: string, change: number) => {
    const now = (counts.get(key) ?? 0) + change
    if (now === 0) counts.delete(key)
    else counts.set(key, now)
  }

  /** How many more attempts at this endpoint may begin. */
  function places(endpoint: BusyEndpoint): number {
    return Math.min(
      atOnce(endpoint) - (counts.get(endpoint.id) ?? 0),
      MOST_PER_WALLET - (counts.get(scopeKey(endpoint)) ?? 0),
      MOST_AT_ONCE - underWay.size,
    )
  }

  async function start(endpoint: BusyEndpoint): Promise<number> {
    const most = places(endpoint)
    if (most <= 0) return 0
    const claimed = await claim(deps, endpoint, { atOnce: atOnce(endpoint), most })
    for (const delivery of claimed) {
      count(endpoint.id, 1)
      count(scopeKey(endpoint), 1)
      const sending = deliver(deps, delivery)
        .catch(onError)
        .finally(() => {
          count(endpoint.id, -1)
          count(scopeKey(endpoint), -1)
          underWay.delete(sending)
        })
      underWay.add(sending)
    }
    return claimed.length
  }

  return {
    round: async () => {
      let started = 0
      const busy = await listBusyEndpoints(deps.db, deps.clock.now())
      // Fewest under way first: those that wait for slow receivers come last.
      const fair = busy.toSorted((one, other) => (counts.get(one.id) ?? 0) - (counts.get(other.id) ?? 0))
      for (const endpoint of fair) {
        try {
          if (endpoint.hasNews && (await makeDeliveries(deps, endpoint, endpoint.id))) started++
          started += await start(endpoint)
        } catch (error) {
          onError(error)
        }
      }
      return started
    },
    settled: async () => void (await Promise.all(underWay)),
  }
}

function atOnce({ failingSince }: EndpointRow): number {
  return failingSince === null ? MOST_PER_ENDPOINT : 1
}

interface ClaimedDelivery {
  readonly endpoint: EndpointRow
  readonly delivery: DeliveryRow
  readonly leaseToken: string
  /** The event as it is sent; null when it is not kept any more. */
  readonly body: string | null
}

async function claim(
  deps: Deps,
  { id, partnerId, environment }: EndpointRow,
  most: { atOnce: number; most: number },
): Promise<ClaimedDelivery[]> {
  const scope = { partnerId, environment }
  const now = deps.clock.now()
  const leaseToken = newId(now)
  const claimed = await deps.db.inTransaction(async (tx) => {
    // Also counts what other workers have under way: only one at a time takes something from an endpoint.
    const endpoint = await lockEndpoint(tx, scope, id)
    if (endpoint === null || endpoint.status !== 'active') return []
    const lease = { now, leaseToken, leaseUntil: after(now, LEASE_MS), ...most }
    const deliveries = await claimDeliveries(tx, endpoint, lease)
    return deliveries.map((delivery) => ({ endpoint, delivery, leaseToken }))
  })
  if (claimed.length === 0) return []
  const events = await readEvents(
    { clock: deps.clock, reports: deps.db },
    scope,
    claimed.map(({ delivery }) => delivery.eventId),
  )
  const bodies = new Map(events.map((event) => [event.id, deps.outbound.eventText(event)]))
  return claimed.map((each) => ({ ...each, body: bodies.get(each.delivery.eventId) ?? null }))
}

async function deliver(deps: Deps, claimed: ClaimedDelivery): Promise<void> {
  const verdict = await tryOnce(deps, claimed)
  const { endpoint, delivery, leaseToken } = claimed
  await deps.db.inTransaction(async (tx) => {
    noteHealth(tx, endpoint, verdict.isDelivered ? null : verdict.result.at)
    recordAttempt(tx, delivery, leaseToken, verdict.result)
  })
  if (verdict.disable !== null) await disableEndpoint(deps, endpoint, verdict.disable)
  else if (!verdict.isDelivered) await lookAfterFailing(deps, endpoint)
}

async function tryOnce(deps: Deps, { endpoint, delivery, body }: ClaimedDelivery): Promise<AttemptVerdict> {
  const at = deps.clock.now()
  if (body === null) {
    const gone = { at, ms: 0, status: null, error: 'event_forgotten', answer: '' }
    return {
      isDelivered: false,
      disable: null,
      result: { ...gone, state: 'failed', nextTryAt: null, endedAt: at },
    }
  }
  const answer = await attempt(deps, endpoint, { id: delivery.eventId, body })
  return decideAttempt(answer, { attempts: delivery.attempts + 1, at, now: deps.clock.now() })
}

/** One round, to its end. Returns how many attempts were made. */
export async function deliverWebhooks(deps: Deps): Promise<number> {
  const failures: unknown[] = []
  const deliverer = createDeliverer(deps, (error) => failures.push(error))
  const started = await deliverer.round()
  await deliverer.settled()
  if (failures.length > 0) throw failures[0]
  return started
}
