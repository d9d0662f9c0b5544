import { randomInt } from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { AppError } from '../../core/errors.ts'
import { pence } from '../../core/money.ts'
import { DEFAULT_PLAN } from '../../core/plan.ts'
import { systemClock } from '../../core/clock.ts'
import { type Rate, parseRate } from '../../core/rate.ts'
import { type PayoutRail, RailUnavailable } from '../../rail/port.ts'
import { SIMULATED_RATE } from '../../rail/simulated-rail.ts'
import type { Database } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { createRateBook } from './rate-book.ts'
import { type QuoteTerms, acceptedAmount, quoteAt, quotePayout } from './quote.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`quote.test.ts seed=${SEED}\n`)

const LIMITS = { enabledCountries: ['GB'], smallestPayout: pence(100n), largestPayout: pence(2_000_000n) }
const TERMS: QuoteTerms = {
  partnerId: 'p',
  environment: 'sandbox',
  rail: 'simulated',
  account: null,
  plan: DEFAULT_PLAN,
  limits: LIMITS,
}

function depsWith(readRate: () => Promise<Rate>): Deps {
  const readReading = () => readRate().then((rate) => ({ rate, validForMs: Number.POSITIVE_INFINITY }))
  const rail = { name: 'simulated', readRate: readReading } as PayoutRail
  const rails = { simulated: rail, provider_sandbox: rail, provider_production: rail }
  return { rates: createRateBook({ db: {} as Database, clock: systemClock, rails }) } as Deps
}

