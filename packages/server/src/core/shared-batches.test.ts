import { setImmediate as nextTurn } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import { Refused, KeptWaiting, Lost, controlled, gathered } from '../../test/support/controlled-batches.ts'
import { Crew } from './crew.ts'
import { type InLane, type SharedBatchOptions, SharedBatches } from './shared-batches.ts'

describe('what waits in several lanes', () => {
  it('goes together, each lane in its order', async () => {
    const { submit, batches, begun } = controlled()
    const results = submit('a1', 'b1', 'a2', 'c1')
    await gathered()
    expect(begun()).toEqual(['b1 c1 a1 a2'])
    batches[0]!.finish()
    expect(await Promise.all(results)).toEqual(['a1!', 'b1!', 'a2!', 'c1!'])
  })

  it('waits for nobody else’s lane while there is a place', async () => {
    const { submit, begun } = controlled()
    void submit('a1')
    await gathered()
    void submit('b1')
    await gathered()
    expect(begun()).toEqual(['a1', 'b1'])
  })

  it('waits for a place, and for its own lane', async () => {
    const { submit, batches, begun } = controlled()
    void submit('a1')
    await gathered()
    void submit('b1', 'a2')
    await gathered()
    void submit('c1', 'd1')
    await gathered()
    expect(begun()).toEqual(['a1', 'b1'])
    batches[1]!.finish()
    await gathered()
    expect(begun()).toEqual(['a1', 'b1', 'c1 d1'])
    batches[0]!.finish()
    await gathered()
    expect(begun()).toEqual(['a1', 'b1', 'c1 d1', 'a2'])
  })

  it('of one lane goes in halves where there is much of it, and whole otherwise', async () => {
    const crew = new Crew({ most: 2, mostLanes: 3, patienceMs: 60_000 })
    const { submit, batches, begun } = controlled({ crew, largestBatch: 10, halvesFrom: 5 })
    void submit('a1', 'a2', 'a3', 'a4', 'a5')
    await gathered()
    expect(begun()).toEqual(['a1 a2 a3'])
    void submit('a6', 'a7')
    batches[0]!.finish()
    await gathered()
    expect(begun()).toEqual(['a1 a2 a3', 'a4 a5 a6 a7'])
  })

  it('of several lanes goes whole, however much it is', async () => {
    const { submit, begun } = controlled({ largestBatch: 10, halvesFrom: 5 })
    void submit('a1', 'a2', 'a3', 'a4', 'b1')
    await gathered()
    expect(begun()).toEqual(['b1 a1 a2 a3 a4'])
  })

  it('is no more lanes at once than a batch may have', async () => {
    const { submit, begun } = controlled()
    void submit('a1', 'b1', 'c1', 'd1')
    await gathered()
    expect(begun()).toEqual(['a1 b1 c1', 'd1'])
  })

  it('leaves room for those with little: a flood takes what is left', async () => {
    const { submit, batches, begun } = controlled({ crew: new Crew({ most: 1, mostLanes: 3, patienceMs: 60_000 }) })
    void submit('a1')
    await gathered()
    void submit('a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'b1', 'c1')
    batches[0]!.finish()
    await gathered()
    expect(begun()).toEqual(['a1', 'b1 c1 a2 a3'])
    batches[1]!.finish()
    await gathered()
    expect(begun()[2]).toBe('a4 a5 a6 a7')
  })

  it('turns newcomers of a full lane away, and those of no other', async () => {
    const { submit } = controlled({ longestQueue: 2 })
    const results = submit('a1', 'a2', 'a3', 'b1')
    expect(await results[2]).toBe('Error')
    expect(await Promise.race([results[0], results[3], gathered().then(() => 'waiting')])).toBe('waiting')
  })
})

describe('a batch of several lanes that fails', () => {
  it('and certainly did nothing is done again lane by lane, before what came meanwhile', async () => {
    const { submit, batches, begun } = controlled()
    const results = submit('a1', 'a2', 'b1')
    await gathered()
    const later = submit('a3')
    batches[0]!.fail(new KeptWaiting())
    await gathered()
    expect(begun()).toEqual(['b1 a1 a2', 'a1 a2', 'b1'])
    batches[1]!.finish()
    batches[2]!.finish()
    await gathered()
    batches[3]!.finish()
    expect(await Promise.all([...results, ...later])).toEqual(['a1!', 'a2!', 'b1!', 'a3!'])
  })

  it('leaves a lane that is stuck no place: all others go on', async () => {
    const { submit, batches, begun } = controlled()
    void submit('a1', 'b1')
    await gathered()
    batches[0]!.fail(new KeptWaiting())
    await gathered()
    // Both wait by themselves, and two batches of others are under way beside them.
    void submit('c1')
    await gathered()
    void submit('d1')
    await gathered()
    expect(begun()).toEqual(['a1 b1', 'a1', 'b1', 'c1', 'd1'])
  })

  it('is done again only where it failed', async () => {
    const { submit, batches, begun } = controlled()
    const results = submit('a1', 'b1')
    await gathered()
    batches[0]!.fail(new Refused(), 'a1')
    await gathered()
    expect(begun()).toEqual(['a1 b1', 'a1'])
    batches[1]!.fail(new Refused())
    expect(await Promise.all(results)).toEqual(['Refused', 'b1!'])
  })

  it('and may have done something is not done again: everybody in it is told', async () => {
    const { submit, batches, begun } = controlled()
    const results = submit('a1', 'b1')
    await gathered()
    batches[0]!.fail(new Lost())
    expect(await Promise.all(results)).toEqual(['Lost', 'Lost'])
    expect(begun()).toHaveLength(1)
  })
})

describe('a batch of one lane that fails', () => {
  it('is done again item by item, so that only the bad one fails; others of the lane go in between', async () => {
    const crew = new Crew({ most: 2, mostLanes: 3, patienceMs: 60_000 })
    const one = controlled({ crew })
    const other = controlled({ crew })
    const results = one.submit('a1', 'a2')
    await gathered()
    results.push(...other.submit('a3'))
    one.batches[0]!.fail(new Refused())
    await gathered()
    expect(other.begun()).toEqual(['a3'])
    other.batches[0]!.finish()
    await gathered()
    one.batches[1]!.fail(new Refused())
    await gathered()
    one.batches[2]!.finish()
    expect(await Promise.all(results)).toEqual(['Refused', 'a2!', 'a3!'])
    expect(one.begun()).toEqual(['a1 a2', 'a1', 'a2'])
  })

  it('by what is over by now is tried three times, and no more', async () => {
    const { submit, batches, begun } = controlled({ mayRepeat: (error) => error instanceof KeptWaiting })
    const results = submit('a1', 'b1')
    await gathered()
    batches[0]!.fail(new KeptWaiting())
    await gathered()
    batches[1]!.fail(new KeptWaiting())
    batches[2]!.fail(new KeptWaiting())
    await gathered()
    batches[3]!.fail(new KeptWaiting())
    batches[4]!.finish()
    await gathered()
    batches[5]!.fail(new KeptWaiting())
    expect(await Promise.all(results)).toEqual(['KeptWaiting', 'b1!'])
    expect(begun()).toEqual(['a1 b1', 'a1', 'b1', 'a1', 'b1', 'a1'])
  })

  it('because it was kept waiting is not: all of it waits for the same', async () => {
    const { submit, batches } = controlled()
    const results = submit('a1', 'a2')
    await gathered()
    batches[0]!.fail(new KeptWaiting())
    expect(await Promise.all(results)).toEqual(['KeptWaiting', 'KeptWaiting'])
  })
})

describe('steps that share a crew', () => {
  it('never have one lane at once, nor more batches than there are places, and lose nothing', async () => {
    const busy = new Set<string>()
    let underWay = 0
    let most = 0
    const crew = new Crew({ most: 3, mostLanes: 4, patienceMs: 60_000 })
    const run = async (batch: readonly InLane<number>[]) => {
      const lanes = new Set(batch.map(({ lane }) => lane))
      for (const lane of lanes) {
        expect(busy.has(lane)).toBe(false)
        busy.add(lane)
      }
      most = Math.max(most, ++underWay)
      for (let turns = Math.floor(Math.random() * 3); turns >= 0; turns--) await nextTurn()
      underWay--
      for (const lane of lanes) busy.delete(lane)
      return batch.map(({ item }) => ({ ok: true, value: item }) as const)
    }
    const options = {
      run,
      crew,
      largestBatch: 5,
      longestQueue: 1_000,
      onFull: () => new Error('full'),
      mayRetryApart: () => false,
      mayRetrySingly: () => false,
    }
    const steps = [new SharedBatches<number, number>(options), new SharedBatches<number, number>(options)]
    const asked = Array.from({ length: 600 }, (_, item) => ({ item, lane: `lane ${(item * 7) % 13}` }))
    const results: Promise<number>[] = []
    for (const { item, lane } of asked) {
      results.push(steps[item % 2]!.submit(lane, item))
      if (item % 20 === 0) await nextTurn()
    }
    expect(await Promise.all(results)).toEqual(asked.map(({ item }) => item))
    expect(most).toBe(3)
  })
})

describe('a step that goes wrong in a way that it should not', () => {
  it.each([
    [
      'throws at once',
      () => {
        throw new Lost()
      },
    ],
    ['forgets an outcome', () => Promise.resolve([])],
  ])('and %s, fails its items and nothing after them', async (_, wrong) => {
    let isFirst = true
    const run: SharedBatchOptions<number, string>['run'] = (batch) => {
      const isWrong = isFirst
      isFirst = false
      return isWrong ? wrong() : Promise.resolve(batch.map(() => ({ ok: true, value: 'done' }) as const))
    }
    const { submit } = controlled({ run, crew: new Crew({ most: 1, mostLanes: 3, patienceMs: 60_000 }) })
    const failed = await Promise.all(submit('a1', 'b1'))
    expect(failed).not.toContain('done')
    expect(await Promise.all(submit('a2', 'b2'))).toEqual(['done', 'done'])
  })
})
