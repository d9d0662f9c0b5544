// Deliveries are kept as long as the events that they carry.
import { lowestIdAt } from '../../core/ids.ts'
import { forgetDeliveries, forgetEndpoints, listEndpointsWithOld } from '../../storage/webhook-lists.ts'
import type { Deps } from '../deps.ts'
import { keptSince } from '../events/read-events.ts'

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
  await deps.db.inTransaction(async (tx) => forgetEndpoints(tx, since))
  return hasMore
}
