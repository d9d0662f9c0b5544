// Work that comes one by one and is done together: while one batch is under way, the next one fills.

interface Waiting<Item> {
  readonly item: Item
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** Returns a function that resolves when the batch that its item was part of is done, and fails as that batch does. */
export function inBatches<Item>(work: (items: readonly Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let waiting: Waiting<Item>[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await work(batch.map(({ item }) => item))
        for (const { done } of batch) done()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    isRunning = false
  }

  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed })
      if (!isRunning) void run()
    })
}
