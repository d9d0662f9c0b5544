// Runs a job again and again until told to stop; a failure is reported and the next round comes all the same.
import { sleep } from '../core/clock.ts'

export interface Loop {
  /** Resolves when the round under way is finished. */
  readonly stop: () => Promise<void>
}

export function startLoop(options: {
  /** True when there may be more to do at once. */
  round: () => Promise<boolean>
  pauseMs: number
  onError: (error: unknown) => void
}): Loop {
  const stopping = new AbortController()
  const running = (async () => {
    while (!stopping.signal.aborted) {
      let hasMore = false
      try {
        hasMore = await options.round()
      } catch (error) {
        options.onError(error)
      }
      if (!hasMore) await sleep(options.pauseMs, stopping.signal)
    }
  })()
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}
