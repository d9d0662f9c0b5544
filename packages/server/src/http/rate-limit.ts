// How often a key may call: a steady rate and a burst, kept as one moment per key (the generic cell rate algorithm).
// Each process counts for itself.
import { monotonicMs } from '../core/clock.ts'

export interface Verdict {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds until the full burst is there again. */
  readonly resetSeconds: number
  /** Seconds until one more request is allowed. */
  readonly retryAfterSeconds: number
}

const MOST_KEYS = 10_000

export class RateLimiter {
  /** Whole microseconds, so that a burst is exactly as long as it should be. */
  readonly #interval: number
  readonly #burst: number
  readonly #now: () => number
  /** The moment at which a key has its full burst again. */
  readonly #fullAt = new Map<string, number>()

  constructor(options: { perSecond: number; burst: number; now?: () => number }) {
    this.#interval = Math.ceil(1_000_000 / options.perSecond)
    this.#burst = options.burst
    this.#now = options.now ?? monotonicMs
  }

  take(key: string): Verdict {
    const now = Math.floor(this.#now() * 1_000)
    const fullAt = Math.max(this.#fullAt.get(key) ?? now, now)
    const used = Math.ceil((fullAt - now) / this.#interval)
    const isAllowed = used < this.#burst
    const next = isAllowed ? fullAt + this.#interval : fullAt
    this.#fullAt.set(key, next)
    if (this.#fullAt.size > MOST_KEYS) this.#forgetIdle(now)
    const untilOneMore = fullAt - now - (this.#burst - 1) * this.#interval
    return {
      isAllowed,
      limit: this.#burst,
      remaining: isAllowed ? this.#burst - used - 1 : 0,
      resetSeconds: Math.ceil((next - now) / 1_000_000),
      retryAfterSeconds: isAllowed ? 0 : Math.max(1, Math.ceil(untilOneMore / 1_000_000)),
    }
  }

  #forgetIdle(now: number): void {
    for (const [key, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(key)
  }
}
