// How much costly work one partner may have under way at once, over all its keys and sessions: the rest of the service
// is everybody else's.
import type { EventEmitter } from 'node:events'

import { AppError } from '../../core/errors.ts'

export type Share = 'exports' | 'documents' | 'pictures'

type Answer = EventEmitter & { readonly destroyed?: boolean }

const MOST: Readonly<Record<Share, number>> = { exports: 2, documents: 3, pictures: 2 }

export class Shares {
  readonly #underWay = new Map<string, number>()

  /**
   * Takes one share; 429 when the partner has used all of its own. It is given back once the answer is written or the
   * caller has gone, and the work is over, which the returned function says: hanging up does not end the work.
   */
  take(share: Share, partnerId: string, answer: Answer): () => void {
    const name = `${share}/${partnerId}`
    const before = this.#underWay.get(name) ?? 0
    if (before >= MOST[share]) throw refusal(share)
    this.#underWay.set(name, before + 1)
    const open = new Set(['answer', 'work'])
    const end = (what: string) => {
      if (open.delete(what) && open.size === 0) this.#giveBack(name)
    }
    // Whoever has hung up already, while it was found out who asks, does not close a second time.
    if (answer.destroyed === true) end('answer')
    answer.once('finish', () => end('answer'))
    answer.once('close', () => end('answer'))
    return () => end('work')
  }

  #giveBack(name: string): void {
    const left = (this.#underWay.get(name) ?? 1) - 1
    if (left === 0) this.#underWay.delete(name)
    else this.#underWay.set(name, left)
  }
}

function refusal(share: Share): AppError {
  return new AppError(
    'rate_limited',
    `There are ${MOST[share]} ${share} of this business under way already. Wait for one of them to end.`,
    { retryAfterSeconds: 1, details: { limit: 'business' } },
  )
}
