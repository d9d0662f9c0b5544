import { describe, expect, it } from 'vitest'

import { pence } from '../../core/money.ts'
import { parseRate } from '../../core/rate.ts'
import { runwayOf } from './runway.ts'

const rate = parseRate('0.79')!
const of = (held: bigint, amount: bigint, payouts: number) =>
  runwayOf({ approximately: pence(held), rate }, { amount: pence(amount), payouts })

describe('the runway of a wallet', () => {
  it('is not known without a pace', () => expect(of(100n, 0n, 0)).toBeNull())

  it('is what it holds at the pace of fourteen days, rounded down to a tenth', () => {
    expect(of(40_000n, 140_000n, 14)).toMatchObject({ tenthsOfDays: 40n, payouts: 4n, perDay: 10_000n })
    expect(of(39_999n, 140_000n, 14)).toMatchObject({ tenthsOfDays: 39n, payouts: 3n })
  })

  it('says at less than a day how many payouts still fit', () => {
    expect(of(5_000n, 140_000n, 140)).toMatchObject({ tenthsOfDays: 5n, payouts: 5n })
    expect(of(999n, 140_000n, 140)).toMatchObject({ tenthsOfDays: 0n, payouts: 0n })
    expect(of(0n, 1n, 1)).toMatchObject({ tenthsOfDays: 0n, payouts: 0n, suggested: 1_000_000n })
  })

  it('suggests what is missing for fourteen days, in whole dollars, and nothing when nothing is', () => {
    // 1,000.00 pounds are 1,265.83 dollars.
    expect(of(40_000n, 140_000n, 14)?.suggested).toBe(1_266_000_000n)
    expect(of(140_000n, 140_000n, 14)?.suggested).toBe(0n)
    expect(of(900_000n, 140_000n, 14)?.suggested).toBe(0n)
  })

  it('has bounds that JSON can hold, whatever the wallet holds', () => {
    expect(of(10n ** 17n, 1n, 1)).toMatchObject({ tenthsOfDays: 99_990n, payouts: 999_999n })
  })
})
