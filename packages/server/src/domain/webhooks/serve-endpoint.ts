// Serves one endpoint until nothing is due: what has been answered is recorded together with taking the next, so that a receiver
// that answers at once gets the next at once, and a slow one only fills its own places.
import { after } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import { type DeliveryRow, claimDeliveries, noteHealth, recordAttempts } from '../../storage/webhook-deliveries.ts'
import { type EndpointRow, lockEndpoint } from '../../storage/webhook-endpoints.ts'
import type { Deps } from '../deps.ts'
import { attempt } from './attempt.ts'
import { type AttemptVerdict, decideAttempt } from './decide-attempt.ts'
import { disableEndpoint, lookAfterFailing } from './failing-endpoints.ts'

const MOST_PER_ENDPOINT = 8
/** A little longer than an attempt can take, so that nobody else makes it at the same time. */
const LEASE_MS = 25_000

export interface Places {
  left(): number
  /** A negative count gives them back. */
  take(count: number): void
}

interface Answered {
  readonly delivery: DeliveryRow
  readonly leaseToken: string
  readonly verdict: AttemptVerdict
}

export interface Serving {
  /** Resolves when nothing is due any more. */
  readonly over: Promise<void>
  /** Something more may be due: looks again, unless every place is taken. */
  wake(): void
}

export interface ServingOptions {
  readonly places: Places
  /** From then on nothing more is taken. */
  readonly stopping: AbortSignal
  /** From then on nobody waits for answers, nor records any: the leases end by themselves. */
  readonly leaving: AbortSignal
  readonly onError: (error: unknown) => void
}

export function serveEndpoint(
  deps: Deps,
  endpoint: EndpointRow,
  { places, stopping, leaving, onError }: ServingOptions,
): Serving {
  const underWay = new Set<Promise<void>>()
  let answered: Answered[] = []
  let atOnce = MOST_PER_ENDPOINT
  let wake = () => {}

  function start(claimed: Claimed): void {
    places.take(1)
    const sending: Promise<void> = tryOnce(deps, claimed)
      .then((verdict) => void answered.push({ ...claimed, verdict }))
      .catch(onError)
      .finally(() => {
        places.take(-1)
        underWay.delete(sending)
      })
    underWay.add(sending)
  }

  async function serve(): Promise<void> {
    for (;;) {
      const waking = new Promise<void>((resolve) => (wake = resolve))
      const now = answered
      answered = []
      const mayTake = stopping.aborted ? 0 : places.left()
      const taken = await recordAndClaim(deps, endpoint, { answered: now, mayTake })
      atOnce = taken.atOnce
      taken.claimed.forEach(start)
      if (taken.endpoint !== null) await lookAfter(deps, taken.endpoint, now)
      if (answered.length > 0) continue
      if (underWay.size === 0) return
      await Promise.race([...underWay, waking])
      if (leaving.aborted) return
    }
  }

  return {
    over: serve(),
    wake: () => {
      if (underWay.size < atOnce) wake()
    },
  }
}

interface Claimed {
  readonly endpoint: EndpointRow
  readonly delivery: DeliveryRow
  readonly leaseToken: string
  /** The event as it is sent; null when it is not kept any more. */
  readonly body: string | null
}

interface Taken {
  /** As it was before; null when it is deleted. */
  readonly endpoint: EndpointRow | null
  readonly atOnce: number
  readonly claimed: readonly Claimed[]
}

async function recordAndClaim(
  deps: Deps,
  { id, partnerId, environment }: EndpointRow,
  { answered, mayTake }: { answered: readonly Answered[]; mayTake: number },
): Promise<Taken> {
  const scope = { partnerId, environment }
  const now = deps.clock.now()
  const leaseToken = newId(now)
  const taken = await deps.db.inTransaction(async (tx) => {
    // Only one worker at a time takes something from an endpoint, and counts what others have under way.
    const endpoint = await lockEndpoint(tx, scope, id)
    if (answered.length > 0) {
      noteHealth(tx, { ...scope, id }, isWorking(answered) ? null : { since: now, quietUntil: quietUntil(answered) })
      recordAttempts(tx, { ...scope, id }, answered.map(resultOf))
    }
    const isFailing = answered.length > 0 ? !isWorking(answered) : endpoint?.failingSince != null
    const atOnce = isFailing ? 1 : MOST_PER_ENDPOINT
    const isOver = answered.some(({ verdict }) => verdict.disable !== null || verdict.quietUntil !== null)
    const isQuiet = endpoint?.quietUntil != null && endpoint.quietUntil > now
    if (endpoint?.status !== 'active' || mayTake <= 0 || isOver || isQuiet) return { endpoint, atOnce, deliveries: [] }
    const lease = { now, leaseToken, leaseUntil: after(now, LEASE_MS), atOnce, most: mayTake }
    return { endpoint, atOnce, deliveries: await claimDeliveries(tx, endpoint, lease) }
  })
  const { endpoint, atOnce, deliveries } = taken
  if (endpoint === null || deliveries.length === 0) return { endpoint, atOnce, claimed: [] }
  const bodies = await deps.outbound.eventTexts(
    scope,
    deliveries.map(({ eventId }) => eventId),
  )
  const claimed = deliveries.map((delivery) => {
    return { endpoint, delivery, leaseToken, body: bodies.get(delivery.eventId) ?? null }
  })
  return { endpoint, atOnce, claimed }
}

/** The longest that any of them asked for. */
function quietUntil(answered: readonly Answered[]): Date | null {
  const asked = answered.flatMap(({ verdict }) => verdict.quietUntil ?? [])
  return asked.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? null
}

const isWorking = (answered: readonly Answered[]) => answered.some(({ verdict }) => verdict.isDelivered)

const resultOf = ({ delivery, leaseToken, verdict }: Answered) => ({ id: delivery.id, leaseToken, ...verdict.result })

async function tryOnce(deps: Deps, { endpoint, delivery, body }: Claimed): Promise<AttemptVerdict> {
  const at = deps.clock.now()
  if (body === null) return forgotten(at)
  const answer = await attempt(deps, endpoint, { id: delivery.eventId, body })
  return decideAttempt(answer, { attempts: delivery.attempts + 1, at, now: deps.clock.now() })
}

/** An event that is not kept any more cannot be sent. */
function forgotten(at: Date): AttemptVerdict {
  const made = { at, ms: 0, status: null, error: 'event_forgotten', answer: '' }
  return {
    isDelivered: false,
    disable: null,
    quietUntil: null,
    result: { ...made, state: 'failed', nextTryAt: null, endedAt: at },
  }
}

async function lookAfter(deps: Deps, endpoint: EndpointRow, answered: readonly Answered[]): Promise<void> {
  const reason = answered.find(({ verdict }) => verdict.disable !== null)?.verdict.disable ?? null
  if (reason !== null) await disableEndpoint(deps, endpoint, reason)
  else if (answered.length > 0 && !isWorking(answered)) {
    await lookAfterFailing(deps, endpoint)
  }
}
