// How much of what is costly one partner may have under way at once, with all of its keys and sessions together: the rest
// of the service is everybody else's.
import type { EventEmitter } from 'node:events'

import { AppError } from '../core/errors.ts'

export type Share = 'exports' | 'documents'

const MOST: Readonly<Record<Share, number>> = { exports: 2, documents: 3 }

export class Shares {
  readonly #underWay = new Map<string, number>()

  /** Takes one until the answer is written or the caller has gone; 429 when the partner has all of its own. */
  take(share: Share, partnerId: string, answer: EventEmitter): void {
    const name = `${share}/${partnerId}`
    const before = this.#underWay.get(name) ?? 0
    if (before >= MOST[share]) throw refusal(share)
    this.#underWay.set(name, before + 1)
    let isGivenBack = false
    const giveBack = () => {
      if (isGivenBack) return
      isGivenBack = true
      const left = (this.#underWay.get(name) ?? 1) - 1
      if (left === 0) this.#underWay.delete(name)
      else this.#underWay.set(name, left)
    }
    answer.once('finish', giveBack)
    answer.once('close', giveBack)
  }
}

function refusal(share: Share): AppError {
  return new AppError(
    'rate_limited',
    `There are ${MOST[share]} ${share} of this business under way already. Wait for one of them to end.`,
    { retryAfterSeconds: 1 },
  )
}
