// Masked requests and answers, kept for fourteen days beside the log.
import { after } from '../../core/clock.ts'
import { forgetRequestBodies } from '../../storage/request-bodies.ts'
import type { Deps } from '../deps.ts'

export type { LeftOut, NewRequestBodies, RequestBodies } from '../../storage/request-bodies.ts'

/** Fourteen days. */
export const BODIES_KEPT_MS = 14 * 86_400_000
const MOST_AT_ONCE = 5_000

/** The moment of the oldest that are still told. */
export const bodiesKeptSince = (now: Date): Date => after(now, -BODIES_KEPT_MS)

/** True while there are more to forget. */
export async function forgetOldBodies(deps: Pick<Deps, 'db' | 'clock'>): Promise<boolean> {
  const before = bodiesKeptSince(deps.clock.now())
  return (await deps.db.inTransaction((tx) => forgetRequestBodies(tx, before, MOST_AT_ONCE))) === MOST_AT_ONCE
}
