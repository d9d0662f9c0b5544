// Runs a round again and again until told to stop; a failure is reported and the next round comes all the same. When
// nothing has happened for a while, rounds are far apart, and a nudge wakes it at once.
import { monotonicMs, sleep } from './core/clock.ts'

export interface LoopOptions {
  /** True when there may be more to do at once. */
  readonly round: () => Promise<boolean>
  readonly pauseMs: number
  /** The pause while nothing happens. */
  readonly restMs: number
  /** Rounds that somebody wants, one after another, begin no closer together than this: what comes meanwhile is done together. */
  readonly apartMs: number
  readonly onError: (error: unknown) => void
}

/** Longer than any transfer's next step is away. */
const AWAKE_MS = 10_000

export class Loop {
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>
  #waking = new AbortController()
  #stirredAt = monotonicMs()

  constructor(options: LoopOptions) {
    this.#running = this.#run(options)
  }

  /** There is something to do: the next round comes now and not after the pause. */
  nudge(): void {
    this.#stirredAt = monotonicMs()
    this.#waking.abort()
  }

  /** Resolves when the round under way is finished. */
  stop(): Promise<void> {
    this.#stopping.abort()
    this.#waking.abort()
    return this.#running
  }

  async #run(options: LoopOptions) {
    let wasWanted = false
    while (!this.#stopping.signal.aborted) {
      // Made before the round: a nudge that comes during it is not forgotten.
      this.#waking = new AbortController()
      const beganAt = monotonicMs()
      let hasMore = false
      try {
        hasMore = await options.round()
      } catch (error) {
        options.onError(error)
      }
      if (hasMore) this.#stirredAt = monotonicMs()
      const isAwake = monotonicMs() - this.#stirredAt < AWAKE_MS
      const pauseMs = isAwake ? options.pauseMs : options.restMs
      if (!hasMore && !this.#stopping.signal.aborted) await sleep(pauseMs, this.#waking.signal)
      const isWanted = hasMore || this.#waking.signal.aborted
      const tooSoonBy = wasWanted && isWanted ? beganAt + options.apartMs - monotonicMs() : 0
      if (tooSoonBy > 0) await sleep(tooSoonBy, this.#stopping.signal)
      wasWanted = isWanted
    }
  }
}
