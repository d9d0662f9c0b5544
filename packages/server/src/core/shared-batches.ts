// Single requests become batches, as in lanes.ts, and lanes share them: what waits in several goes together, because a batch
// costs much the same whether it is of one lane or of fifty. A lane that is in the way of others then goes by itself.
import { assert } from './assert.ts'
import type { Answer, Crew, Wish, Worker } from './crew.ts'
import type { ItemOutcome } from './lanes.ts'

export interface InLane<I> {
  readonly lane: string
  readonly item: I
}

export interface SharedBatchOptions<I, O> {
  /** Handles a batch and returns one outcome per item, in the same order. Throws only what all have failed by. */
  readonly run: (batch: readonly InLane<I>[]) => Promise<readonly ItemOutcome<O>[]>
  readonly crew: Crew
  readonly largestBatch: number
  /** A lane with so many waiting goes in two halves: while one is at work, the other is answered and read anew. Absent: never. */
  readonly halvesFrom?: number
  /** Beyond this many waiting in one lane, newcomers are refused at once. */
  readonly longestQueue: number
  readonly onFull: () => Error
  /** Whether a failed batch of several lanes certainly did nothing, so that each may be tried by itself. */
  readonly mayRetryApart: (error: unknown) => boolean
  /** The same for the items of one lane. */
  readonly mayRetrySingly: (error: unknown) => boolean
  /** Whether what failed by itself is over by now, and may be tried a few times more. */
  readonly mayRepeat?: (error: unknown) => boolean
  /** Whether a batch waited for a lock as long as one may, and did nothing: its lane is then tried a dozen times. */
  readonly mayWaitOn?: (error: unknown) => boolean
  readonly onBatch?: (size: number) => void
}

/** With whom an item goes: with anybody, with those of its lane after a failure, and by itself after another. */
type Company = 'any' | 'lane' | 'none'

interface Waiting<I, O> extends InLane<I> {
  readonly settle: (outcome: ItemOutcome<O>) => void
  readonly company: Company
  /** How often it was tried by itself. */
  readonly tries: number
  /** How often its lane has waited for a lock in vain. */
  readonly waits: number
}

/** Nobody meets so many passing troubles in a row. */
const MOST_TRIES = 3
/** Of a quarter of a second each: three seconds, for which every other transaction waits for a lock. */
const MOST_WAITS = 12

export class SharedBatches<I, O> implements Worker {
  readonly #options: SharedBatchOptions<I, O>
  readonly #queues = new Map<string, Waiting<I, O>[]>()

  constructor(options: SharedBatchOptions<I, O>) {
    this.#options = options
  }

  submit(lane: string, item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: ItemOutcome<O>) => (outcome.ok ? resolve(outcome.value) : reject(outcome.error))
      const waiting = { lane, item, settle, company: 'any', tries: 0, waits: 0 } as const
      const queue = this.#queues.get(lane)
      this.#options.crew.noteArrival()
      if (queue === undefined) {
        this.#queues.set(lane, [waiting])
        this.#options.crew.ask(this.#wishOf(lane))
      } else if (queue.length >= this.#options.longestQueue) {
        reject(this.#options.onFull())
      } else {
        queue.push(waiting)
      }
    })
  }

  #wishOf(lane: string): Wish {
    const queue = this.#queues.get(lane)!
    return { lane, isAlone: queue[0]!.company !== 'any', by: this, waiting: queue.length }
  }

  work(lanes: readonly string[]): Promise<Answer> {
    return this.#run(this.#take(lanes))
  }

  after(lanes: readonly string[]): Wish[] {
    return lanes.flatMap((lane) => {
      if (this.#queues.get(lane)!.length > 0) return [this.#wishOf(lane)]
      this.#queues.delete(lane)
      return []
    })
  }

  /** Of each lane as much as fits, in their order; those with little wait for none of those with much. */
  #take(lanes: readonly string[]): Waiting<I, O>[] {
    const queues = lanes.map((lane) => this.#queues.get(lane)!)
    let room = this.#roomFor(queues)
    return queues
      .toSorted((one, other) => one.length - other.length)
      .flatMap((queue, index) => {
        const share = Math.ceil(room / (queues.length - index))
        const taken = queue.splice(0, Math.min(share, likeTheFirst(queue)))
        room -= taken.length
        return taken
      })
  }

  #roomFor(queues: readonly unknown[][]): number {
    const { largestBatch, halvesFrom = Number.POSITIVE_INFINITY } = this.#options
    const waiting = queues.length === 1 ? queues[0]!.length : 0
    return waiting < halvesFrom ? largestBatch : Math.min(largestBatch, Math.ceil(waiting / 2))
  }

  /** Those that are tried again are back in their lanes before anybody is answered. */
  async #run(batch: readonly Waiting<I, O>[]): Promise<Answer> {
    const outcomes = await this.#outcomesOf(batch)
    const tried = batch.length === 1 ? 'item' : batch.every(({ lane }) => lane === batch[0]!.lane) ? 'lane' : 'lanes'
    const again = batch.map((each, index) => {
      const outcome = outcomes[index]!
      return outcome.ok ? null : this.#again(each, tried, outcome.error)
    })
    this.#putBack(again.filter((each) => each !== null))
    return () => {
      batch.forEach(({ settle }, index) => {
        if (again[index] === null) settle(outcomes[index]!)
      })
    }
  }

  /** Whatever goes wrong is an outcome: nobody is left without one, and the lanes go on. */
  async #outcomesOf(batch: readonly Waiting<I, O>[]): Promise<readonly ItemOutcome<O>[]> {
    try {
      this.#options.onBatch?.(batch.length)
      const outcomes = await this.#options.run(batch)
      assert(outcomes.length === batch.length, 'a batch gives one outcome per item')
      return outcomes
    } catch (error) {
      return batch.map(() => ({ ok: false, error }))
    }
  }

  /** As what it waits again after a failure; null: it has failed for good. */
  #again(each: Waiting<I, O>, tried: 'lanes' | 'lane' | 'item', error: unknown): Waiting<I, O> | null {
    const { mayRetryApart, mayRetrySingly, mayRepeat, mayWaitOn } = this.#options
    const [tries, waits] = [each.tries + 1, each.waits + 1]
    if (tried === 'lanes') return mayRetryApart(error) ? { ...each, company: 'lane' } : null
    if (mayWaitOn?.(error) === true) {
      return waits < MOST_WAITS ? { ...each, company: each.company === 'none' ? 'none' : 'lane', waits } : null
    }
    if (tried === 'lane') return mayRetrySingly(error) ? { ...each, company: 'none' } : null
    return mayRepeat?.(error) === true && tries < MOST_TRIES ? { ...each, company: 'none', tries } : null
  }

  /** Before those that came meanwhile. */
  #putBack(batch: readonly Waiting<I, O>[]): void {
    for (const each of batch.toReversed()) this.#queues.get(each.lane)!.unshift(each)
  }
}

/** How many at the front of a queue may go together. */
function likeTheFirst(queue: readonly Waiting<unknown, never>[]): number {
  const company = queue[0]!.company
  if (company === 'none') return 1
  const other = queue.findIndex((each) => each.company !== company)
  return other === -1 ? queue.length : other
}
