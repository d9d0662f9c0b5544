// How often a caller may call: a steady rate and a burst, kept as one moment per caller (the generic cell rate
// algorithm). Each process counts for itself.
import { monotonicMs } from '../../core/clock.ts'
import { forgetOldest } from '../../core/forget-oldest.ts'

export interface Verdict {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds until the full burst is there again. */
  readonly resetSeconds: number
  /** Seconds until this request is allowed. */
  readonly retryAfterSeconds: number
}

/** The callers that have been silent longest are forgotten first, so memory is bounded. */
const MOST_CALLERS = 10_000

export class RateLimiter {
  /** Whole microseconds, so that a burst is exactly as long as it should be. */
  readonly #interval: number
  readonly #burst: number
  readonly #now: () => number
  /** The moment at which each caller has its full burst again, the latest caller last. */
  readonly #fullAt = new Map<string, number>()

  constructor(options: { perSecond: number; burst: number; now?: () => number }) {
    this.#interval = Math.ceil(1_000_000 / options.perSecond)
    this.#burst = options.burst
    this.#now = options.now ?? monotonicMs
  }

  get size(): number {
    return this.#fullAt.size
  }

  /**
   * Takes one request, or a costly one that counts as several. The cost is capped at a whole burst, or it could never
   * be allowed.
   */
  take(caller: string, cost = 1): Verdict {
    const { now, fullAt, verdict } = this.#look(caller, cost)
    this.#fullAt.delete(caller)
    const next = verdict.isAllowed ? fullAt + this.#costOf(cost) * this.#interval : fullAt
    if (next > now) this.#fullAt.set(caller, next)
    forgetOldest(this.#fullAt, MOST_CALLERS)
    return verdict
  }

  /** Gives back what a request took that turns out not to count. */
  giveBack(caller: string, cost = 1): void {
    const fullAt = this.#fullAt.get(caller)
    if (fullAt !== undefined) this.#fullAt.set(caller, fullAt - this.#costOf(cost) * this.#interval)
  }

  /** The verdict without taking anything. */
  look(caller: string, cost = 1): Verdict {
    return this.#look(caller, cost).verdict
  }

  #costOf(cost: number): number {
    return Math.min(cost, this.#burst)
  }

  #look(caller: string, weight: number): { now: number; fullAt: number; verdict: Verdict } {
    const cost = this.#costOf(weight)
    const now = Math.floor(this.#now() * 1_000)
    const fullAt = Math.max(this.#fullAt.get(caller) ?? now, now)
    const used = Math.ceil((fullAt - now) / this.#interval)
    const isAllowed = used + cost <= this.#burst
    const next = isAllowed ? fullAt + cost * this.#interval : fullAt
    const untilAllowed = fullAt - now - (this.#burst - cost) * this.#interval
    const verdict = {
      isAllowed,
      limit: this.#burst,
      remaining: Math.max(0, this.#burst - used - (isAllowed ? cost : 0)),
      resetSeconds: Math.ceil((next - now) / 1_000_000),
      retryAfterSeconds: isAllowed ? 0 : Math.max(1, Math.ceil(untilAllowed / 1_000_000)),
    }
    return { now, fullAt, verdict }
  }
}
