import { after } from '../../core/clock.ts'
import { type ApiKeyRow, listKeys as readKeys } from '../../storage/api-keys.ts'
import type { Deps } from '../deps.ts'

const REVOKED_SHOWN_FOR_MS = 90 * 24 * 60 * 60 * 1_000
const MOST_SHOWN = 200

/** The keys of both environments, 200 at most: those that are active, and those that stopped in the last 90 days. */
export function listKeys(deps: Pick<Deps, 'db' | 'clock'>, partnerId: string): Promise<ApiKeyRow[]> {
  const at = deps.clock.now()
  return readKeys(deps.db, partnerId, { at, stoppedSince: after(at, -REVOKED_SHOWN_FOR_MS), most: MOST_SHOWN })
}
