// Deliveries are kept as long as the events that they carry, and the hours of endpoints for as long as somebody asks for them.
import { after } from '../../core/clock.ts'
import { lowestIdAt } from '../../core/ids.ts'
import { forgetDeliveries, forgetEndpoints, listEndpointsWithOld } from '../../storage/webhook-lists.ts'
import { forgetHours } from '../../storage/webhook-hours.ts'
import type { Deps } from '../deps.ts'
import { keptSince } from '../events/read-events.ts'
import { DAY_MS } from './how-endpoints-do.ts'

const BATCH = 1_000

/** Returns whether there may be more. */
export async function tidyWebhooks(deps: Pick<Deps, 'db' | 'clock'>): Promise<boolean> {
  const since = keptSince(deps.clock.now())
  const before = lowestIdAt(since)
  let hasMore = false
  for (const endpoint of await listEndpointsWithOld(deps.db, before)) {
    const forgotten = await deps.db.inTransaction((tx) => forgetDeliveries(tx, endpoint, before, BATCH))
    hasMore ||= forgotten === BATCH
  }
  await deps.db.inTransaction(async (tx) => {
    forgetEndpoints(tx, since)
    forgetHours(tx, after(deps.clock.now(), -2 * DAY_MS))
  })
  return hasMore
}
