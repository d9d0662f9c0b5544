// Limits what unknown callers may cost, by their network: so many requests, and so many keys or sessions that turn out
// not to exist. A recognised caller is limited by its key or session instead, so neighbours behind one address cannot
// keep each other out.
import type { FastifyRequest } from 'fastify'

import { AppError } from '../../core/errors.ts'
import { forgetOldest } from '../../core/forget-oldest.ts'
import { Lanes } from '../../core/lanes.ts'
import { networkOf } from '../../core/network.ts'
import { RateLimiter, type Verdict } from './rate-limit.ts'

/** A first visit to a page asks for about forty files at once, and an office has several people. */
const BURST_SECONDS = 10
/** A key has 192 random bits: nobody guesses one. This limits what looking them up one by one may cost. */
const FAILURES_PER_MINUTE = 30
const FAILURES = { perSecond: FAILURES_PER_MINUTE / 60, burst: FAILURES_PER_MINUTE }
const MOST_KNOWN = 10_000
/** Beyond that they are looked up together, one query at a time, so that a flood of them is a few queries. */
const TOGETHER = { largestBatch: 500, longestQueue: 5_000 }

export class NetworkGate {
  readonly #strangers: RateLimiter
  readonly #failures = new RateLimiter(FAILURES)
  /** Apart: whoever tries keys from the bank's network does not keep its messages out. */
  readonly #wrongSignatures = new RateLimiter(FAILURES)
  /** Requests that were counted as failures before their outcome was known, and where. */
  readonly #counted = new WeakMap<FastifyRequest, RateLimiter>()
  /** Hashes of keys and sessions that existed when they last called, the latest caller last: no secret is kept. */
  readonly #known = new Set<string>()
  readonly #together: Lanes<Buffer, boolean>

  constructor(perSecond: number, areValid: (hashes: readonly Buffer[]) => Promise<readonly boolean[]>) {
    this.#strangers = new RateLimiter({ perSecond, burst: perSecond * BURST_SECONDS })
    this.#together = new Lanes({
      ...TOGETHER,
      run: (_lane, hashes) => areValid(hashes),
      onFull: () => tooManyUnknown({ retryAfterSeconds: 1 }),
      mayRetrySingly: () => false,
    })
  }

  /** Admits a request without a key or session. */
  admitStranger(request: FastifyRequest, cost: number): void {
    if (cost === 0) return
    const verdict = this.#strangers.take(networkOf(request.ip), cost)
    if (!verdict.isAllowed)
      throw refusal('Too many requests without a key or a session came from your network.', verdict)
  }

  /**
   * Admits a look-up of a key or session by its hash. A credential that was found before always passes, and so does one that exists, whoever else calls
   * from that network.
   */
  async admitCredential(request: FastifyRequest, hash: Buffer): Promise<void> {
    if (this.#known.has(nameOf(hash))) return
    const verdict = this.#count(request, this.#failures)
    if (verdict.isAllowed || (await this.#together.submit('all', hash))) return
    throw tooManyUnknown(verdict)
  }

  /** Admits a request that proves itself by a signature, unless too many of that kind did not. */
  admitUnproven(request: FastifyRequest): void {
    const verdict = this.#count(request, this.#wrongSignatures)
    if (!verdict.isAllowed)
      throw refusal(
        'Too many messages came from your network whose signature is wrong or still being checked.',
        verdict,
      )
  }

  /** Counts as a failure until it turns out to be none. */
  #count(request: FastifyRequest, failures: RateLimiter): Verdict {
    const verdict = failures.take(networkOf(request.ip))
    if (verdict.isAllowed) this.#counted.set(request, failures)
    return verdict
  }

  /** The credential exists, or nothing speaks against its network: the count is given back. */
  uncount(request: FastifyRequest): void {
    this.#counted.get(request)?.giveBack(networkOf(request.ip))
    this.#counted.delete(request)
  }

  found(hash: Buffer): void {
    const name = nameOf(hash)
    this.#known.delete(name)
    this.#known.add(name)
    forgetOldest(this.#known, MOST_KNOWN)
  }

  /** The credential does not exist, or no longer. */
  failed(request: FastifyRequest, hash: Buffer): void {
    this.#known.delete(nameOf(hash))
    if (!this.#counted.has(request)) this.#count(request, this.#failures)
  }
}

function tooManyUnknown(verdict: Pick<Verdict, 'retryAfterSeconds'>): AppError {
  return refusal('Too many keys or sessions that are not known came from your network.', verdict)
}

const nameOf = (hash: Buffer): string => hash.toString('latin1')

function refusal(what: string, verdict: Pick<Verdict, 'retryAfterSeconds'>): AppError {
  return new AppError('rate_limited', `${what} Wait as long as Retry-After says.`, {
    retryAfterSeconds: verdict.retryAfterSeconds,
    details: { limit: 'network' },
  })
}
