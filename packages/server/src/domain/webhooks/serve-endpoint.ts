// Serves one endpoint until nothing is due: what has been answered is recorded together with taking the next, so that a receiver
// that answers at once gets the next at once, and a slow one only fills its own places.
import { after, sleep } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { type DeliveryRow, claimDeliveries, noteHealth, recordAttempts } from '../../storage/webhook-deliveries.ts'
import { type EndpointRow, lockEndpoint } from '../../storage/webhook-endpoints.ts'
import type { Deps } from '../deps.ts'
import { attempt } from './attempt.ts'
import { type AttemptVerdict, decideAttempt, forgotten, notSent } from './decide-attempt.ts'
import { disableEndpoint, lookAfterFailing } from './failing-endpoints.ts'
import { noteHowItDoes } from './how-endpoints-do.ts'

const MOST_PER_ENDPOINT = 8
/** A little longer than an attempt can take, so that nobody else makes it at the same time. */
const LEASE_MS = 25_000
/** A receiver that answers at once has answered them all by then, and one transaction records them. */
const GATHER_MS = 4
/** Together no longer than a lease: after it, whatever was answered is not ours to record. */
const PAUSES_MS = [200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]

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
  /** How many attempts. */
  underWay(): number
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
    const sending: Promise<void> = tryOnce(deps, claimed, onError)
      .then((verdict) => void answered.push({ ...claimed, verdict }))
      .finally(() => {
        places.take(-1)
        underWay.delete(sending)
      })
    underWay.add(sending)
  }

  /** Places are taken before the database is asked, so that nobody else counts on them, and those left over given back. */
  async function step(now: readonly Answered[]): Promise<Taken> {
    const room = Math.min(places.left(), MOST_PER_ENDPOINT - underWay.size)
    const mayTake = stopping.aborted ? 0 : Math.max(0, room)
    let used = 0
    places.take(mayTake)
    try {
      const taken = await recordAndClaim(deps, endpoint, { answered: now, mayTake })
      used = taken.claimed.length
      return taken
    } finally {
      places.take(used - mayTake)
    }
  }

  async function serve(): Promise<void> {
    for (;;) {
      const waking = new Promise<void>((resolve) => (wake = resolve))
      const now = answered
      answered = []
      // With nothing to lose, the next round comes all the same.
      const taken =
        now.length + underWay.size === 0 ? await step(now) : await untilItWorks(() => step(now), { leaving, onError })
      atOnce = taken.atOnce
      taken.claimed.forEach(start)
      if (taken.endpoint !== null) await lookAfter(deps, taken.endpoint, now).catch(onError)
      if (answered.length > 0) continue
      if (underWay.size === 0) return
      await Promise.race([...underWay, waking])
      if (underWay.size > 0) await Promise.race([Promise.all(underWay), sleep(GATHER_MS, leaving)])
      if (leaving.aborted) return
    }
  }

  return {
    over: serve(),
    wake: () => {
      if (underWay.size < atOnce) wake()
    },
    underWay: () => underWay.size,
  }
}

/** Answers that have come are not lost by a database that is away for a while. */
async function untilItWorks<T>(
  step: () => Promise<T>,
  { leaving, onError }: Pick<ServingOptions, 'leaving' | 'onError'>,
): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await step()
    } catch (error) {
      if (leaving.aborted) throw error
      onError(error)
    }
    await sleep(pauseMs, leaving)
  }
  return step()
}

interface Claimed {
  readonly endpoint: EndpointRow
  readonly delivery: DeliveryRow
  readonly leaseToken: string
  readonly body: Body
}

/** The event as it is sent, null when it is not kept any more; or why it cannot be shown. */
type Body = { readonly text: string | null } | { readonly error: unknown }

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
    const heard = heardOf(answered)
    if (heard.length > 0)
      noteHealth(tx, { ...scope, id }, isWorking(heard) ? null : { since: now, quietUntil: quietUntil(heard) })
    if (answered.length > 0) recordAttempts(tx, { ...scope, id }, answered.map(resultOf))
    if (endpoint !== null) noteHowItDoes(tx, endpoint, { heard: heard.map(({ verdict }) => verdict), now })
    const isFailing = heard.length > 0 ? !isWorking(heard) : endpoint?.failingSince != null
    const atOnce = isFailing ? 1 : MOST_PER_ENDPOINT
    const isOver = answered.some(({ verdict }) => verdict.disable !== null || verdict.quietUntil !== null)
    const isQuiet = endpoint?.quietUntil != null && endpoint.quietUntil > now
    if (endpoint?.status !== 'active' || mayTake <= 0 || isOver || isQuiet) return { endpoint, atOnce, deliveries: [] }
    const lease = { now, leaseToken, leaseUntil: after(now, LEASE_MS), atOnce, most: mayTake }
    return { endpoint, atOnce, deliveries: await claimDeliveries(tx, endpoint, lease) }
  })
  const { endpoint, atOnce, deliveries } = taken
  if (endpoint === null || deliveries.length === 0) return { endpoint, atOnce, claimed: [] }
  const bodies = await bodiesOf(
    deps,
    scope,
    deliveries.map(({ eventId }) => eventId),
  )
  const claimed = deliveries.map((delivery, index) => ({ endpoint, delivery, leaseToken, body: bodies[index]! }))
  return { endpoint, atOnce, claimed }
}

/** One that cannot be shown keeps none of the others back. */
async function bodiesOf(deps: Deps, scope: Scope, ids: readonly string[]): Promise<Body[]> {
  try {
    const texts = await deps.outbound.eventTexts(scope, ids)
    return ids.map((id) => ({ text: texts.get(id) ?? null }))
  } catch (error) {
    if (ids.length === 1) return [{ error }]
    return (await Promise.all(ids.map((id) => bodiesOf(deps, scope, [id])))).flat()
  }
}

/** Those that say something of the receiver. */
const heardOf = (answered: readonly Answered[]) => answered.filter(({ verdict }) => !verdict.isOurs)

/** The longest that any of them asked for. */
function quietUntil(answered: readonly Answered[]): Date | null {
  const asked = answered.flatMap(({ verdict }) => verdict.quietUntil ?? [])
  return asked.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? null
}

const isWorking = (answered: readonly Answered[]) => answered.some(({ verdict }) => verdict.isDelivered)

const resultOf = ({ delivery, leaseToken, verdict: { result, isOurs } }: Answered) => ({
  id: delivery.id,
  leaseToken,
  isOurs,
  ...result,
})

/** Never throws: whatever goes wrong is a failed attempt of this one delivery. */
async function tryOnce(
  deps: Deps,
  { endpoint, delivery, body }: Claimed,
  onError: (error: unknown) => void,
): Promise<AttemptVerdict> {
  const at = deps.clock.now()
  const attempts = delivery.attempts + 1
  try {
    if ('error' in body) throw body.error
    if (body.text === null) return forgotten(at)
    const answer = await attempt(deps, endpoint, { id: delivery.eventId, body: body.text })
    return decideAttempt(answer, { attempts, at, now: deps.clock.now() })
  } catch (error) {
    onError(error)
    return notSent({ attempts, at, now: deps.clock.now() })
  }
}

async function lookAfter(deps: Deps, endpoint: EndpointRow, answered: readonly Answered[]): Promise<void> {
  const heard = heardOf(answered)
  const reason = heard.find(({ verdict }) => verdict.disable !== null)?.verdict.disable ?? null
  if (reason !== null) await disableEndpoint(deps, endpoint, reason)
  else if (heard.length > 0 && !isWorking(heard)) await lookAfterFailing(deps, endpoint)
}
