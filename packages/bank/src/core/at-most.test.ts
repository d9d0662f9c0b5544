import { expect, it } from 'vitest'

import { atMost } from './at-most.ts'

it('does so many at a time, in order, and goes on after a failure', async () => {
  const begun: number[] = []
  const ends: (() => void)[] = []
  const inTurn = atMost(2)
  const all = [0, 1, 2, 3].map((each) =>
    inTurn(() => {
      begun.push(each)
      return new Promise<number>((resolve, reject) => {
        ends[each] = () => (each === 1 ? reject(new Error('no')) : resolve(each))
      })
    }),
  )
  const settled = Promise.allSettled(all)
  expect(begun).toEqual([0, 1])
  ends[1]!()
  await expect(all[1]).rejects.toThrow('no')
  expect(begun).toEqual([0, 1, 2])
  ends[0]!()
  expect(await all[0]).toBe(0)
  expect(begun).toEqual([0, 1, 2, 3])
  ends[2]!()
  ends[3]!()
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
})
