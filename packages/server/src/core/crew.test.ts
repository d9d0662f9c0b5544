import { setImmediate as nextTurn } from 'node:timers/promises'

import { describe, expect, it, vi } from 'vitest'

import { controlled, gathered } from '../../test/support/controlled-batches.ts'
import { Crew } from './crew.ts'

describe('a batch', () => {
  it('goes with those that come turn after turn', async () => {
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
})
