import { randomInt } from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { formatPence, parsePence, pence } from '../../core/money.ts'
import { DEFAULT_PLAN, type Plan } from '../../core/plan.ts'
import { payoutFee } from './fee.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`fee.test.ts seed=${SEED}\n`)

describe('the fee of the price list', () => {
  it.each([
    { amount: '1.00', fee: '1.00', inTransfer: '0.21', onInvoice: '0.79', why: '0.99 + 0.01; 0.20 + 0.005 up' },
    { amount: '1.49', fee: '1.00', inTransfer: '0.21', onInvoice: '0.79', why: '0.0149 is a penny' },
    { amount: '1.50', fee: '1.01', inTransfer: '0.21', onInvoice: '0.80', why: 'half a penny up; floats say 1.00' },
    { amount: '1.51', fee: '1.01', inTransfer: '0.21', onInvoice: '0.80', why: 'more than half' },
    {
      amount: '2.99',
      fee: '1.02',
      inTransfer: '0.21',
      onInvoice: '0.81',
      why: 'the bank’s half penny is not there yet',
    },
    { amount: '3.00', fee: '1.02', inTransfer: '0.22', onInvoice: '0.80', why: 'now it is: the invoice’s part falls' },
    { amount: '25.00', fee: '1.24', inTransfer: '0.33', onInvoice: '0.91', why: '0.125 up to 0.13' },
    { amount: '120.50', fee: '2.20', inTransfer: '0.80', onInvoice: '1.40', why: '1.205 up to 1.21' },
    { amount: '20000.00', fee: '200.99', inTransfer: '100.20', onInvoice: '100.79', why: 'the largest payout' },
  ])('of $amount is $fee, $inTransfer of it in the transfer: $why', ({ amount, fee, inTransfer, onInvoice }) => {
    const result = payoutFee(parsePence(amount)!, DEFAULT_PLAN)
    expect([result.total, result.inTransfer, result.onInvoice].map(formatPence)).toEqual([fee, inTransfer, onInvoice])
  })

  it('is right for every one of the 1,999,901 legal amounts', ({ task }) => {
    let wrong: string | null = null
    let count = 0
    let last = 0n
    for (let amount = 100; amount <= 2_000_000; amount++) {
      const money = pence(BigInt(amount))
      const text = formatPence(money)
      const { total, inTransfer, onInvoice } = payoutFee(money, DEFAULT_PLAN)
      // Whole pence without any division of the program's own: a hundredth and a two-hundredth, half up.
      const percent = (amount - (amount % 100)) / 100 + (amount % 100 >= 50 ? 1 : 0)
      const half = (amount - (amount % 200)) / 200 + (amount % 200 >= 100 ? 1 : 0)
      const isRight =
        total === BigInt(99 + percent) &&
        inTransfer === BigInt(20 + half) &&
        inTransfer + onInvoice === total &&
        onInvoice > 0n &&
        total >= last &&
        parsePence(text) === money &&
        text.length === String(amount).length + 1 &&
        Math.round(Number.parseFloat(text) * 100) === amount
      if (!isRight) wrong ??= `${text}: ${total} = ${inTransfer} + ${onInvoice}`
      last = total
      count++
    }
    expect(wrong).toBeNull()
    expect(count).toBe(1_999_901)
    task.meta.cases = count
  })
})

describe('the fee of any plan', () => {
  const plans = fc.record({
    payoutFixed: fc.bigInt({ min: 0n, max: 10_000n }).map(pence),
    payoutBasisPoints: fc.bigInt({ min: 0n, max: 10_000n }),
    bankFixed: fc.bigInt({ min: 0n, max: 10_000n }).map(pence),
    bankBasisPoints: fc.bigInt({ min: 0n, max: 10_000n }),
    monthlyAccount: fc.constant(pence(0n)),
    businessVerification: fc.constant(pence(0n)),
    networkCost: fc.constant(pence(0n)),
    networkMarkupBasisPoints: fc.constant(0n),
    exceptionCost: fc.constant(pence(0n)),
    exceptionMarkupBasisPoints: fc.constant(0n),
  })
  const amounts = fc.bigInt({ min: 100n, max: 2_000_000n }).map(pence)

  it('has two parts that add up to it, neither below nothing, and never falls as the amount grows', () => {
    let capped = 0
    fc.assert(
      fc.property(plans, amounts, (plan: Plan, amount) => {
        const { total, inTransfer, onInvoice } = payoutFee(amount, plan)
        expect(inTransfer + onInvoice).toBe(total)
        expect(inTransfer >= 0n && onInvoice >= 0n).toBe(true)
        expect(payoutFee(pence(amount + 1n), plan).total >= total).toBe(true)
        if (onInvoice === 0n) capped++
      }),
      { numRuns: 5_000, seed: SEED },
    )
    expect(capped).toBeGreaterThan(100)
  })

  it('gives the bank no more than all of it', () => {
    const dear = { ...DEFAULT_PLAN, bankFixed: pence(500n) }
    expect(payoutFee(pence(100n), dear)).toEqual({ total: 100n, inTransfer: 100n, onInvoice: 0n })
  })

  it('is nothing where everything is free', () => {
    const free = {
      ...DEFAULT_PLAN,
      payoutFixed: pence(0n),
      payoutBasisPoints: 0n,
      bankFixed: pence(0n),
      bankBasisPoints: 0n,
    }
    expect(payoutFee(pence(2_000_000n), free)).toEqual({ total: 0n, inTransfer: 0n, onInvoice: 0n })
  })
})
