import { setImmediate as nextTurn } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import { ReadsTogether } from './reads-together.ts'

interface Reading {
  readonly names: readonly string[]
  end(): void
  fail(error: Error): void
}

/** Readings that wait until the test ends them. What is found is the name with a "!"; nothing begins with an x. */
function controlled({ most = 3, patienceMs = 60_000 } = {}) {
  const readings: Reading[] = []
  const reads = new ReadsTogether<string>(
    (names) =>
      new Promise((resolve, reject) => {
        const found = names.filter((name) => !name.startsWith('x')).map((name) => [name, `${name}!`] as const)
        readings.push({ names, end: () => resolve(new Map(found)), fail: reject })
      }),
    { most, patienceMs },
  )
  return { reads, readings, asked: () => readings.map(({ names }) => names.join(' ')) }
}

describe('those who ask', () => {
  it('in one turn are read together at its end', async () => {
    const { reads, readings, asked } = controlled()
    const all = ['a', 'b', 'a'].map((name) => reads.read(name))
    expect(asked()).toEqual([])
    await nextTurn()
    expect(asked()).toEqual(['a b'])
    readings[0]!.end()
    expect(await Promise.all(all)).toEqual(['a!', 'b!', 'a!'])
  })

  it('during a reading are read together after it, each name once, and never given what was read before they asked', async () => {
    const { reads, readings, asked } = controlled()
    const first = reads.read('a')
    await nextTurn()
    const later = ['a', 'b', 'xc', 'b'].map((name) => reads.read(name))
    expect(asked()).toEqual(['a'])
    readings[0]!.end()
    expect(await first).toBe('a!')
    await nextTurn()
    await nextTurn()
    expect(asked()).toEqual(['a', 'a b xc'])
    readings[1]!.end()
    expect(await Promise.all(later)).toEqual(['a!', 'b!', null, 'b!'])
  })

  it('are read so many at a time', async () => {
    const { reads, readings, asked } = controlled({ most: 2 })
    const all = ['a', 'b', 'c', 'd', 'c'].map((name) => reads.read(name))
    for (let count = 0; count < 2; count++) {
      await nextTurn()
      await nextTurn()
      readings[count]!.end()
    }
    expect(asked()).toEqual(['a b', 'c d'])
    expect(await Promise.all(all)).toEqual(['a!', 'b!', 'c!', 'd!', 'c!'])
  })

  it('wait for the end of another reading no longer than they are patient, and that one ends as it does', async () => {
    const { reads, readings, asked } = controlled({ patienceMs: 5 })
    const silent = reads.read('a')
    await nextTurn()
    const later = ['a', 'b'].map((name) => reads.read(name))
    expect(asked()).toEqual(['a'])
    await expect.poll(asked).toEqual(['a', 'a b'])
    readings[1]!.end()
    expect(await Promise.all(later)).toEqual(['a!', 'b!'])
    readings[0]!.fail(new Error('no answer'))
    await expect(silent).rejects.toThrow('no answer')
  })

  it('are told when their reading failed, and the next are read', async () => {
    const { reads, readings, asked } = controlled()
    const first = reads.read('a')
    await nextTurn()
    const later = reads.read('b')
    readings[0]!.fail(new Error('no answer'))
    await expect(first).rejects.toThrow('no answer')
    await nextTurn()
    await nextTurn()
    readings[1]!.end()
    expect(await later).toBe('b!')
    await nextTurn()
    await nextTurn()
    const after = reads.read('c')
    await nextTurn()
    expect(asked()).toEqual(['a', 'b', 'c'])
    readings[2]!.end()
    expect(await after).toBe('c!')
  })
})
