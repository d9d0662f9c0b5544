// What the jobs of a worker at rest share: one look for work, which all of them ask for at the same moment (jobs/loop.ts).
import { monotonicMs } from '../../core/clock.ts'
import { type Work, lookForWork } from '../../storage/look-for-work.ts'
import type { Deps } from '../deps.ts'

/** Jobs wake within a few milliseconds of each other. Any longer, and what came since would be found a whole rest later. */
const SHARED_FOR_MS = 100

/** `payoutsWithinMs`: payouts that become due before this many milliseconds have passed count as well. */
export function createLook(deps: Pick<Deps, 'db' | 'clock'>, payoutsWithinMs: number): () => Promise<Work> {
  let looked: { readonly at: number; readonly work: Promise<Work> } | null = null
  return () => {
    const at = monotonicMs()
    if (looked === null || at - looked.at > SHARED_FOR_MS) {
      looked = { at, work: lookForWork(deps.db, deps.clock.now(), payoutsWithinMs) }
    }
    return looked.work
  }
}
