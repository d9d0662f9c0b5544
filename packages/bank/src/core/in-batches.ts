// Work that comes one by one and is done together: while one batch is under way, the next one fills.
import { sleep } from './clock.ts'

interface Waiting<Item, Result> {
  readonly item: Item
  readonly done: (result: Result) => void
  readonly failed: (error: unknown) => void
}

export interface Batches<Item, Result> {
  readonly largest: number
  /** How long to wait after each batch, so that the next one is larger. */
  readonly pauseMs?: number
  /** Returns one result per item, in the same order. */
  readonly work: (items: readonly Item[]) => Promise<readonly Result[]>
}

/** Returns a function that resolves with its item's result when the batch is done, and fails as that batch does. */
export function inBatches<Item, Result>(batches: Batches<Item, Result>): (item: Item) => Promise<Result> {
  const { largest, pauseMs = 0, work } = batches
  const waiting: Waiting<Item, Result>[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, largest)
      try {
        const results = await work(batch.map(({ item }) => item))
        batch.forEach(({ done }, index) => done(results[index] as Result))
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
      if (pauseMs > 0) await sleep(pauseMs)
    }
    isRunning = false
  }

  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed })
      if (!isRunning) void run()
    })
}
