// How many keys a business may make in the dashboard. Only five are active, but rotating and revoking over and over
// would leave endless rows. The operator's keys are not counted.
import type { Db, Tx } from '../../storage/sql.ts'
import { type Limit, type LimitDeps, refuseIfNoneLeft, takeOrRefuse } from '../limits/limit.ts'

const AT_ONCE = 50
const EVERY_MINUTES = 30

const MAKE_KEY: Limit = {
  name: 'key/partner',
  everyMs: EVERY_MINUTES * 60_000,
  burst: AT_ONCE,
  refusal: `A business can make or rotate ${AT_ONCE} keys at once and then one more every ${EVERY_MINUTES} minutes. Wait as long as Retry-After says. Nothing was done.`,
}

/** Counts a key that is made or rotated. */
export function mayMakeKey(tx: Tx, deps: LimitDeps, partnerId: string): Promise<void> {
  return takeOrRefuse(tx, deps, MAKE_KEY, partnerId)
}

/** Whether a key could be made now. Asked before a code is mailed for it. */
export function requireKeyLeft(db: Db, deps: LimitDeps, partnerId: string): Promise<void> {
  return refuseIfNoneLeft(db, deps, MAKE_KEY, partnerId)
}
