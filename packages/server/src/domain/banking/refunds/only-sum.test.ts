import { describe, expect, it } from 'vitest'

import { onlySum, waysTo } from './only-sum.ts'

const of = (...amounts: bigint[]) => amounts.map((amount, index) => ({ amount, index }))
const chosen = (sum: bigint, ...amounts: bigint[]) => onlySum(sum, of(...amounts))?.map(({ index }) => index) ?? null

describe('the only sum', () => {
  it.each([
    ['all of them', 6n, [1n, 2n, 3n], [0, 1, 2]],
    ['all of them, alike', 4n, [2n, 2n], [0, 1]],
    ['one of them', 5n, [1n, 5n], [1]],
    ['some of them', 7n, [1n, 2n, 5n], [1, 2]],
    ['one of two alike', 2n, [2n, 2n], null],
    ['one way or another', 3n, [1n, 2n, 3n], null],
    ['a millionth more', 8n, [2n, 5n], null],
    ['the least that there is', 1n, [1n, 5n], [0]],
    ['one of as many as are tried', 64n, Array.from({ length: 12 }, (_, index) => 2n ** BigInt(index)), [6]],
    ['nothing', 0n, [1n], null],
    ['less than nothing', -1n, [1n], null],
    ['too many to try', 1n, Array.from({ length: 13 }, (_, index) => BigInt(index + 1)), null],
    [
      'all of many',
      91n,
      Array.from({ length: 13 }, (_, index) => BigInt(index + 1)),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    ],
  ])('is %s', (_, sum, amounts, expected) => {
    expect(chosen(sum, ...amounts)).toEqual(expected)
  })
})

describe('the ways to a sum', () => {
  const ways = (sum: bigint, ...amounts: bigint[]) =>
    waysTo(sum, of(...amounts)).map((way) => way.map((each) => each.index))
  const many = Array.from({ length: 13 }, (_, index) => BigInt(index + 1))

  it('are every choice that makes it', () => {
    expect(ways(3n, 1n, 2n, 3n)).toEqual([[0, 1], [2]])
    expect(ways(0n, 1n, 2n)).toEqual([[]])
    expect(ways(9n, 1n, 2n)).toEqual([])
  })

  it('of more than are tried are none of them, all of them, or not known', () => {
    expect(ways(0n, ...many)).toEqual([[]])
    expect(ways(91n, ...many)).toEqual([many.map((_, index) => index)])
    expect(ways(5n, ...many)).toEqual([])
  })
})
