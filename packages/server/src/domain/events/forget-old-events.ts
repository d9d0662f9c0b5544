// Events are kept for 90 days. A wallet's newest stays, so that its position is not given again, and so does the newest of a
// subject that may have more, so that it counts on.
import { lowestIdAt } from '../../core/ids.ts'
import { forgetEvents, listWalletsWithOldEvents } from '../../storage/forgotten-events.ts'
import type { Deps } from '../deps.ts'
import { keptSince } from './read-events.ts'

const MOST_AT_ONCE = 2_000
const MOST_WALLETS = 50

/** True while there is more to forget. */
export async function forgetOldEvents(deps: Pick<Deps, 'db' | 'reports' | 'clock'>): Promise<boolean> {
  const before = lowestIdAt(keptSince(deps.clock.now()))
  const wallets = await listWalletsWithOldEvents(deps.reports, before, MOST_WALLETS)
  for (const scope of wallets) {
    await deps.db.inTransaction(async (tx) => forgetEvents(tx, scope, { before, most: MOST_AT_ONCE }))
  }
  return wallets.length > 0
}
