// What somebody whom we do not know may cost, by the network they call from: so many requests, and so many keys or
// sessions that turn out not to exist. Whoever is recognised is limited by their key or session instead, so neighbours
// behind one address cannot keep each other out.
import type { FastifyRequest } from 'fastify'

import { AppError } from '../../core/errors.ts'
import { sha256 } from '../../core/ids.ts'
import { Lanes } from '../../core/lanes.ts'
import { networkOf } from '../../core/network.ts'
import { RateLimiter, type Verdict } from './rate-limit.ts'

/** A page that is loaded for the first time asks for some forty files at once, and an office has several people. */
const BURST_SECONDS = 10
/** A key has 192 random bits: nobody guesses one. This is what looking them up one by one may cost. */
const FAILURES_PER_MINUTE = 30
const MOST_KNOWN = 10_000
/** Beyond that they are asked about together, one question at a time, so that a flood of them is a few questions. */
const TOGETHER = { largestBatch: 500, longestQueue: 5_000 }

export class NetworkGate {
  readonly #strangers: RateLimiter
  readonly #failures = new RateLimiter({ perSecond: FAILURES_PER_MINUTE / 60, burst: FAILURES_PER_MINUTE })
  /** Requests that were counted as failures before anybody knew what would come of them. */
  readonly #counted = new WeakSet<FastifyRequest>()
  /** Hashes of keys and sessions that were found when they last called; who called last is last. */
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

  /** Lets a request in that nobody vouches for. */
  admitStranger(request: FastifyRequest, cost: number): void {
    if (cost === 0) return
    const verdict = this.#strangers.take(networkOf(request.ip), cost)
    if (!verdict.isAllowed)
      throw refusal('Too many requests without a key or a session came from your network.', verdict)
  }

  /** Lets something be looked up. What was found before always is, and so is what somebody has, whoever calls beside it. */
  async admitCredential(request: FastifyRequest, credential: string): Promise<void> {
    if (this.#known.has(hashOf(credential))) return
    const verdict = this.#count(request)
    if (verdict.isAllowed || (await this.#together.submit('all', sha256(credential)))) return
    throw tooManyUnknown(verdict)
  }

  /** Lets something in that proves itself, unless too much of the kind did not. */
  admitUnproven(request: FastifyRequest): void {
    const verdict = this.#count(request)
    if (!verdict.isAllowed) throw tooManyUnknown(verdict)
  }

  /** It counts as a failure until it turns out to be none. */
  #count(request: FastifyRequest): Verdict {
    const verdict = this.#failures.take(networkOf(request.ip))
    if (verdict.isAllowed) this.#counted.add(request)
    return verdict
  }

  /** Somebody's, or at least nothing that speaks against its network: what was counted is given back. */
  uncount(request: FastifyRequest): void {
    if (this.#counted.delete(request)) this.#failures.giveBack(networkOf(request.ip))
  }

  found(credential: string): void {
    const hash = hashOf(credential)
    this.#known.delete(hash)
    this.#known.add(hash)
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.values().next().value!)
  }

  /** Nobody has it, or no longer. */
  failed(request: FastifyRequest, credential: string): void {
    this.#known.delete(hashOf(credential))
    if (!this.#counted.has(request)) this.#count(request)
  }
}

function tooManyUnknown(verdict: Pick<Verdict, 'retryAfterSeconds'>): AppError {
  return refusal('Too many keys or sessions that are not known came from your network.', verdict)
}

/** Secrets do not lie about in memory for longer than a request. */
function hashOf(credential: string): string {
  return sha256(credential).toString('base64')
}

function refusal(what: string, verdict: Pick<Verdict, 'retryAfterSeconds'>): AppError {
  return new AppError('rate_limited', `${what} Wait as long as Retry-After says.`, {
    retryAfterSeconds: verdict.retryAfterSeconds,
  })
}
