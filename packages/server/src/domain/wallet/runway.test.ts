import { describe, expect, it } from 'vitest'

import { pence } from '../../core/money.ts'
import { DEFAULT_PLAN, type Plan } from '../../core/plan.ts'
import { parseRate } from '../../core/rate.ts'
import { runwayOf } from './runway.ts'

const rate = parseRate('0.79')!
const FREE: Plan = { ...DEFAULT_PLAN, bankFixed: pence(0n), bankBasisPoints: 0n }
const of = (held: bigint, amount: bigint, payouts: number, plan = FREE) =>
  runwayOf({ approximately: pence(held), rate, plan }, { amount: pence(amount), payouts })

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

  it('counts what the wallet sends to the bank as its share of the fee', () => {
    // 1.00 pound and 0.21 of its fee, fourteen times in fourteen days.
    const { tenthsOfDays, payouts, perDay, suggested } = of(1_220n, 1_400n, 14, DEFAULT_PLAN)!
    expect([tenthsOfDays, payouts, perDay]).toEqual([100n, 10n, 100n])
    expect(of(1_209n, 1_400n, 14, DEFAULT_PLAN)?.payouts).toBe(9n)
    // 4.74 pounds are missing, 6.00 dollars.
    expect(suggested).toBe(6_000_000n)
  })

  it('has bounds that JSON can hold, whatever the wallet holds', () => {
    expect(of(10n ** 17n, 1n, 1)).toMatchObject({ tenthsOfDays: 99_990n, payouts: 999_999n })
  })
})
