// Lanes turn single requests into batches: a request that finds its lane idle goes at once; those that arrive while a batch is
// under way, or just after it where that is asked for, form the next one, in order of arrival.
import { assert } from './assert.ts'
import { sleep } from './clock.ts'
import { within } from './within.ts'

/** The result of one item, or why it alone failed. */
export type ItemOutcome<O> = { readonly ok: true; readonly value: O } | { readonly ok: false; readonly error: unknown }

export interface LaneOptions<I, O> {
  /** Handles the batch of one lane and returns one result per item, in the same order. Throws only what all have failed by. */
  readonly run: (lane: string, items: readonly I[]) => Promise<readonly O[]>
  readonly largestBatch: number
  /** Beyond this many waiting in one lane, newcomers are refused at once. */
  readonly longestQueue: number
  readonly onFull: () => Error
  /** Whether a failed batch certainly did nothing, so that its items may be tried one by one. */
  readonly mayRetrySingly: (error: unknown) => boolean
  readonly onBatch?: (size: number) => void
  /** So long after a batch its lane takes no other, so that more come together. Whoever comes alone waits for nobody. */
  readonly restMs?: number
  /** A batch that takes longer keeps only its own waiting: others set out beside it, up to `mostAtOnce` of a lane. */
  readonly patience?: { readonly ms: number; readonly mostAtOnce: number }
}

interface Waiting<I, O> {
  readonly item: I
  readonly settle: (outcome: ItemOutcome<O>) => void
}

export class Lanes<I, O> {
  readonly #options: LaneOptions<I, O>
  readonly #queues = new Map<string, Waiting<I, O>[]>()
  readonly #underWay = new Map<string, Set<Promise<void>>>()

  constructor(options: LaneOptions<I, O>) {
    this.#options = options
  }

  submit(lane: string, item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: ItemOutcome<O>) => (outcome.ok ? resolve(outcome.value) : reject(outcome.error))
      const queue = this.#queues.get(lane)
      if (queue === undefined) {
        const fresh = [{ item, settle }]
        this.#queues.set(lane, fresh)
        void this.#drain(lane, fresh)
      } else if (queue.length >= this.#options.longestQueue) {
        reject(this.#options.onFull())
      } else {
        queue.push({ item, settle })
      }
    })
  }

  async #drain(lane: string, queue: Waiting<I, O>[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, this.#options.largestBatch)
      this.#options.onBatch?.(batch.length)
      await this.#awayFor(lane, this.#runBatch(lane, batch))
      if (this.#options.restMs !== undefined) await sleep(this.#options.restMs)
    }
    this.#queues.delete(lane)
  }

  /** Until the lane may begin another batch. */
  async #awayFor(lane: string, done: Promise<void>): Promise<void> {
    const { patience } = this.#options
    if (patience === undefined) return done
    const underWay = this.#underWay.get(lane) ?? new Set()
    this.#underWay.set(lane, underWay)
    const leave = async () => {
      await done
      underWay.delete(over)
      if (underWay.size === 0) this.#underWay.delete(lane)
    }
    const over = leave()
    underWay.add(over)
    await (underWay.size < patience.mostAtOnce ? within(patience.ms, over, undefined) : Promise.race(underWay))
  }

  async #runBatch(lane: string, batch: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const results = await this.#options.run(
        lane,
        batch.map((each) => each.item),
      )
      assert(results.length === batch.length, 'a batch gives one result per item')
      batch.forEach((each, index) => each.settle({ ok: true, value: results[index] as O }))
    } catch (error) {
      if (batch.length > 1 && this.#options.mayRetrySingly(error)) {
        // One bad item must not make its neighbours fail.
        for (const each of batch) await this.#runBatch(lane, [each])
      } else {
        for (const each of batch) each.settle({ ok: false, error })
      }
    }
  }
}
