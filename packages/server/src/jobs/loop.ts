// Runs a job again and again until told to stop; a failure is reported and the next round comes all the same.
import { monotonicMs, sleep } from '../core/clock.ts'
import { RESTING_MS, type Rest } from '../core/rest.ts'

export interface Loop {
  /** Resolves when the round under way is finished. */
  readonly stop: () => Promise<void>
}

export interface LoopOptions {
  /** True when there may be more to do at once. */
  readonly round: () => Promise<boolean>
  readonly pauseMs: number
  /** With it, a short pause becomes a longer one while nothing happens. */
  readonly rest?: Rest
  readonly onError: (error: unknown) => void
}

export function startLoop(options: LoopOptions): Loop {
  const stopping = new AbortController()
  const running = (async () => {
    while (!stopping.signal.aborted) {
      // Asked for before the round: what happens during it is not slept through.
      const waking = options.rest?.waking()
      let hasMore = false
      try {
        hasMore = await options.round()
      } catch (error) {
        options.onError(error)
      }
      if (hasMore) options.rest?.stir()
      else await pause(options, stopping.signal, waking)
    }
  })()
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

async function pause({ pauseMs, rest }: LoopOptions, stopping: AbortSignal, waking?: AbortSignal): Promise<void> {
  if (waking === undefined || pauseMs > RESTING_MS || rest?.isAwake() !== false) return sleep(pauseMs, stopping)
  return sleep(untilTogether(), AbortSignal.any([stopping, waking]))
}

/**
 * The time to a moment that all loops at rest share, at most RESTING_MS: a processor that wakes once for all of them does less
 * than one that wakes for each, and they share a look for work.
 */
function untilTogether(): number {
  return RESTING_MS - (monotonicMs() % RESTING_MS)
}
