import { after } from '../../core/clock.ts'
import { listKeys as readKeys } from '../../storage/api-keys.ts'
import { listAllSpending } from '../../storage/spending-limits.ts'
import type { Deps } from '../deps.ts'
import type { KeyWithRules } from './change-key.ts'

const REVOKED_SHOWN_FOR_MS = 90 * 24 * 60 * 60 * 1_000
const MOST_SHOWN = 200

/** The keys of both environments, 200 at most: those that are active, and those that stopped in the last 90 days. */
export async function listKeys(deps: Pick<Deps, 'db' | 'clock'>, partnerId: string): Promise<KeyWithRules[]> {
  const at = deps.clock.now()
  const [keys, spending] = await Promise.all([
    readKeys(deps.db, partnerId, { at, stoppedSince: after(at, -REVOKED_SHOWN_FOR_MS), most: MOST_SHOWN }),
    listAllSpending(deps.db, partnerId, at),
  ])
  const ofSpender = new Map(spending.map((each) => [`${each.environment}/${each.spenderId}`, each]))
  return keys.map((key) => ({ ...key, spending: ofSpender.get(`${key.environment}/${key.spenderId}`) ?? null }))
}
