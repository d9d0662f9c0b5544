// Makes deliveries of what happened in a wallet since an endpoint was last looked at. Positions are committed in their order, so
// going on from one misses nothing, and whoever changed a payout had nothing to write for it.
import { after } from '../../core/clock.ts'
import { newIds } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { type EventRow, listEvents, readLastPosition } from '../../storage/events.ts'
import { insertDeliveries, movePosition } from '../../storage/webhook-deliveries.ts'
import { type EndpointRow, lockEndpoint } from '../../storage/webhook-endpoints.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { keptSince } from '../events/read-events.ts'

/**
 * A later event of a subject waits so long for the earlier, from its first attempt on, and then goes; it says its `sequence`. An
 * earlier one that was never tried, or is due itself, is waited for: it comes first.
 */
export const IN_ORDER_MS = 60_000

const BATCH = 500

/** Returns whether there may be more. */
export function makeDeliveries(deps: Pick<Deps, 'db' | 'clock'>, scope: Scope, endpointId: string): Promise<boolean> {
  return deps.db.inTransaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, scope, endpointId)
    if (endpoint === null || endpoint.status !== 'active') return false
    // Read before the events: whatever lies up to there and is not listed is no longer kept.
    const end = await readLastPosition(tx, scope)
    const made = await makeLocked(tx, endpoint, { now: deps.clock.now(), most: BATCH })
    if (made === 0 && end > endpoint.position) movePosition(tx, endpoint, end)
    return made === BATCH
  })
}

/** The same under the endpoint's lock, of an active endpoint. Returns of how many events. */
export async function makeLocked(
  tx: Tx,
  endpoint: EndpointRow,
  { now, most }: { now: Date; most: number },
): Promise<number> {
  const place = { direction: 'up', position: endpoint.position, since: keptSince(now), limit: most } as const
  const news = await listEvents(tx, endpoint, { types: null, subject: null }, place)
  const last = news.at(-1)
  if (last === undefined) return 0
  const wanted = news.filter((event) => wants(endpoint, event.type))
  const ids = newIds(now, wanted.length)
  insertDeliveries(tx, endpoint, {
    cause: 'event',
    at: now,
    inOrderUntil: after(now, IN_ORDER_MS),
    deliveries: wanted.map((event, index) => deliveryOf(event, ids[index]!)),
  })
  movePosition(tx, endpoint, last.position)
  return news.length
}

export function wants({ events }: Pick<EndpointRow, 'events'>, type: string): boolean {
  return events.includes('*') || events.includes(type)
}

export function deliveryOf({ id: eventId, type: eventType, subjectId, sequence }: EventRow, id: string) {
  return { id, eventId, eventType, subjectId, sequence }
}
