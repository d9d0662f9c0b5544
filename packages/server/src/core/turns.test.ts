import { setImmediate as nextTurn } from 'node:timers/promises'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { Turns } from './turns.ts'

/** Work that ends when the test says so. The first letter of its name is its lane. */
function controlled(options: { most: number; mostOfLane?: number }) {
  const turns = new Turns({ mostOfLane: options.most, ...options })
  const begun: string[] = []
  const ends = new Map<string, { resolve: (result: string) => void; reject: (error: Error) => void }>()
  const ask = (name: string, patienceMs = 60_000) =>
    turns.run(name.slice(0, 1), patienceMs, () => {
      begun.push(name)
      return new Promise<string>((resolve, reject) => ends.set(name, { resolve, reject }))
    })
  return {
    begun,
    ask,
    askAll: (...names: string[]) => names.map((name) => ask(name)),
    end: async (name: string) => {
      ends.get(name)!.resolve(`${name}!`)
      await nextTurn()
    },
    fail: (name: string) => ends.get(name)!.reject(new Error(`${name} failed`)),
  }
}

describe('a turn', () => {
  it('is taken at once while there are any, without a timer, and given to the next in order of asking', async () => {
    const setTimer = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => setTimer.mockRestore())
    const { askAll, end, begun } = controlled({ most: 2 })
    const results = askAll('a1', 'a2')
    expect(begun).toEqual(['a1', 'a2'])
    expect(setTimer).not.toHaveBeenCalled()
    results.push(...askAll('a3', 'a4'))
    await end('a2')
    expect(begun).toEqual(['a1', 'a2', 'a3'])
    await end('a1')
    await end('a3')
    await end('a4')
    expect(await Promise.all(results)).toEqual(['a1!', 'a2!', 'a3!', 'a4!'])
  })

  it('is given back when the work fails or throws at once, and the failure is told', async () => {
    const { ask, askAll, fail, begun } = controlled({ most: 1 })
    const failing = ask('a1')
    void askAll('b1')
    fail('a1')
    await expect(failing).rejects.toThrow('a1 failed')
    await nextTurn()
    expect(begun).toEqual(['a1', 'b1'])
    const turns = new Turns({ most: 1, mostOfLane: 1 })
    const thrown = turns.run('a', 0, () => {
      throw new Error('at once')
    })
    await expect(thrown).rejects.toThrow('at once')
    expect(await turns.run('b', 0, () => Promise.resolve('done'))).toBe('done')
  })
})

describe('the next turn', () => {
  it('is the lane’s with the fewest under way, however many others wait', async () => {
    const { askAll, end, begun } = controlled({ most: 4 })
    void askAll('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2')
    await end('a1')
    expect(begun.slice(4)).toEqual(['b1'])
    await end('a2')
    expect(begun.slice(4)).toEqual(['b1', 'b2'])
    await end('a3')
    expect(begun.slice(4)).toEqual(['b1', 'b2', 'a5'])
  })

  it('is that lane’s also when its last one ended just now', async () => {
    const { askAll, end, begun } = controlled({ most: 4 })
    void askAll('a1', 'a2', 'a3', 'b1', 'a4', 'b2')
    await end('b1')
    expect(begun.slice(4)).toEqual(['b2'])
  })

  it('is among equals the lane’s whose last one ended longest ago', async () => {
    const { askAll, end, begun } = controlled({ most: 1 })
    void askAll('a1', 'a2', 'b1', 'b2', 'c1', 'c2')
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(name)
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
  })

  it('is not sooner that of a lane which had turns before, and nothing under way since', async () => {
    const { askAll, end, begun } = controlled({ most: 1 })
    void askAll('a1')
    await end('a1')
    void askAll('b1', 'c1', 'a2')
    await end('b1')
    expect(begun).toEqual(['a1', 'b1', 'c1'])
  })
})

describe('a lane', () => {
  it('has no more turns than one lane may have, though others are free', async () => {
    const { askAll, end, begun } = controlled({ most: 4, mostOfLane: 2 })
    void askAll('a1', 'a2', 'a3', 'a4', 'b1')
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    await end('b1')
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    await end('a1')
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  })
})

describe('a turn that does not come in time', () => {
  it('is null, nothing is begun for it, and the others that wait get theirs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { ask, end, begun } = controlled({ most: 1 })
    void ask('a1')
    const late = [ask('a2', 100), ask('b1', 100)]
    const patient = ask('b2', 101)
    vi.advanceTimersByTime(100)
    expect(await Promise.all(late)).toEqual([null, null])
    await end('a1')
    expect(begun).toEqual(['a1', 'b2'])
    // Whoever has a turn is called off no more.
    vi.advanceTimersByTime(1_000)
    await end('b2')
    expect(await patient).toBe('b2!')
    void ask('c1')
    expect(begun).toEqual(['a1', 'b2', 'c1'])
  })
})

describe('a lane that has left', () => {
  it('is forgotten: when it comes again, it is behind those that came meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { ask, askAll, end, begun } = controlled({ most: 1 })
    void ask('a1')
    const late = ask('b1', 100)
    vi.advanceTimersByTime(100)
    expect(await late).toBeNull()
    void askAll('c1', 'b2')
    await end('a1')
    expect(begun).toEqual(['a1', 'c1'])
  })
})

describe('turns of many lanes', () => {
  it('are never more than there are, nor than a lane may have, and all are given back', async () => {
    const turns = new Turns({ most: 5, mostOfLane: 2 })
    const underWay = new Map<string, number>()
    let [all, most, mostOfLane] = [0, 0, 0]
    const work = (lane: string) => async () => {
      const own = (underWay.get(lane) ?? 0) + 1
      underWay.set(lane, own)
      all += 1
      most = Math.max(most, all)
      mostOfLane = Math.max(mostOfLane, own)
      for (let left = Math.floor(Math.random() * 3); left >= 0; left--) await nextTurn()
      all -= 1
      underWay.set(lane, underWay.get(lane)! - 1)
      if (Math.random() < 0.2) throw new Error('It failed.')
      return lane
    }
    const results: Promise<unknown>[] = []
    for (let count = 0; count < 500; count++) {
      const lane = `lane ${(count * 7) % 3}`
      results.push(turns.run(lane, 60_000, work(lane)).catch(() => 'failed'))
      if (count % 20 === 0) await nextTurn()
    }
    expect(await Promise.all(results)).not.toContain(null)
    expect([most, mostOfLane, all]).toEqual([5, 2, 0])
  })
})
