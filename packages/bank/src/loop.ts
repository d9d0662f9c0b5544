// Runs a round again and again until told to stop; a failure is reported and the next round comes all the same.
import { sleep } from './core/clock.ts'

export class Loop {
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>
  #waking = new AbortController()

  constructor(options: {
    /** True when there may be more to do at once. */
    round: () => Promise<boolean>
    pauseMs: number
    onError: (error: unknown) => void
  }) {
    this.#running = this.#run(options)
  }

  /** There is something to do: the next round comes now and not after the pause. */
  nudge(): void {
    this.#waking.abort()
  }

  /** Resolves when the round under way is finished. */
  stop(): Promise<void> {
    this.#stopping.abort()
    this.#waking.abort()
    return this.#running
  }

  async #run(options: { round: () => Promise<boolean>; pauseMs: number; onError: (error: unknown) => void }) {
    while (!this.#stopping.signal.aborted) {
      // Made before the round: a nudge that comes during it is not forgotten.
      this.#waking = new AbortController()
      let hasMore = false
      try {
        hasMore = await options.round()
      } catch (error) {
        options.onError(error)
      }
      if (!hasMore && !this.#stopping.signal.aborted) await sleep(options.pauseMs, this.#waking.signal)
    }
  }
}
