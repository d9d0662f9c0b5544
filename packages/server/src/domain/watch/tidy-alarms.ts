import { after } from '../../core/clock.ts'
import { tidyAlarms } from '../../storage/alarms.ts'
import type { Deps } from '../deps.ts'

/** Long enough to look back from the next quarter. */
const CLOSED_KEPT_MS = 90 * 24 * 60 * 60_000

export async function forgetOldAlarms(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = after(deps.clock.now(), -CLOSED_KEPT_MS)
  await deps.db.inTransaction(async (tx) => tidyAlarms(tx, before))
}
