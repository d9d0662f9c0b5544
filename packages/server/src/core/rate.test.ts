import { randomInt } from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { microUsdc, pence } from './money.ts'
import { approximatePence, isConceivable, parseRate, usdcFor } from './rate.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`rate.test.ts seed=${SEED}\n`)

describe('a rate', () => {
  it.each([
    { text: '0.79', numerator: 79n, denominator: 100n },
    { text: '1', numerator: 1n, denominator: 1n },
    { text: '0.7900', numerator: 7_900n, denominator: 10_000n },
    { text: '0.0000000001', numerator: 1n, denominator: 10_000_000_000n },
    { text: '999999.9999999999', numerator: 9_999_999_999_999_999n, denominator: 10_000_000_000n },
    { text: '012.5', numerator: 125n, denominator: 10n },
  ])('$text is exactly $numerator / $denominator, and keeps its text', ({ text, numerator, denominator }) => {
    expect(parseRate(text)).toEqual({ text, numerator, denominator })
  })

  it.each([
    { text: '0', why: 'zero buys nothing' },
    { text: '0.0000', why: 'zero in any length' },
    { text: '-0.79', why: 'a sign' },
    { text: '+0.79', why: 'a sign' },
    { text: '.79', why: 'nothing before the point' },
    { text: '0.', why: 'nothing behind it' },
    { text: '7.9e-1', why: 'an exponent' },
    { text: '0,79', why: 'a comma' },
    { text: '0.79\n', why: 'a line break' },
    { text: '٠.٧٩', why: 'other digits' },
    { text: '1234567', why: 'seven digits before the point' },
    { text: '0.12345678901', why: 'eleven behind it' },
    { text: '', why: 'nothing at all' },
    { text: 'NaN', why: 'a word' },
  ])('is not $text: $why', ({ text }) => {
    expect(parseRate(text)).toBeNull()
  })
})

const rates = fc
  .oneof(
    fc.bigInt({ min: 1n, max: 9_999_999_999_999_999n }),
    // near the rates of real life, from 0.5 to 1.2
    fc.bigInt({ min: 5_000_000_000n, max: 12_000_000_000n }),
  )
  .map((tenBillionths) => {
    const digits = tenBillionths.toString().padStart(11, '0')
    return { text: `${digits.slice(0, -10)}.${digits.slice(-10)}`, tenBillionths }
  })

describe('the dollars for some pounds', () => {
  it('are never less than the exact value and less than a cent more, for 10,000 rates and amounts', () => {
    const amounts = fc.bigInt({ min: 1n, max: 2_100_000n })
    fc.assert(
      fc.property(rates, amounts, ({ text, tenBillionths }, amount) => {
        const sends = usdcFor(pence(amount), parseRate(text)!)
        expect(sends % 10_000n).toBe(0n)
        const cents = sends / 10_000n
        // exact = amount / rate, in cents; cross-multiplied, so that nothing is rounded here
        const exact = amount * 10n ** 10n
        expect(cents * tenBillionths >= exact).toBe(true)
        expect((cents - 1n) * tenBillionths < exact).toBe(true)
      }),
      { numRuns: 10_000, seed: SEED },
    )
  })

  it('are more, or as many, for more pounds and for a weaker dollar', () => {
    fc.assert(
      fc.property(
        rates,
        rates,
        fc.bigInt({ min: 1n, max: 2_100_000n }),
        fc.bigInt({ min: 0n, max: 1_000n }),
        (one, other, amount, more) => {
          const rate = parseRate(one.text)!
          expect(usdcFor(pence(amount + more), rate) >= usdcFor(pence(amount), rate)).toBe(true)
          const [weak, strong] = one.tenBillionths < other.tenBillionths ? [one, other] : [other, one]
          const atWeak = usdcFor(pence(amount), parseRate(weak.text)!)
          expect(atWeak >= usdcFor(pence(amount), parseRate(strong.text)!)).toBe(true)
        },
      ),
      { numRuns: 2_000, seed: SEED },
    )
  })

  it.each([
    { amount: 2_533n, rate: '0.79', micro: 32_070_000n, why: '25.33 / 0.79 = 32.0632…, up to the cent' },
    { amount: 79n, rate: '0.79', micro: 1_000_000n, why: 'an even division is not rounded' },
    { amount: 80n, rate: '0.79', micro: 1_020_000n, why: '1.0126…, up' },
    { amount: 0n, rate: '0.79', micro: 0n, why: 'nothing costs nothing' },
    { amount: 1n, rate: '999999.9999999999', micro: 10_000n, why: 'the least that can be sent is a cent' },
  ])('$amount pence at $rate are $micro micro-USDC: $why', ({ amount, rate, micro }) => {
    expect(usdcFor(pence(amount), parseRate(rate)!)).toBe(micro)
  })
})

describe('the pounds that some dollars are worth', () => {
  it('come from the cents that are shown, rounded down', () => {
    fc.assert(
      fc.property(rates, fc.bigInt({ min: 0n, max: 10n ** 15n }), ({ text, tenBillionths }, micro) => {
        const worth = approximatePence(microUsdc(micro), parseRate(text)!)
        const exact = (micro / 10_000n) * tenBillionths
        expect(worth * 10n ** 10n <= exact && exact < (worth + 1n) * 10n ** 10n).toBe(true)
      }),
      { numRuns: 2_000, seed: SEED },
    )
  })

  it.each([
    { micro: 10_000_000_000n, rate: '0.79', worth: 790_000n, why: 'the sandbox float is 7,900.00 GBP' },
    { micro: 1_009_999n, rate: '1', worth: 100n, why: 'the part of a cent that is not shown is worth nothing' },
    { micro: 0n, rate: '0.79', worth: 0n, why: 'an empty wallet' },
  ])('$micro micro-USDC at $rate are $worth pence: $why', ({ micro, rate, worth }) => {
    expect(approximatePence(microUsdc(micro), parseRate(rate)!)).toBe(worth)
  })
})

describe('a rate that can be', () => {
  it.each([
    { rate: '0.33', can: true },
    { rate: '0.3299999999', can: false },
    { rate: '0.79', can: true },
    { rate: '1.50', can: true },
    { rate: '1.5000000001', can: false },
    { rate: '79', can: false },
    { rate: '0.0079', can: false },
    { rate: '1', can: true },
  ])('$rate: $can', ({ rate, can }) => {
    expect(isConceivable(parseRate(rate)!)).toBe(can)
  })
})