async function refusalOf(work: () => unknown): Promise<AppError> {
  try {
    await work()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('It was not refused')
}

describe('what the wallet sends', () => {
  it('covers the exact value and less than a cent more, for every one of the 1,999,901 legal amounts', ({ task }) => {
    let wrong: string | null = null
    let count = 0
    let last = 0n
    for (let amount = 100; amount <= 2_000_000; amount++) {
      const { walletSends, fee } = quoteAt(SIMULATED_RATE, pence(BigInt(amount)), DEFAULT_PLAN)
      const bankShare = 20 + (amount - (amount % 200)) / 200 + (amount % 200 >= 100 ? 1 : 0)
      const cents = Number(walletSends) / 10_000
      // In hundredths of a cent at 0.79: whole numbers well below 2^53, so nothing is rounded here.
      const exact = (amount + bankShare) * 100
      const isRight =
        Number.isInteger(cents) &&
        cents * 79 >= exact &&
        (cents - 1) * 79 < exact &&
        fee.inTransfer === BigInt(bankShare) &&
        walletSends >= last
      if (!isRight) wrong ??= `${amount} pence: ${walletSends}`
      last = walletSends
      count++
    }
    expect(wrong).toBeNull()
    expect(count).toBe(1_999_901)
    task.meta.cases = count
  })

  it('covers the exact value and less than a cent more, at 10,000 random rates', () => {
    const billionths = fc.bigInt({ min: 1_000n, max: 5_000_000_000n })
    const amounts = fc.bigInt({ min: 100n, max: 2_000_000n })
    fc.assert(
      fc.property(billionths, amounts, (rate, amount) => {
        const digits = rate.toString().padStart(10, '0')
        const quote = quoteAt(parseRate(`${digits.slice(0, -9)}.${digits.slice(-9)}`)!, pence(amount), DEFAULT_PLAN)
        const exact = (amount + quote.fee.inTransfer) * 10n ** 9n
        const cents = quote.walletSends / 10_000n
        expect(quote.walletSends % 10_000n).toBe(0n)
        expect(cents * rate >= exact && (cents - 1n) * rate < exact).toBe(true)
      }),
      { numRuns: 10_000, seed: SEED },
    )
  })

  it('is the amount and the bank’s share, not the part of the fee that is invoiced', () => {
    const one = parseRate('1')!
    expect(quoteAt(one, pence(2_500n), DEFAULT_PLAN)).toEqual({
      amount: 2_500n,
      fee: { total: 124n, inTransfer: 33n, onInvoice: 91n },
      walletSends: 25_330_000n,
      rate: one,
    })
  })
})

describe('an amount', () => {
  it.each([
    { text: '1.00', amount: 100n, why: 'the smallest' },
    { text: '20000.00', amount: 2_000_000n, why: 'the largest' },
    { text: '01.00', amount: 100n, why: 'leading zeros are allowed' },
  ])('of $text is accepted: $why', ({ text, amount }) => {
    expect(acceptedAmount(text, LIMITS)).toBe(amount)
  })

  it.each([
    { text: '0.99', why: 'a penny too little' },
    { text: '0.00', why: 'nothing' },
    { text: '20000.01', why: 'a penny too much' },
    { text: '999999999999.99', why: 'far too much' },
    { text: '10', why: 'not money' },
    { text: '1.0', why: 'not money' },
    { text: '', why: 'not there' },
  ])('of $text is refused with the range: $why', async ({ text }) => {
    const refusal = await refusalOf(() => acceptedAmount(text, LIMITS))
    expect(refusal.code).toBe('invalid_amount')
    expect(refusal.details).toEqual({ min: '1.00', max: '20000.00' })
    expect(refusal.message).toBe(`amount_gbp must be between 1.00 and 20000.00; ${text} is not.`)
  })

  it('that is very long is shown in part only', async () => {
    const refusal = await refusalOf(() => acceptedAmount(`${'9'.repeat(400)}.00`, LIMITS))
    expect(refusal.message).toBe(`amount_gbp must be between 1.00 and 20000.00; ${'9'.repeat(24)}… is not.`)
    const atLength = await refusalOf(() => acceptedAmount('9'.repeat(24), LIMITS))
    expect(atLength.message).toContain(`; ${'9'.repeat(24)} is not.`)
  })

  it('is held against the account’s own limits', async () => {
    const narrow = { ...LIMITS, smallestPayout: pence(500n), largestPayout: pence(1_000n) }
    expect(acceptedAmount('5.00', narrow)).toBe(500n)
    expect(acceptedAmount('10.00', narrow)).toBe(1_000n)
    for (const text of ['4.99', '10.01']) {
      const refusal = await refusalOf(() => acceptedAmount(text, narrow))
      expect([refusal.code, refusal.details]).toEqual(['invalid_amount', { min: '5.00', max: '10.00' }])
    }
  })
})

describe('a quote', () => {
  const atRate = depsWith(() => Promise.resolve(parseRate('0.79')!))

  it('is made at the bank’s rate', async () => {
    const quote = await quotePayout(atRate, TERMS, { amountGbp: '25.00', country: 'GB' })
    expect(quote).toMatchObject({ amount: 2_500n, walletSends: 32_070_000n, rate: { text: '0.79' } })
  })

  it('is not made for a country that is not enabled, whatever the amount', async () => {
    const refusal = await refusalOf(() => quotePayout(atRate, TERMS, { amountGbp: '0.00', country: 'FR' }))
    expect([refusal.code, refusal.details]).toEqual(['corridor_not_enabled', { enabled_countries: ['GB'] }])
    const none = { ...TERMS, limits: { ...LIMITS, enabledCountries: [] } }
    const other = await refusalOf(() => quotePayout(atRate, none, { amountGbp: '25.00', country: 'GB' }))
    expect([other.code, other.details]).toEqual(['corridor_not_enabled', { enabled_countries: [] }])
    expect(other.message).toBe('Payouts to "GB" are not enabled for this account. Enabled: none.')
    const two = { ...TERMS, limits: { ...LIMITS, enabledCountries: ['GB', 'IE'] } }
    const third = await refusalOf(() => quotePayout(atRate, two, { amountGbp: '25.00', country: 'FR' }))
    expect(third.message).toBe('Payouts to "FR" are not enabled for this account. Enabled: GB, IE.')
  })

  it('is not made, and the bank is not asked, for an amount out of range', async () => {
    let asked = 0
    const counting = depsWith(() => Promise.resolve(parseRate(String(++asked))!))
    const refusal = await refusalOf(() => quotePayout(counting, TERMS, { amountGbp: '20000.01', country: 'GB' }))
    expect([refusal.code, asked]).toEqual(['invalid_amount', 0])
  })

  it('says that there is no rate when the bank has none, and when to try again', async () => {
    const deps = depsWith(() => Promise.reject(new RailUnavailable('The bank is shut.')))
    const refusal = await refusalOf(() => quotePayout(deps, TERMS, { amountGbp: '25.00', country: 'GB' }))
    expect([refusal.code, refusal.retryAfterSeconds]).toEqual(['bank_unavailable', 5])
    expect(refusal.message).toContain('The bank is shut.')
  })

  it('does not take a bug of ours for the bank’s', async () => {
    const deps = depsWith(() => Promise.reject(new TypeError('a bug')))
    await expect(quotePayout(deps, TERMS, { amountGbp: '25.00', country: 'GB' })).rejects.toThrow(TypeError)
  })
})
