import { describe, expect, it } from 'vitest'

import { formatPence, formatUsdc, microUsdc, parsePence, parseSignedMicro, parseUsdc } from '../src/core/money.ts'
import { parseRate, penceBehindDeposit, usdcForDeposit, usdcThatBuys } from '../src/core/rate.ts'
import { leastAmount, paddedAmount, paddingFor } from '../src/core/transfer-price.ts'
import { SANDBOX_STORIES, storyOf } from '../src/outcomes.ts'
import { nextAttempt } from '../src/webhooks/retry-schedule.ts'

const rate = parseRate('0.79')!
const pounds = (text: string) => parsePence(text)!
const dollars = (text: string) => parseUsdc(text)!

describe('amounts', () => {
  it.each([
    { text: '10', pence: 1000n },
    { text: '10.5', pence: 1050n },
    { text: '10.50', pence: 1050n },
    { text: '0.0', pence: 0n },
    { text: '10.505', pence: null },
    { text: '-1.00', pence: null },
    { text: '1e3', pence: null },
    { text: '1,000.00', pence: null },
    { text: '', pence: null },
    { text: '1234567890123.00', pence: null },
  ])('$text is $pence pence', ({ text, pence }) => {
    expect(parsePence(text)).toBe(pence)
  })

  it.each([
    { micro: 0n, shown: '0.00' },
    { micro: 10_000_000_000n, shown: '10000.00' },
    { micro: 10_000_000_001n, shown: '10000.000001' },
    { micro: 123_450_000n, shown: '123.45' },
    { micro: 100_000n, shown: '0.10' },
    { micro: -1n, shown: '-0.000001' },
  ])('$micro millionths are shown as $shown', ({ micro, shown }) => {
    expect(formatUsdc(microUsdc(micro))).toBe(shown)
  })

  it('of millionths may be negative, and are whole', () => {
    expect(parseSignedMicro('-1')).toBe(-1n)
    expect(parseSignedMicro('1.5')).toBeNull()
    expect(formatPence(pounds('0.07'))).toBe('0.07')
  })
})

describe('rates', () => {
  it.each(['0', '0.0', '-1', '1e1', '', '.5'])('are never %s', (text) => {
    expect(parseRate(text)).toBeNull()
  })

  it('round against whoever asks, to the cent', () => {
    expect(usdcThatBuys(pounds('100.00'), rate)).toBe(dollars('126.59'))
    expect(usdcForDeposit(pounds('100.00'), rate)).toBe(dollars('126.58'))
    expect(penceBehindDeposit(dollars('100.00'), rate)).toBe(pounds('79.00'))
  })
})

describe('the price of a transfer', () => {
  const order = (amount: string, fee = '0') => ({ destination: pounds(amount), developerFee: dollars(fee), rate })

  it.each([
    { amount: '100.00', share: '0.70', debit: '127.47', why: '100.70 / 0.79 = 127.468' },
    { amount: '1.00', share: '0.21', debit: '1.54', why: 'half a penny of share rounds up' },
    { amount: '850.00', share: '4.45', debit: '1081.59', why: '854.45 / 0.79 = 1081.582' },
    { amount: '20000.00', share: '100.20', debit: '25443.30', why: '20100.20 / 0.79 = 25443.291' },
  ])('for $amount GBP is $debit USDC: $why', ({ amount, share, debit }) => {
    expect(formatPence(paddingFor(pounds(amount)))).toBe(share)
    expect(formatUsdc(paddedAmount(order(amount)))).toBe(debit)
  })

  it('holds the fee of the developer as well', () => {
    expect(formatUsdc(paddedAmount(order('100.00', '1.23')))).toBe('128.70')
  })

  it('is at least what buys the pounds, and the fee, rounded up to the cent', () => {
    expect(formatUsdc(leastAmount(order('100.00')))).toBe('126.59')
    expect(formatUsdc(leastAmount(order('100.00', '0.01')))).toBe('126.60')
    expect(formatUsdc(leastAmount({ ...order('100.00', '1'), rate: parseRate('0.8955')! }))).toBe('112.67')
  })
})

describe('the story of a payout', () => {
  it.each(SANDBOX_STORIES)('is %s when its reference says so', (story) => {
    expect(storyOf({ accountNumber: '12345678', reference: `sandbox:${story}` })).toBe(story)
  })

  it.each([
    { accountNumber: '12340000', reference: 'sandbox:return', story: 'refuse' },
    { accountNumber: '00001234', reference: null, story: 'settle' },
    { accountNumber: '12345678', reference: 'sandbox:unheard', story: 'settle' },
    { accountNumber: '12345678', reference: 'pay sandbox:fail', story: 'settle' },
  ])('of account $accountNumber with $reference is $story', ({ story, ...payout }) => {
    expect(storyOf(payout)).toBe(story)
  })
})

describe('the retries of a webhook', () => {
  const start = new Date('2026-01-01T00:00:00Z')
  const pauseAfter = (attempts: number) =>
    (nextAttempt({ attempts, firstAttemptAt: start, now: start })?.getTime() ?? Number.NaN) - start.getTime()

  it('come after 1 s, 5 s, 30 s and 5 minutes, and then ever more rarely', () => {
    expect([1, 2, 3, 4].map(pauseAfter)).toEqual([1_000, 5_000, 30_000, 300_000])
    expect(pauseAfter(50)).toBe(12 * 3_600_000)
  })

  it('end after two days', () => {
    const now = new Date('2026-01-02T13:00:00Z')
    expect(nextAttempt({ attempts: 50, firstAttemptAt: start, now })).toBeNull()
  })
})
