import { setImmediate as nextTurn } from 'node:timers/promises'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { Refused, controlled, gathered } from '../../test/support/controlled-batches.ts'
import { Crew } from './crew.ts'

const nothing = () => undefined

describe('a batch', () => {
  it('goes with those that come turn after turn', async () => {
    // However long the turns take on a busy machine.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { submit, begun } = controlled()
    for (const name of ['a1', 'b1', 'a2', 'c1']) {
      void submit(name)
      await nextTurn()
    }
    expect(begun()).toEqual([])
    await gathered()
    expect(begun()).toEqual(['b1 c1 a1 a2'])
  })

  it('sets out after a while, however many still come', async () => {
    const { submit, begun } = controlled({ longestQueue: Number.POSITIVE_INFINITY })
    const until = performance.now() + 5_000
    for (let item = 1; begun().length === 0 && performance.now() < until; item++) {
      void submit(`a${item}`)
      await nextTurn()
    }
    expect(begun()).toEqual(['a1 a2 a3 a4'])
  })
})

describe('when a batch is done', () => {
  const named = (count: number) => Array.from({ length: count }, (_, index) => `a${index + 2}`)
  const whenAnswered = async (count: number) => {
    const { submit, batches, begun } = controlled({ largestBatch: 100, longestQueue: 100 })
    const [first] = submit('a1')
    await gathered()
    void submit(...named(count))
    const seen = first!.then(() => begun().length)
    batches[0]!.finish()
    return { begunBy: await seen, begun: begun(), later: gathered().then(begun) }
  }

  it('those who wait set out before it is answered, if they are many', async () => {
    const { begunBy, begun } = await whenAnswered(16)
    expect(begunBy).toBe(2)
    expect(begun[1]).toBe(named(16).join(' '))
  })

  it('a few wait for those whom its answer brings', async () => {
    const { begunBy, later } = await whenAnswered(15)
    expect(begunBy).toBe(1)
    expect(await later).toHaveLength(2)
  })

  it('what is tried again goes before those who wait, and is answered after', async () => {
    const { submit, batches, begun } = controlled({ largestBatch: 100, longestQueue: 100 })
    const [first, second] = submit('a1', 'a2')
    await gathered()
    void submit(...named(20).slice(1))
    batches[0]!.fail(new Refused())
    await gathered()
    expect(begun().slice(1)).toEqual(['a1'])
    batches[1]!.finish()
    expect(await first).toBe('a1!')
    await gathered()
    expect(begun().slice(2)).toEqual(['a2'])
    batches[2]!.finish()
    expect(await second).toBe('a2!')
  })
})

describe('beside a batch of several lanes', () => {
  const underWay = async (...names: string[]) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const beside = { lanes: 2, waitMs: 50 }
    const crew = new Crew({ most: 2, mostLanes: 3, patienceMs: 60_000, beside })
    const controls = controlled({ crew })
    void controls.submit(...names)
    await gathered()
    return { ...controls, crew }
  }

  it('a few wait for its end, and go with those who come meanwhile', async () => {
    const { submit, batches, begun } = await underWay('a1', 'b1')
    void submit('c1')
    await gathered()
    void submit('a2')
    await gathered()
    expect(begun()).toEqual(['a1 b1'])
    batches[0]!.finish()
    await gathered()
    expect(begun()).toEqual(['a1 b1', 'c1 a2'])
  })

  it('a few go after a while, whether or not it has ended; those who come later wait anew', async () => {
    const { submit, batches, begun } = await underWay('a1', 'b1')
    void submit('c1')
    await gathered()
    vi.advanceTimersByTime(49)
    expect(begun()).toEqual(['a1 b1'])
    vi.advanceTimersByTime(1)
    expect(begun()).toEqual(['a1 b1', 'c1'])
    batches[1]!.finish()
    void submit('d1')
    await gathered()
    expect(begun()).toHaveLength(2)
    vi.advanceTimersByTime(50)
    expect(begun()).toEqual(['a1 b1', 'c1', 'd1'])
  })

  it('a few wait no longer because others end meanwhile', async () => {
    const { submit, begun, crew } = await underWay('a1', 'b1')
    void submit('c1')
    await gathered()
    vi.advanceTimersByTime(40)
    const by = { work: () => Promise.resolve(nothing), after: () => [] }
    crew.ask({ lane: 'e', isAlone: true, waiting: 1, by })
    await gathered()
    vi.advanceTimersByTime(10)
    expect(begun()).toEqual(['a1 b1', 'c1'])
  })

  it('many go at once, and so does one that goes by itself', async () => {
    const { submit, begun, crew } = await underWay('a1', 'b1')
    void submit('c1', 'd1')
    await gathered()
    expect(begun()).toEqual(['a1 b1', 'c1 d1'])
    const work = vi.fn<() => Promise<() => void>>(() => Promise.resolve(nothing))
    crew.ask({ lane: 'e', isAlone: true, waiting: 1, by: { work, after: () => [] } })
    await gathered()
    expect(work).toHaveBeenCalledWith(['e'])
  })

  it('and beside one of a single lane nobody waits', async () => {
    const { submit, begun } = await underWay('a1', 'a2')
    void submit('c1')
    await gathered()
    expect(begun()).toEqual(['a1 a2', 'c1'])
  })
})

describe('a batch of one lane that takes long', () => {
  it('gives its place to others, keeps its lane, and leaves no place more than there was', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { submit, batches, begun } = controlled({ crew: new Crew({ most: 1, mostLanes: 3, patienceMs: 250 }) })
    void submit('a1')
    await gathered()
    void submit('b1', 'c1', 'a2')
    await gathered()
    expect(begun()).toEqual(['a1'])
    vi.advanceTimersByTime(250)
    expect(begun()).toEqual(['a1', 'b1 c1'])
    batches[0]!.finish()
    await gathered()
    vi.advanceTimersByTime(1_000)
    expect(begun()).toEqual(['a1', 'b1 c1'])
    batches[1]!.finish()
    await gathered()
    expect(begun()).toEqual(['a1', 'b1 c1', 'a2'])
    vi.useRealTimers()
  })

  it('is given the time of a clock that has one of its own', async () => {
    let now = 0
    const waiting: { readonly until: number; readonly resolve: () => void }[] = []
    const clock = {
      now: () => new Date(now),
      elapsedMs: () => now,
      pause: (ms: number) => new Promise<void>((resolve) => void waiting.push({ until: now + ms, resolve })),
    }
    const pass = async (ms: number) => {
      now += ms
      for (const { until, resolve } of waiting) if (until <= now) resolve()
      await gathered()
    }
    const crew = new Crew({ most: 1, mostLanes: 3, patienceMs: 250, clock })
    const { submit, batches, begun } = controlled({ crew })
    void submit('a1', 'b1')
    await gathered()
    expect(begun()).toEqual(['a1 b1'])
    batches[0]!.finish()
    void submit('c1')
    await gathered()
    void submit('d1')
    await pass(249)
    expect(begun()).toEqual(['a1 b1', 'c1'])
    await pass(1)
    expect(begun()).toEqual(['a1 b1', 'c1', 'd1'])
  })
})
