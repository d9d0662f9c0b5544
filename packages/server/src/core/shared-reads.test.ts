import { describe, expect, it } from 'vitest'

import { SharedReads } from './shared-reads.ts'

/** A store whose readings end when the test says so, with what was true when they began. */
function aStore() {
  const begun: { value: number; end: () => void; fail: () => void }[] = []
  const store = {
    value: 1,
    begun,
    read: () =>
      new Promise<number>((resolve, reject) => {
        const { value } = store
        begun.push({ value, end: () => resolve(value), fail: () => reject(new Error('away')) })
      }),
  }
  return store
}

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve))
/** Until the next reading has begun. */
const turn = () => endOfTurn().then(endOfTurn)

describe('those who ask for the same', () => {
  it('in one turn share one reading, which begins after all of them have asked', async () => {
    const reads = new SharedReads<number>()
    const store = aStore()
    const asked = [1, 2, 3].map(() => reads.read('a', store.read))
    expect(store.begun).toHaveLength(0)
    store.value = 2
    await turn()
    expect(store.begun).toHaveLength(1)
    store.begun[0]!.end()
    expect(await Promise.all(asked)).toEqual([2, 2, 2])
  })

  it('while it is being read share the next reading, which begins after they have asked', async () => {
    const reads = new SharedReads<number>()
    const store = aStore()
    const first = reads.read('a', store.read)
    await turn()
    store.value = 2
    const later = [1, 2, 3].map(() => reads.read('a', store.read))
    await turn()
    expect(store.begun).toHaveLength(1)
    store.value = 3
    store.begun[0]!.end()
    expect(await first).toBe(1)
    await turn()
    expect(store.begun).toHaveLength(2)
    // This one asks when the second has begun: it gets neither of them.
    store.value = 4
    const last = reads.read('a', store.read)
    store.begun[1]!.end()
    expect(await Promise.all(later)).toEqual([3, 3, 3])
    await turn()
    store.begun[2]!.end()
    expect(await last).toBe(4)
    expect(store.begun).toHaveLength(3)
  })

  it('are joined by all who have arrived in the turn in which it ends', async () => {
    const reads = new SharedReads<number>()
    const store = aStore()
    const first = reads.read('a', store.read)
    await turn()
    const later = [reads.read('a', store.read)]
    store.begun[0]!.end()
    await first
    store.value = 2
    later.push(reads.read('a', store.read))
    await turn()
    expect(store.begun).toHaveLength(2)
    store.begun[1]!.end()
    expect(await Promise.all(later)).toEqual([2, 2])
  })

  it('are read as the last of them would', async () => {
    const reads = new SharedReads<string>()
    const asked = ['first', 'last'].map((said) => reads.read('a', () => Promise.resolve(said)))
    expect(await Promise.all(asked)).toEqual(['last', 'last'])
  })

  it('wait for nobody who asks for something else', async () => {
    const reads = new SharedReads<number>()
    const store = aStore()
    void reads.read('a', store.read)
    const other = reads.read('b', store.read)
    await turn()
    store.begun[1]!.end()
    expect(await other).toBe(1)
  })

  it('are not harmed by a reading that fails, unless it is theirs', async () => {
    const reads = new SharedReads<number>()
    const store = aStore()
    const first = reads.read('a', store.read)
    await turn()
    const later = [1, 2, 3].map(() => reads.read('a', store.read))
    store.begun[0]!.fail()
    await expect(first).rejects.toThrow('away')
    await turn()
    store.begun[1]!.fail()
    for (const each of later) await expect(each).rejects.toThrow('away')
    const again = reads.read('a', store.read)
    await turn()
    store.begun[2]!.end()
    expect(await again).toBe(1)
  })

  it('are told when a reading throws before it has begun', async () => {
    const reads = new SharedReads<number>()
    const broken = () => {
      throw new Error('no such thing')
    }
    await expect(reads.read('a', broken)).rejects.toThrow('no such thing')
    expect(await reads.read('a', () => Promise.resolve(1))).toBe(1)
  })

  it('begin anew once nobody waits', async () => {
    const reads = new SharedReads<number>()
    const store = aStore()
    for (const nth of [0, 1, 2]) {
      store.value = nth
      const asked = reads.read('a', store.read)
      await turn()
      store.begun[nth]!.end()
      expect(await asked).toBe(nth)
      await turn()
    }
  })
})
