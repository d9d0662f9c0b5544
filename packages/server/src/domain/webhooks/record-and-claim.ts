// One transaction of an endpoint: what was answered is recorded, what was taken and not sent is given back, and the next are taken.
import { after, monotonicMs } from '../../core/clock.ts'
import { isOutage } from '../../core/outage.ts'
import type { Scope } from '../../core/scope.ts'
import {
  type DeliveryRow,
  claimDeliveries,
  giveBackDeliveries,
  noteHealth,
  recordAttempts,
  serveAlone,
} from '../../storage/webhook-deliveries.ts'
import { type EndpointRow, lockEndpoint } from '../../storage/webhook-endpoints.ts'
import { holdBack } from '../../storage/webhook-order.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import type { AttemptVerdict } from './decide-attempt.ts'
import { noteHowItDoes } from './how-endpoints-do.ts'
import { IN_ORDER_MS, makeLocked } from './make-deliveries.ts'

/** So many are under way at an endpoint, sent by one worker at a time; at one that fails, a single one. */
export const MOST_AT_ONCE = 8
/** Nobody else sends it meanwhile. Long enough to wait for its turn, and then for an attempt that is not answered. */
export const LEASE_MS = 25_000
/** So many events at most become deliveries in a transaction that others wait for. */
const MOST_MADE = 100

export interface Claimed {
  readonly delivery: DeliveryRow
  readonly claimedAtMs: number
  readonly body: Body
}

/** The event as it is sent, null when it is not kept any more; or why it cannot be shown. */
export type Body = { readonly text: string | null } | { readonly error: unknown }

export interface Answered {
  readonly delivery: DeliveryRow
  /** Where it was sent. */
  readonly url: string
  readonly verdict: AttemptVerdict
}

export interface Turn {
  /** Of whoever serves the endpoint, for as long as it does. */
  readonly leaseToken: string
  readonly answered: readonly Answered[]
  readonly unsent: readonly Claimed[]
  /** What was taken before and is neither of them. */
  readonly underWay: number
  readonly mayTake: number
}

export interface Taken {
  /** As it was before; null when it is deleted. */
  readonly endpoint: EndpointRow | null
  readonly atOnce: number
  /** What counts of the answers. */
  readonly answered: readonly Answered[]
  readonly deliveries: readonly DeliveryRow[]
  readonly claimedAtMs: number
}

export async function recordAndClaim(
  deps: Deps,
  { id, partnerId, environment }: EndpointRow,
  turn: Turn,
): Promise<Taken> {
  const scope = { partnerId, environment }
  const now = deps.clock.now()
  const claimedAtMs = monotonicMs()
  return deps.db.inTransaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, scope, id)
    const answered = turn.answered.map((each) => (each.url === endpoint?.url ? each : ofAnother(each, now)))
    record(tx, { ...scope, id }, { ...turn, answered, now })
    if (endpoint === null) return { endpoint, atOnce: 1, answered, deliveries: [], claimedAtMs }
    const heard = heardOf(answered)
    noteHowItDoes(tx, endpoint, { heard: heard.map(({ verdict }) => verdict), now })
    const isFailing = heard.length > 0 ? !isWorking(heard) : endpoint.failingSince !== null
    const most = mayTakeNow(endpoint, { ...turn, answered }, now)
      ? Math.min(turn.mayTake, isFailing ? 1 - turn.underWay : Infinity)
      : 0
    const lease = { leaseToken: turn.leaseToken, leaseUntil: after(now, LEASE_MS) }
    // What has happened meanwhile goes out with it: nobody waits for the next round.
    if (most > 0) await makeLocked(tx, endpoint, { now, most: MOST_MADE })
    const deliveries = most > 0 ? await claimDeliveries(tx, endpoint, { now, ...lease, most }) : []
    if (deliveries.length > 0) serveAlone(tx, endpoint, { leaseToken: lease.leaseToken, until: lease.leaseUntil })
    else if (endpoint.servedBy === turn.leaseToken && turn.underWay === 0) serveAlone(tx, endpoint, null)
    return { endpoint, atOnce: isFailing ? 1 : MOST_AT_ONCE, answered, deliveries, claimedAtMs }
  })
}

