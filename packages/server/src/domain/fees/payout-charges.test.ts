import { describe, expect, it } from 'vitest'

import { pence } from '../../core/money.ts'
import { DEFAULT_PLAN, type DatedPlan } from '../../core/plan.ts'
import { costPlus } from './cost-plus.ts'
import { type PayoutMove, chargesOf } from './payout-charges.ts'

const JUNE = new Date('2026-06-01T00:00:00Z')
const JULY = new Date('2026-07-01T00:00:00Z')
const PLANS: readonly DatedPlan[] = [
  { ...DEFAULT_PLAN, validFrom: JUNE },
  { ...DEFAULT_PLAN, networkCost: pence(50n), exceptionCost: pence(10_00n), validFrom: JULY },
]

const move = (overrides: Partial<PayoutMove> = {}): PayoutMove => ({
  payoutId: 'payout',
  createdAt: new Date('2026-06-30T12:00:00Z'),
  feeOnInvoice: pence(91n),
  hasCompletedNow: false,
  hasComeBackNow: false,
  receipt: {},
  ...overrides,
})

const amounts = (of: Partial<PayoutMove>) =>
  Object.fromEntries(chargesOf(move(of), PLANS).map(({ kind, amount, cost }) => [kind, { amount, cost }]))

describe('what a payout’s move is charged with', () => {
  it('is nothing while it only moves along', () => {
    expect(chargesOf(move(), PLANS)).toEqual([])
  })

  it('is the invoice part of the fee and the network, when it completes', () => {
    expect(amounts({ hasCompletedNow: true })).toEqual({
      payout_fees: { amount: 91n, cost: null },
      network_fees: { amount: 2n, cost: 2n },
    })
  })

  it('is the bank’s trouble and a fifth on top, when it comes back', () => {
    expect(amounts({ hasComeBackNow: true })).toEqual({ bank_exceptions: { amount: 300n, cost: 250n } })
  })

  it('is by the plan of the day on which the payout was made', () => {
    const made = (createdAt: Date) => amounts({ createdAt, hasCompletedNow: true })['network_fees']
    expect(made(new Date(JULY.getTime() - 1))).toEqual({ amount: 2n, cost: 2n })
    expect(made(JULY)).toEqual({ amount: 55n, cost: 50n })
  })

  it('is by the bank’s receipt where it gives one, be it for nothing', () => {
    const receipt = { networkCost: pence(10n), exceptionCost: pence(0n) }
    expect(amounts({ hasCompletedNow: true, hasComeBackNow: true, receipt })).toEqual({
      payout_fees: { amount: 91n, cost: null },
      network_fees: { amount: 11n, cost: 10n },
      bank_exceptions: { amount: 0n, cost: 0n },
    })
  })
})

describe('a cost and a share on top', () => {
  it.each([
    { cost: 2n, points: 1_000n, price: 2n, why: '2.2 rounds down' },
    { cost: 5n, points: 1_000n, price: 6n, why: '5.5 rounds up' },
    { cost: 0n, points: 1_000n, price: 0n, why: 'nothing costs nothing' },
    { cost: 250n, points: 2_000n, price: 300n, why: 'a fifth of 2.50 is 0.50' },
    { cost: 999_999n, points: 0n, price: 999_999n, why: 'no share' },
  ])('of $cost at $points is $price: $why', ({ cost, points, price }) => {
    expect(costPlus(pence(cost), points)).toBe(price)
  })
})
