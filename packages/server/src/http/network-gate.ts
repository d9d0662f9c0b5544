// What somebody whom we do not know may cost, by the network they call from: so many requests, and so many keys or
// sessions that turn out not to exist. Whoever is recognised is limited by their key or session instead, so neighbours
// behind one address cannot keep each other out.
import type { FastifyRequest } from 'fastify'

import { AppError } from '../core/errors.ts'
import { sha256 } from '../core/ids.ts'
import { networkOf } from '../core/network.ts'
import { RateLimiter, type Verdict } from './rate-limit.ts'

/** A page that is loaded for the first time asks for some forty files at once, and an office has several people. */
const BURST_SECONDS = 10
/** A key has 192 random bits: nobody guesses one. This is what looking them up may cost. */
const FAILURES_PER_MINUTE = 30
const MOST_KNOWN = 10_000

export class NetworkGate {
  readonly #strangers: RateLimiter
  readonly #failures = new RateLimiter({ perSecond: FAILURES_PER_MINUTE / 60, burst: FAILURES_PER_MINUTE })
  /** Hashes of keys and sessions that were found when they last called; who called last is last. */
  readonly #known = new Set<string>()

  constructor(perSecond: number) {
    this.#strangers = new RateLimiter({ perSecond, burst: perSecond * BURST_SECONDS })
  }

  /** Lets a request in that nobody vouches for. */
  admitStranger(request: FastifyRequest, cost: number): void {
    if (cost === 0) return
    const verdict = this.#strangers.take(networkOf(request.ip), cost)
    if (!verdict.isAllowed)
      throw refusal('Too many requests without a key or a session came from your network.', verdict)
  }

  /** Lets something be looked up; what was found before is always looked up again. */
  admitCredential(request: FastifyRequest, credential: string): void {
    if (!this.#known.has(hashOf(credential))) this.admitUnproven(request)
  }

  /** Lets something in that proves itself, unless too much of the kind did not. */
  admitUnproven(request: FastifyRequest): void {
    const verdict = this.#failures.look(networkOf(request.ip))
    if (verdict.isAllowed) return
    throw refusal('Too many keys or sessions that are not known came from your network.', verdict)
  }

  found(credential: string): void {
    const hash = hashOf(credential)
    this.#known.delete(hash)
    this.#known.add(hash)
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.values().next().value!)
  }

  failed(request: FastifyRequest, credential?: string): void {
    if (credential !== undefined) this.#known.delete(hashOf(credential))
    this.#failures.take(networkOf(request.ip))
  }
}

/** Secrets do not lie about in memory for longer than a request. */
function hashOf(credential: string): string {
  return sha256(credential).toString('base64')
}

function refusal(what: string, verdict: Verdict): AppError {
  return new AppError('rate_limited', `${what} Wait as long as Retry-After says.`, {
    retryAfterSeconds: verdict.retryAfterSeconds,
  })
}