/** What another address says, at which the endpoint was a moment ago, ends nothing: it is sent to the one that it has now. */
function ofAnother({ verdict, ...sent }: Answered, now: Date): Answered {
  const again = { state: 'waiting', nextTryAt: now, endedAt: null } as const
  const result = verdict.disable === null ? verdict.result : { ...verdict.result, ...again }
  return { ...sent, verdict: { ...verdict, result, disable: null, quietUntil: null } }
}

/** With what is sent. */
export async function withBodies(deps: Deps, scope: Scope, { deliveries, claimedAtMs }: Taken): Promise<Claimed[]> {
  const ids = deliveries.map(({ eventId }) => eventId)
  const bodies = ids.length === 0 ? [] : await bodiesOf(deps, scope, ids)
  return deliveries.map((delivery, index) => ({ delivery, claimedAtMs, body: bodies[index]! }))
}

function record(
  tx: Tx,
  endpoint: Scope & { id: string },
  { leaseToken, answered, unsent, now }: Turn & { now: Date },
): void {
  const heard = heardOf(answered)
  const health = { isWorking: isWorking(heard), now, quietUntil: quietUntil(heard) }
  if (heard.length > 0) noteHealth(tx, endpoint, health)
  holdBackOthers(tx, endpoint, { leaseToken, answered })
  if (answered.length > 0)
    recordAttempts(tx, endpoint, { leaseToken, inOrderMs: IN_ORDER_MS, results: answered.map(resultOf) })
  const ids = unsent.map(({ delivery }) => delivery.id)
  if (ids.length > 0) giveBackDeliveries(tx, endpoint, leaseToken, ids)
}

/** An attempt after these is made when nothing waits for it any longer. */
const ATTEMPTS_IN_ORDER = 2

/** What waits for one that has failed is due again with it, or when it need not wait any longer. */
function holdBackOthers(
  tx: Tx,
  endpoint: Scope & { id: string },
  { leaseToken, answered }: Pick<Turn, 'leaseToken' | 'answered'>,
): void {
  for (const { delivery, verdict } of answered) {
    const { at, nextTryAt } = verdict.result
    if (delivery.attempts >= ATTEMPTS_IN_ORDER || nextTryAt === null) continue
    holdBack(tx, endpoint, leaseToken, { ...delivery, nextTryAt, inOrderUntil: after(at, IN_ORDER_MS) })
  }
}

function mayTakeNow(endpoint: EndpointRow, { leaseToken, answered }: Turn, now: Date): boolean {
  const isOver = answered.some(({ verdict }) => verdict.disable !== null || verdict.quietUntil !== null)
  return (
    endpoint.status === 'active' && !isOver && !isLater(endpoint.quietUntil, now) && !isTaken(endpoint, leaseToken, now)
  )
}

/** By another, who sends to it. */
export function isTaken({ servedBy, servedUntil }: EndpointRow, leaseToken: string | null, now: Date): boolean {
  // One from further ahead was written by a clock that was wrong.
  return (
    servedBy !== null &&
    servedBy !== leaseToken &&
    isLater(servedUntil, now) &&
    !isLater(servedUntil, after(now, LEASE_MS))
  )
}

const isLater = (moment: Date | null, now: Date) => moment !== null && moment > now

/** One that cannot be shown keeps none of the others back: it is looked for half by half. */
async function bodiesOf(deps: Deps, scope: Scope, ids: readonly string[]): Promise<Body[]> {
  try {
    const texts = await deps.outbound.eventTexts(scope, ids)
    return ids.map((id) => ({ text: texts.get(id) ?? null }))
  } catch (error) {
    if (isOutage(error)) throw error
    if (ids.length === 1) return [{ error }]
    const half = ids.length >> 1
    return [...(await bodiesOf(deps, scope, ids.slice(0, half))), ...(await bodiesOf(deps, scope, ids.slice(half)))]
  }
}

/** Those that say something of the receiver. */
export const heardOf = (answered: readonly Answered[]) => answered.filter(({ verdict }) => !verdict.isOurs)

export const isWorking = (heard: readonly Answered[]) => heard.some(({ verdict }) => verdict.isDelivered)

/** The longest that any of them asked for. */
function quietUntil(heard: readonly Answered[]): Date | null {
  const asked = heard.flatMap(({ verdict }) => verdict.quietUntil ?? [])
  return asked.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? null
}

const resultOf = ({ delivery, verdict: { result, isOurs } }: Answered) => ({ id: delivery.id, isOurs, ...result })
