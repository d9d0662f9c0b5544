// Lets what repeats rest while nothing happens. For a while after something did, rounds come as often as ever; after that
// they are far apart, and the next thing that happens wakes all of them at once.
import { monotonicMs } from './clock.ts'

export interface Rest {
  /** Something happened that may mean work. */
  stir(): void
  /** Whether something happened lately, or nobody would tell us if it did. */
  isAwake(): boolean
  /** Aborted when something happens after this call. */
  waking(): AbortSignal
}

/** Longer than a payout takes to its end, so that nobody falls asleep over one. */
const AWAKE_MS = 10_000

/** How far apart rounds are at rest: how late something is noticed that nobody told us of. */
export const RESTING_MS = 5_000

export function createRest(wouldHear: () => boolean, awakeMs = AWAKE_MS): Rest {
  let stirredAt = monotonicMs()
  // Null: nobody waits. Every request stirs, and aborting costs more than all the rest of it.
  let waking: AbortController | null = null
  return {
    stir: () => {
      stirredAt = monotonicMs()
      waking?.abort()
      waking = null
    },
    isAwake: () => monotonicMs() - stirredAt < awakeMs || !wouldHear(),
    waking: () => (waking ??= new AbortController()).signal,
  }
}
