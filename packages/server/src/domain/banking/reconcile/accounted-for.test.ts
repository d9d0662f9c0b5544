import { describe, expect, it } from 'vitest'

import { isAccountedFor } from './accounted-for.ts'

describe('what the bank’s wallet holds more', () => {
  it.each([
    { amount: 0n, others: [], isSo: true },
    { amount: -5n, others: [], isSo: true },
    { amount: 1n, others: [], isSo: false },
    { amount: 32n, others: [], isSo: false },
    { amount: 32n, others: [32n], isSo: true },
    { amount: 64n, others: [32n], isSo: false },
    { amount: 64n, others: [32n, 7n, 32n], isSo: true },
    { amount: 39n, others: [32n, 7n, 32n], isSo: true },
    // A larger refund that is still to come hides no smaller one.
    { amount: 32n, others: [1_000n], isSo: false },
    { amount: 31n, others: [32n, 7n], isSo: false },
  ])('$amount is made of some of $others, each whole: $isSo', ({ amount, others, isSo }) => {
    expect(isAccountedFor(amount, others)).toBe(isSo)
  })

  it('is told of a thousand equal ones, and gives up where anything would do', () => {
    const equal = Array.from({ length: 1_000 }, () => 32n)
    expect([isAccountedFor(32n * 999n, equal), isAccountedFor(33n, equal)]).toEqual([true, false])
    const powers = Array.from({ length: 40 }, (_, index) => 2n ** BigInt(index))
    expect(isAccountedFor(2n ** 39n + 1n, powers)).toBe(true)
    // Larger ones make nothing of it, however many sums they have.
    expect(
      isAccountedFor(
        5n,
        powers.slice(10, 30).map((power) => power * 10n),
      ),
    ).toBe(false)
  })
})
