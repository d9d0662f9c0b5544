import { randomInt } from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { divideDown, divideHalfUp, divideUp } from './rounding.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`rounding.test.ts seed=${SEED}\n`)

describe('division of money', () => {
  it.each([
    { amount: 0n, divisor: 7n, down: 0n, up: 0n, halfUp: 0n, why: 'nothing stays nothing' },
    { amount: 6n, divisor: 3n, down: 2n, up: 2n, halfUp: 2n, why: 'what divides evenly is not rounded' },
    { amount: 1n, divisor: 3n, down: 0n, up: 1n, halfUp: 0n, why: 'a third is less than half' },
    { amount: 2n, divisor: 3n, down: 0n, up: 1n, halfUp: 1n, why: 'two thirds are more than half' },
    { amount: 1n, divisor: 2n, down: 0n, up: 1n, halfUp: 1n, why: 'exactly half goes up' },
    { amount: 5n, divisor: 2n, down: 2n, up: 3n, halfUp: 3n, why: 'half goes up, not to the even neighbour' },
    { amount: 3n, divisor: 2n, down: 1n, up: 2n, halfUp: 2n, why: 'half goes up here too' },
    { amount: 150n, divisor: 100n, down: 1n, up: 2n, halfUp: 2n, why: '1.00% of 1.50' },
    { amount: 149n, divisor: 100n, down: 1n, up: 2n, halfUp: 1n, why: 'a penny under it' },
    { amount: 7n, divisor: 1n, down: 7n, up: 7n, halfUp: 7n, why: 'one divides everything' },
  ])('of $amount by $divisor is $down down, $up up, $halfUp half up: $why', ({ amount, divisor, down, up, halfUp }) => {
    expect(divideDown(amount, divisor)).toBe(down)
    expect(divideUp(amount, divisor)).toBe(up)
    expect(divideHalfUp(amount, divisor)).toBe(halfUp)
  })

  it('brackets the exact value, however large the numbers are', () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 30n })
    const divisors = fc.bigInt({ min: 1n, max: 10n ** 16n })
    fc.assert(
      fc.property(amounts, divisors, (amount, divisor) => {
        const down = divideDown(amount, divisor)
        expect(down * divisor <= amount && amount < (down + 1n) * divisor).toBe(true)
        const up = divideUp(amount, divisor)
        expect(up * divisor >= amount && amount > (up - 1n) * divisor).toBe(true)
        const halfUp = divideHalfUp(amount, divisor)
        // halfUp - 1/2 <= amount / divisor < halfUp + 1/2
        expect((2n * halfUp - 1n) * divisor <= 2n * amount && 2n * amount < (2n * halfUp + 1n) * divisor).toBe(true)
      }),
      { numRuns: 2_000, seed: SEED },
    )
  })

  it.each([
    { amount: 1n, divisor: 0n, why: 'by zero' },
    { amount: 1n, divisor: -2n, why: 'by a negative number' },
    { amount: -1n, divisor: 2n, why: 'of a negative amount' },
  ])('$why is refused rather than guessed at', ({ amount, divisor }) => {
    for (const divide of [divideDown, divideUp, divideHalfUp]) {
      expect(() => divide(amount, divisor)).toThrow('This should be impossible: money is divided by a positive number')
    }
  })
})
