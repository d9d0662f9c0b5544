import { EventEmitter } from 'node:events'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Places, mostAtOnce } from './places.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function somePlaces(most: number) {
  const places = new Places()
  const begun: string[] = []
  const refused: string[] = []
  const leave = new Map<string, () => void>()
  return {
    begun,
    refused,
    /** Asks for a place and returns the answer's events, by which somebody hangs up. */
    ask: (who: string, name = 'line', destroyed = false) => {
      const answer = Object.assign(new EventEmitter(), { destroyed })
      const taken = async () => {
        try {
          leave.set(who, await places.take({ name, most }, answer))
          begun.push(who)
        } catch (error) {
          refused.push(`${who}: ${(error as Error).message}`)
        }
      }
      void taken()
      return answer
    },
    end: (who: string) => leave.get(who)!(),
  }
}

const settled = () => vi.advanceTimersByTimeAsync(0)

describe('the places of a business', () => {
  it('are taken at once while there are any, and then in the order of asking', async () => {
    const { ask, end, begun } = somePlaces(2)
    for (const who of ['a', 'b', 'c', 'd', 'e']) ask(who)
    await settled()
    expect(begun).toEqual(['a', 'b'])
    end('b')
    await settled()
    expect(begun).toEqual(['a', 'b', 'c'])
    end('a')
    end('c')
    await settled()
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('are its own: a neighbour waits for none of them', async () => {
    const { ask, begun } = somePlaces(1)
    for (const who of ['a', 'b', 'c']) ask(who)
    ask('neighbour', 'line of another business')
    await settled()
    expect(begun).toEqual(['a', 'neighbour'])
  })

  it('are given back once, however often their end is told', async () => {
    const { ask, end, begun } = somePlaces(1)
    for (const who of ['a', 'b', 'c']) ask(who)
    await settled()
    end('a')
    end('a')
    await settled()
    expect(begun).toEqual(['a', 'b'])
  })

  it('are waited for by two hundred; the next is refused', async () => {
    const { ask, end, begun, refused } = somePlaces(1)
    for (let count = 0; count < 203; count++) ask(`${count}`)
    await settled()
    expect(refused.map((each) => each.split(':')[0])).toEqual(['201', '202'])
    expect(refused[0]).toContain('too many requests under way at once')
    for (let count = 0; count < 201; count++) {
      end(`${count}`)
      await settled()
    }
    expect(begun).toHaveLength(201)
    ask('later')
    await settled()
    expect(begun.at(-1)).toBe('later')
  })

  it('are waited for ten seconds and no longer', async () => {
    const { ask, end, begun, refused } = somePlaces(1)
    ask('a')
    ask('b')
    await vi.advanceTimersByTimeAsync(9_999)
    expect(refused).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(refused).toHaveLength(1)
    ask('c')
    end('a')
    await settled()
    expect(begun).toEqual(['a', 'c'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(refused).toHaveLength(1)
  })

  it('are not kept for somebody who has hung up', async () => {
    const { ask, end, begun } = somePlaces(1)
    ask('a')
    const gone = ask('b')
    ask('c')
    await settled()
    gone.emit('close')
    end('a')
    await settled()
    expect(begun).toEqual(['a', 'c'])
  })

  it('are not waited for by somebody who had hung up before', async () => {
    const { ask, end, begun, refused } = somePlaces(1)
    ask('a')
    ask('b', 'line', true)
    ask('c')
    await settled()
    expect(refused).toHaveLength(1)
    end('a')
    await settled()
    expect(begun).toEqual(['a', 'c'])
  })

  it('are more at the live bank, which takes its time, and for people who look at sums', () => {
    const program = { environment: 'sandbox', isMember: false } as const
    const all = [program, { ...program, environment: 'live' }, { ...program, isMember: true }] as const
    expect(all.map((by) => mostAtOnce('bank', by))).toEqual([16, 32, 16])
    expect(all.map((by) => mostAtOnce('costly', by))).toEqual([1, 1, 2])
    expect(all.map((by) => mostAtOnce('plain', by))).toEqual([4, 4, 4])
  })
})
