import { expect, it } from 'vitest'

import { someAtOnce } from './some-at-once.ts'

it('leaves nothing under way when one of its items fails, and begins no others', async () => {
  const begun: number[] = []
  const ended: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    if (item === 1) throw new Error('the first one fails')
    await new Promise((resolve) => setImmediate(resolve))
    ended.push(item)
  }
  await expect(someAtOnce([1, 2, 3, 4], 2, work)).rejects.toThrow('the first one fails')
  expect({ begun, ended }).toEqual({ begun: [1, 2], ended: [2] })
})
