import { describe, expect, it } from 'vitest'

import { onlySum } from './only-sum.ts'

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
