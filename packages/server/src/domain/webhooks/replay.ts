// Sends events again: one of them, or those of a time. They keep their ids, so a receiver that has them already knows.
import { after } from '../../core/clock.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { isUuid, lowestIdAt, newIds } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { type EventRow, findEvents } from '../../storage/events.ts'
import type { Tx } from '../../storage/sql.ts'
import { type DeliveryCause, type DeliveryRow, insertDeliveries } from '../../storage/webhook-deliveries.ts'
import { type EndpointRow, listEndpoints, lockEndpoint } from '../../storage/webhook-endpoints.ts'
import { listEventIds, listFailedEventIds } from '../../storage/webhook-replays.ts'
import type { Deps } from '../deps.ts'
import { type Limit, takeOrRefuse } from '../limits/limit.ts'
import { keptSince } from '../events/read-events.ts'
import { IN_ORDER_MS, deliveryOf, wants } from './make-deliveries.ts'

type ReplayDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>

const AT_ONCE = 20
const EVERY_MINUTES = 10

/** Each makes thousands of rows, and the same time can be asked for over and over. */
const REPLAY: Limit = {
  name: 'webhook-replay/partner',
  everyMs: EVERY_MINUTES * 60_000,
  burst: AT_ONCE,
  refusal: `A business can replay ${AT_ONCE} times at once and then once more every ${EVERY_MINUTES} minutes. Wait as long as Retry-After says. Nothing was done.`,
}

/** More than this at once would keep everything new waiting behind it. */
export const MOST_REPLAYED = 5_000

export function redeliver(
  deps: ReplayDeps,
  scope: Scope,
  { eventId, endpointId }: { eventId: string; endpointId: string | null },
): Promise<DeliveryRow[]> {
  return deps.db.inTransaction(async (tx) => {
    const now = deps.clock.now()
    const [event] = isUuid(eventId) ? await findEvents(tx, scope, [eventId], keptSince(now)) : []
    if (event === undefined) throw notFound()
    const chosen = endpointId === null ? await lockAll(tx, scope) : [await lockNamed(tx, scope, endpointId)]
    return chosen
      .filter((endpoint) => endpointId !== null || wants(endpoint, event.type))
      .flatMap((endpoint) => sendAgain(tx, endpoint, { events: [event], cause: 'redelivery', now }))
  })
}

/** Those that are not switched off, in the order of their ids. */
async function lockAll(tx: Tx, scope: Scope): Promise<EndpointRow[]> {
  const locked: EndpointRow[] = []
  for (const { id } of await listEndpoints(tx, scope)) {
    const endpoint = await lockEndpoint(tx, scope, id)
    if (endpoint !== null && endpoint.status !== 'disabled') locked.push(endpoint)
  }
  return locked
}

async function lockNamed(tx: Tx, scope: Scope, id: string): Promise<EndpointRow> {
  const endpoint = isUuid(id) ? await lockEndpoint(tx, scope, id) : null
  if (endpoint === null) throw notFound()
  refuseDisabled(endpoint, ['endpoint_id (an endpoint that is not disabled)'])
  return endpoint
}

/** What would be made for it would wait until it is switched on, perhaps for months. */
function refuseDisabled({ status }: EndpointRow, fields: readonly string[]): void {
  if (status !== 'disabled') return
  throw new AppError(
    'invalid_request',
    'This endpoint is switched off: nothing is sent to it. Set its status to active first. Nothing was done.',
    { details: { fields } },
  )
}

export interface Replay {
  readonly from: Date
  readonly to: Date | null
  readonly only: 'failed' | 'all'
}

export interface ReplayStarted {
  readonly deliveries: number
  readonly hasMore: boolean
  /** Up to here all is sent again. */
  readonly until: Date
}

export function replay(
  deps: ReplayDeps,
  scope: Scope,
  { id, wanted }: { id: string; wanted: Replay },
): Promise<ReplayStarted> {
  if (!isUuid(id)) throw notFound()
  return deps.db.inTransaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, scope, id)
    if (endpoint === null) throw notFound()
    refuseDisabled(endpoint, ['id (of an endpoint that is not disabled)'])
    const now = deps.clock.now()
    const to = wanted.to ?? now
    if (to <= wanted.from) {
      throw new AppError('invalid_request', 'A replay ends after it begins: `to` must be later than `from`.', {
        details: { fields: ['to (later than from)'] },
      })
    }
    await takeOrRefuse(tx, deps, REPLAY, scope.partnerId)
    // Nothing older is kept, and ids have no moments before 1970.
    const from = wanted.from > keptSince(now) ? wanted.from : keptSince(now)
    const range = { from: lowestIdAt(from), to: lowestIdAt(to > from ? to : from), limit: MOST_REPLAYED + 1 }
    const ids =
      wanted.only === 'all' ? await listEventIds(tx, scope, range) : await listFailedEventIds(tx, endpoint, range)
    const found = await findEvents(tx, scope, ids.slice(0, MOST_REPLAYED), keptSince(now))
    const events = wanted.only === 'all' ? found.filter(({ type }) => wants(endpoint, type)) : found
    const made = sendAgain(tx, endpoint, { events, cause: 'replay', now })
    const hasMore = ids.length > MOST_REPLAYED
    return { deliveries: made.length, hasMore, until: hasMore ? (found.at(-1)?.occurredAt ?? to) : to }
  })
}

function sendAgain(
  tx: Tx,
  endpoint: EndpointRow,
  { events, cause, now }: { events: readonly EventRow[]; cause: DeliveryCause; now: Date },
): DeliveryRow[] {
  const ids = newIds(now, events.length)
  const deliveries = events.map((event, index) => deliveryOf(event, ids[index]!))
  insertDeliveries(tx, endpoint, { cause, at: now, inOrderUntil: after(now, IN_ORDER_MS), deliveries })
  const { partnerId, environment, id: endpointId } = endpoint
  const fresh = { state: 'waiting', attempts: 0, createdAt: now, nextTryAt: now, endedAt: null } as const
  return deliveries.map((delivery) => ({ partnerId, environment, endpointId, cause, ...fresh, ...delivery }))
}
