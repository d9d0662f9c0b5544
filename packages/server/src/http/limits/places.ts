// How many requests of one business are worked on at once. The others wait in a line of the business's own, so that a
// neighbour finds the event loop, the database and the bank free, however many keys and connections the business has.
import type { EventEmitter } from 'node:events'

import type { Environment } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'

/** Plain requests; pages of payouts, sums and searches; requests in which the bank is asked. */
export type Kind = 'plain' | 'costly' | 'bank'

/**
 * Two hundred payouts take the one event loop thirteen milliseconds, and a second page at once makes only others wait. In
 * sandbox the bank is on this machine, and more payouts at once take its processor from others.
 */
const AT_ONCE: Readonly<Record<Kind, number>> = { plain: 4, costly: 1, bank: 16 }
/** One page of the dashboard asks for several sums, and several people look at it. */
const COSTLY_FOR_MEMBERS = 2
/** Half of the connections to the bank: a hundred payouts per second where it answers within a third of a second. */
const AT_THE_LIVE_BANK = 32

export function mostAtOnce(kind: Kind, by: { environment: Environment; isMember: boolean }): number {
  if (kind === 'bank' && by.environment === 'live') return AT_THE_LIVE_BANK
  return kind === 'costly' && by.isMember ? COSTLY_FOR_MEMBERS : AT_ONCE[kind]
}

export interface Line {
  readonly name: string
  /** How many in it are worked on at once. */
  readonly most: number
}

/** A whole burst of one key's. */
const MOST_WAITING = 200
/** As long as the bank may take. Programs that wait longer ask again, and the line becomes longer. */
const LONGEST_WAIT_MS = 10_000

type Answer = EventEmitter & { readonly destroyed?: boolean }

interface Counted {
  underWay: number
  readonly waiting: Set<() => void>
}

export class Places {
  /** A line with nothing under way is not in it. */
  readonly #lines = new Map<string, Counted>()

  /**
   * Waits for a place and returns the function that gives it back. 429 for those who find the line full or have waited
   * too long. A caller that hangs up leaves the line.
   */
  async take({ name, most }: Line, answer: Answer): Promise<() => void> {
    const line = this.#lines.get(name) ?? { underWay: 0, waiting: new Set() }
    this.#lines.set(name, line)
    if (line.underWay < most) line.underWay += 1
    else if (line.waiting.size < MOST_WAITING) await untilCalled(line.waiting, answer)
    else throw tooMany()
    let isTaken = true
    return () => {
      if (isTaken) this.#giveBack(name, line)
      isTaken = false
    }
  }

  /** Hands the place to whoever has waited longest. */
  #giveBack(name: string, line: Counted): void {
    const [call] = line.waiting
    if (call !== undefined) return call()
    line.underWay -= 1
    if (line.underWay === 0) this.#lines.delete(name)
  }
}

function untilCalled(waiting: Set<() => void>, answer: Answer): Promise<void> {
  return new Promise((resolve, reject) => {
    // Whoever has hung up already, while it was found out who asks, does not close a second time.
    if (answer.destroyed === true) return reject(tooMany())
    const call = () => {
      leave()
      resolve()
    }
    const giveUp = () => {
      leave()
      reject(tooMany())
    }
    const leave = () => {
      clearTimeout(timer)
      answer.off('close', giveUp)
      waiting.delete(call)
    }
    const timer = setTimeout(giveUp, LONGEST_WAIT_MS)
    answer.once('close', giveUp)
    waiting.add(call)
  })
}

function tooMany(): AppError {
  return new AppError(
    'rate_limited',
    'Your business has too many requests under way at once, with all of its keys or all of its sessions together. Nothing was done. Wait for answers before you ask more.',
    { retryAfterSeconds: 1, details: { limit: 'business' } },
  )
}
