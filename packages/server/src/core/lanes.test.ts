import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { describe, expect, it, vi } from 'vitest'

import { type LaneOptions, Lanes } from './lanes.ts'

class Refused extends Error {}
class Lost extends Error {}
class Full extends Error {}

interface Batch {
  readonly lane: string
  readonly items: readonly number[]
  finish(): void
  fail(error: Error): void
}

/** Lanes whose batches wait until the test finishes them; each item's result is its hundredfold. */
function controlledLanes(options: Partial<LaneOptions<number, number>> = {}) {
  const batches: Batch[] = []
  const lanes = new Lanes<number, number>({
    run: (lane, items) =>
      new Promise((resolve, reject) => {
        batches.push({ lane, items, finish: () => resolve(items.map((item) => item * 100)), fail: reject })
      }),
    largestBatch: 4,
    longestQueue: 100,
    onFull: () => new Full('full'),
    mayRetrySingly: (error) => error instanceof Refused,
    ...options,
  })
  return { lanes, batches }
}

/** Lets everything run that does not wait for the outside world. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a lane', () => {
  it('sends a lone item at once, without waiting for company', async () => {
    const { lanes, batches } = controlledLanes()
    const result = lanes.submit('a', 1)
    expect(batches.map((batch) => batch.items)).toEqual([[1]])
    batches[0]!.finish()
    expect(await result).toBe(100)
  })

  it('makes the next batch of those that came meanwhile, in order of arrival', async () => {
    const { lanes, batches } = controlledLanes()
    const results = [1, 2, 3, 4].map((item) => lanes.submit('a', item))
    expect(batches.map((batch) => batch.items)).toEqual([[1]])
    batches[0]!.finish()
    await settled()
    expect(batches.map((batch) => batch.items)).toEqual([[1], [2, 3, 4]])
    batches[1]!.finish()
    expect(await Promise.all(results)).toEqual([100, 200, 300, 400])
  })

  it('that rests after a batch answers it at once, and takes those who come meanwhile together', async () => {
    const { lanes, batches } = controlledLanes({ restMs: 20 })
    const first = lanes.submit('a', 1)
    batches[0]!.finish()
    expect(await first).toBe(100)
    const results = [2, 3, 4].map((item) => lanes.submit('a', item))
    expect(batches).toHaveLength(1)
    await vi.waitFor(() => expect(batches).toHaveLength(2))
    expect(batches[1]!.items).toEqual([2, 3, 4])
    batches[1]!.finish()
    expect(await Promise.all(results)).toEqual([200, 300, 400])
  })

  it('with patience sends others out beside a batch that takes long, and so many at once', async () => {
    const { lanes, batches } = controlledLanes({ patience: { ms: 1, mostAtOnce: 2 } })
    const results = [1, 2].map((item) => lanes.submit('a', item))
    await vi.waitFor(() => expect(batches).toHaveLength(2))
    results.push(lanes.submit('a', 3))
    // Many times as long as it has patience.
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(batches.map((batch) => batch.items)).toEqual([[1], [2]])
    batches[1]!.finish()
    expect(await results[1]).toBe(200)
    await vi.waitFor(() => expect(batches).toHaveLength(3))
    batches[0]!.finish()
    batches[2]!.finish()
    expect(await Promise.all(results)).toEqual([100, 200, 300])
  })

  it('never makes a batch larger than the largest, and says how large each was', async () => {
    const sizes: number[] = []
    const { lanes, batches } = controlledLanes({ onBatch: (size) => sizes.push(size) })
    const results = Array.from({ length: 10 }, (_, item) => lanes.submit('a', item))
    for (let index = 0; index < 4; index++) {
      await settled()
      batches[index]!.finish()
    }
    expect(await Promise.all(results)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900])
    expect(batches.map((batch) => batch.items)).toEqual([[0], [1, 2, 3, 4], [5, 6, 7, 8], [9]])
    expect(sizes).toEqual([1, 4, 4, 1])
  })

  it('runs one batch at a time', async () => {
    let running = 0
    let most = 0
    const lanes = new Lanes<number, number>({
      run: async (_, items) => {
        most = Math.max(most, ++running)
        await settled()
        running--
        return items
      },
      largestBatch: 3,
      longestQueue: 1_000,
      onFull: () => new Full(),
      mayRetrySingly: () => false,
    })
    await Promise.all(Array.from({ length: 200 }, (_, item) => lanes.submit('a', item)))
    expect(most).toBe(1)
  })

  it('does not wait for another lane', async () => {
    const { lanes, batches } = controlledLanes()
    const stuck = lanes.submit('a', 1)
    const free = lanes.submit('b', 2)
    expect(batches.map(({ lane, items }) => ({ lane, items }))).toEqual([
      { lane: 'a', items: [1] },
      { lane: 'b', items: [2] },
    ])
    batches[1]!.finish()
    expect(await free).toBe(200)
    batches[0]!.finish()
    expect(await stuck).toBe(100)
  })
})

describe('a batch that fails', () => {
  it('and certainly did nothing is tried item by item, so that only the bad one fails', async () => {
    const tried: (readonly number[])[] = []
    const lanes = new Lanes<number, number>({
      run: async (_, items) => {
        tried.push(items)
        await settled()
        if (items.includes(3)) throw new Refused('3 is bad')
        return items.map((item) => item * 100)
      },
      largestBatch: 10,
      longestQueue: 100,
      onFull: () => new Full(),
      mayRetrySingly: (error) => error instanceof Refused,
    })
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => lanes.submit('a', item)))
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)))).toEqual([
      100,
      200,
      'Error: 3 is bad',
      400,
      500,
    ])
    expect(tried).toEqual([[1], [2, 3, 4, 5], [2], [3], [4], [5]])
  })

  it('and may have done something is not tried again: everybody in it is told', async () => {
    const { lanes, batches } = controlledLanes()
    const results = [1, 2, 3].map((item) => lanes.submit('a', item))
    const outcomes = Promise.allSettled(results)
    batches[0]!.finish()
    await settled()
    batches[1]!.fail(new Lost('the answer to COMMIT was lost'))
    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(batches.map((batch) => batch.items)).toEqual([[1], [2, 3]])
  })

  it('alone is not tried again', async () => {
    const { lanes, batches } = controlledLanes()
    const result = lanes.submit('a', 1)
    batches[0]!.fail(new Refused('no'))
    await expect(result).rejects.toThrow('no')
    expect(batches).toHaveLength(1)
  })

  it('does not stop the lane: whoever waits behind it is served, and so is whoever comes later', async () => {
    const { lanes, batches } = controlledLanes({ largestBatch: 1 })
    const first = lanes.submit('a', 1)
    const second = lanes.submit('a', 2)
    batches[0]!.fail(new Lost('lost'))
    await expect(first).rejects.toThrow('lost')
    batches[1]!.finish()
    expect(await second).toBe(200)
    await settled()
    const third = lanes.submit('a', 3)
    batches[2]!.finish()
    expect(await third).toBe(300)
  })

  it('by throwing before it began to wait is a failure like any other', async () => {
    const { lanes } = controlledLanes({
      run: () => {
        throw new Lost('at once')
      },
    })
    await expect(lanes.submit('a', 1)).rejects.toThrow('at once')
  })

  it('by giving a wrong number of results is a bug that everybody in it hears of', async () => {
    const { lanes } = controlledLanes({ run: () => Promise.resolve([]) })
    await expect(lanes.submit('a', 1)).rejects.toThrow('a batch gives one result per item')
  })
})

describe('a queue', () => {
  it('turns newcomers away when it is full, at once, and serves everybody who is in it', async () => {
    const { lanes, batches } = controlledLanes({ longestQueue: 3, largestBatch: 10 })
    const served = [1, 2, 3, 4].map((item) => lanes.submit('a', item))
    await expect(lanes.submit('a', 5)).rejects.toBeInstanceOf(Full)
    // Only this lane is full.
    const elsewhere = lanes.submit('b', 6)
    for (const batch of batches) batch.finish()
    await settled()
    batches.at(-1)!.finish()
    expect(await Promise.all([...served, elsewhere])).toEqual([100, 200, 300, 400, 600])
    expect(batches.flatMap((batch) => batch.items)).toEqual([1, 6, 2, 3, 4])
  })

  it('has room again when the batch is under way', async () => {
    const { lanes, batches } = controlledLanes({ longestQueue: 1, largestBatch: 10 })
    const results = [lanes.submit('a', 1), lanes.submit('a', 2)]
    await expect(lanes.submit('a', 3)).rejects.toBeInstanceOf(Full)
    batches[0]!.finish()
    await settled()
    results.push(lanes.submit('a', 4))
    batches[1]!.finish()
    await settled()
    batches[2]!.finish()
    expect(await Promise.all(results)).toEqual([100, 200, 400])
  })
})

describe('lanes that were used', () => {
  it('keep nothing when they are idle, however many there were', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const lanes = new Lanes<number, number>({
      run: (_, items) => Promise.resolve(items),
      largestBatch: 4,
      longestQueue: 4,
      onFull: () => new Full(),
      mayRetrySingly: () => false,
    })
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    // Each name takes 10 kB, all of them its own: kept, they would be 50 MB.
    for (let lane = 0; lane < 5_000; lane++) await lanes.submit(randomBytes(5_000).toString('hex'), lane)
    collectGarbage()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
    expect(await lanes.submit('still there', 1)).toBe(1)
  })
})
