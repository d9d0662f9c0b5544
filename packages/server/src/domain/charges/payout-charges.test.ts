import { describe, expect, it } from 'vitest'

import { exactly, formatPenceExact, microPence, pence, roundedPence } from '../../core/money.ts'
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
  amount: pence(25_00n),
  feeOnInvoice: pence(91n),
  hasCompletedNow: false,
  hasComeBackNow: false,
  receipt: {},
  ...overrides,
})

const amounts = (of: Partial<PayoutMove>) =>
  Object.fromEntries(
    chargesOf(move(of), PLANS).map(({ kind, amount, cost }) => [
      kind,
      { amount: formatPenceExact(amount), cost: cost === null ? null : formatPenceExact(cost) },
    ]),
  )

describe('what a payout’s move is charged with', () => {
  it('is nothing while it only moves along', () => {
    expect(chargesOf(move(), PLANS)).toEqual([])
  })

  it('is the invoice part of the fee and the network, when it completes', () => {
    expect(amounts({ hasCompletedNow: true })).toEqual({
      payout_fees: { amount: '0.91', cost: null },
      network_fees: { amount: '0.022', cost: '0.02' },
    })
  })

  it('is the bank’s trouble and a fifth on top, when it comes back', () => {
    expect(amounts({ hasComeBackNow: true })).toEqual({ bank_exceptions: { amount: '3.00', cost: '2.50' } })
  })

  it('is by the plan of the day on which the payout was made', () => {
    const made = (createdAt: Date) => amounts({ createdAt, hasCompletedNow: true })['network_fees']
    expect(made(new Date(JULY.getTime() - 1))).toEqual({ amount: '0.022', cost: '0.02' })
    expect(made(JULY)).toEqual({ amount: '0.55', cost: '0.50' })
  })

  it('is by the bank’s receipt where it gives one, be it for nothing', () => {
    const receipt = { networkCost: microPence(10_333_333n), exceptionCost: microPence(0n) }
    expect(amounts({ hasCompletedNow: true, hasComeBackNow: true, receipt })).toEqual({
      payout_fees: { amount: '0.91', cost: null },
      network_fees: { amount: '0.11366666', cost: '0.10333333' },
      bank_exceptions: { amount: '0.00', cost: '0.00' },
    })
  })
})

describe('a receipt that cannot be true', () => {
  it.each([
    { says: 'as much as was paid', networkCost: exactly(pence(25_00n)), cost: '25.00' },
    { says: 'more than was paid', networkCost: microPence(exactly(pence(25_00n)) + 1n), cost: '0.02' },
    { says: 'more than can be written down', networkCost: microPence(10n ** 19n), cost: '0.02' },
  ])('is not billed: the network cost $says, and $cost is', ({ networkCost, cost }) => {
    expect(amounts({ hasCompletedNow: true, receipt: { networkCost } })['network_fees']).toMatchObject({ cost })
  })
})

describe('a cost and a share on top', () => {
  it.each([
    { cost: 2n, points: 1_000n, price: '0.022', why: 'nothing is rounded' },
    { cost: 5n, points: 1_000n, price: '0.055', why: 'not up either' },
    { cost: 0n, points: 1_000n, price: '0.00', why: 'nothing costs nothing' },
    { cost: 250n, points: 2_000n, price: '3.00', why: 'a fifth of 2.50 is 0.50' },
    { cost: 1n, points: 1n, price: '0.010001', why: 'a hundredth of a percent of a penny' },
    { cost: 999_999n, points: 0n, price: '9999.99', why: 'no share' },
  ])('of $cost at $points is $price: $why', ({ cost, points, price }) => {
    expect(formatPenceExact(costPlus(exactly(pence(cost)), points))).toBe(price)
  })

  it('is rounded when all are together: a thousand times 0.022 is 22.00', () => {
    const one = costPlus(exactly(pence(2n)), 1_000n)
    expect(roundedPence(microPence(1_000n * one))).toBe(22_00n)
    expect(roundedPence(one)).toBe(2n)
  })
})
