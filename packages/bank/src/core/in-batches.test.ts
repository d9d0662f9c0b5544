import { expect, it } from 'vitest'

import { inBatches } from './in-batches.ts'

it('does what comes meanwhile together, no more than the largest batch, and gives each its own result', async () => {
  const batches: (readonly number[])[] = []
  const ends: (() => void)[] = []
  const double = inBatches<number, number>({
    largest: 2,
    work: async (items) => {
      batches.push(items)
      await new Promise<void>((resolve) => ends.push(resolve))
      return items.map((item) => item * 2)
    },
  })
  const all = [1, 2, 3, 4].map((item) => double(item))
  expect(batches).toEqual([[1]])
  ends[0]!()
  expect(await all[0]).toBe(2)
  expect(batches).toEqual([[1], [2, 3]])
  ends[1]!()
  expect(await Promise.all(all.slice(0, 3))).toEqual([2, 4, 6])
  ends[2]!()
  expect(await all[3]).toBe(8)
  expect(batches).toEqual([[1], [2, 3], [4]])
})

it('fails all of a batch as it failed, and goes on with the next', async () => {
  const said = inBatches<string, string>({
    largest: 10,
    pauseMs: 1,
    work: async (items) => {
      if (items.includes('bad')) throw new Error('no')
      return items
    },
  })
  await expect(said('bad')).rejects.toThrow('no')
  expect(await said('good')).toBe('good')
})
