// How often those may call who have a key or a session: each key and each member alone, and a business with all of them
// together.
import { AppError } from '../../core/errors.ts'
import { RateLimiter, type Verdict } from './rate-limit.ts'

/** The names that a caller's requests are counted under. */
export interface CountedAs {
  readonly kind: 'key' | 'member'
  /** The key or the member. */
  readonly own: string
  /** The budget that it shares with others of its business. */
  readonly shared: string
}

/** The limit that a caller is nearest to, and how it stands. */
export interface Standing extends Verdict {
  readonly of: CountedAs['kind'] | 'business'
}

/** A caller may save up what it may ask within two seconds. */
const BURST_SECONDS = 2
/** Two programs, or an old key and its new one, at their full rate. With more keys a business gets no more than that. */
const FULL_RATES = 2

export class CallerLimits {
  readonly #own: RateLimiter
  readonly #shared: RateLimiter

  constructor(perSecond: number, now?: () => number) {
    const limiter = (rate: number) =>
      new RateLimiter({ perSecond: rate, burst: rate * BURST_SECONDS, ...(now === undefined ? {} : { now }) })
    this.#own = limiter(perSecond)
    this.#shared = limiter(perSecond * FULL_RATES)
  }

  /** Takes a request from both limits, or from neither when one of them refuses it. */
  take(caller: CountedAs, cost = 1): Standing {
    const own = { ...this.#own.look(caller.own, cost), of: caller.kind }
    const shared = { ...this.#shared.look(caller.shared, cost), of: 'business' as const }
    const isAllowed = own.isAllowed && shared.isAllowed
    // A limiter takes nothing for what it refuses; asking it keeps a caller who is refused among those remembered.
    if (isAllowed || !own.isAllowed) this.#own.take(caller.own, cost)
    if (isAllowed || !shared.isAllowed) this.#shared.take(caller.shared, cost)
    return isAllowed ? fewerLeft(own, shared) : longerWait(own, shared)
  }

  /** Takes what a request turns out to cost beyond the one that it was admitted for, or gives that one back. */
  takeMore(caller: CountedAs, cost: number): Standing {
    this.giveBack(caller)
    return this.take(caller, 1 + cost)
  }

  /** Gives back what a request took that was refused after all. */
  giveBack(caller: CountedAs, cost = 1): Standing {
    this.#own.giveBack(caller.own, cost)
    this.#shared.giveBack(caller.shared, cost)
    return this.take(caller, 0)
  }
}

const fewerLeft = (own: Standing, shared: Standing) => (shared.remaining < own.remaining ? shared : own)

const longerWait = (own: Standing, shared: Standing) =>
  shared.retryAfterSeconds > own.retryAfterSeconds ? shared : own

const TOO_MANY: Readonly<Record<Standing['of'], string>> = {
  key: 'This key has made too many requests.',
  member: 'You have made too many requests, in all of your sessions together.',
  business: 'Your business has made too many requests, with all of its keys or all of its sessions together.',
}

export function refusalOf(standing: Standing): AppError {
  return new AppError('rate_limited', `${TOO_MANY[standing.of]} Wait as long as Retry-After says.`, {
    retryAfterSeconds: standing.retryAfterSeconds,
    details: { limit: standing.of },
  })
}
