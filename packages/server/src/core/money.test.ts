import { randomInt } from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  addPence,
  addUsdc,
  exactly,
  formatPence,
  formatPenceExact,
  formatUsdcExact,
  formatUsdcHeld,
  formatUsdcSent,
  microPence,
  microUsdc,
  parsePence,
  parseUsdc,
  pence,
  roundedPence,
  subtractPence,
  subtractUsdc,
  sumPence,
  usdcFromCents,
  wholeCents,
  wholePence,
  withoutSign,
} from './money.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`money.test.ts seed=${SEED}\n`)

describe('text that is money', () => {
  it.each([
    { text: '0.00', amount: 0n, why: 'nothing is an amount too; the range is another rule' },
    { text: '0.01', amount: 1n, why: 'the smallest unit' },
    { text: '1.50', amount: 150n, why: 'the plain case' },
    { text: '20000.00', amount: 2_000_000n, why: 'the largest payout' },
    { text: '01.00', amount: 100n, why: 'the specification’s pattern allows leading zeros' },
    { text: '0000000000000000001.00', amount: 100n, why: 'leading zeros are not digits of the amount' },
    { text: '000.00', amount: 0n, why: 'zeros alone are zero' },
    { text: '999999999999.99', amount: 99_999_999_999_999n, why: 'twelve digits before the point still fit' },
    { text: '0.10', amount: 10n, why: 'floats have no tenth' },
  ])('reads $text as $amount: $why', ({ text, amount }) => {
    expect(parsePence(text)).toBe(amount)
    expect(parseUsdc(text)).toBe(amount * 10_000n)
  })

  it('fits in 64 bits as millionths, whatever is accepted', () => {
    const most = parseUsdc('999999999999.99')!
    expect(most).toBeLessThan(2n ** 63n)
    expect(parseUsdc('1000000000000.00')).toBeNull()
  })
})

describe('text that is not money', () => {
  it.each([
    { text: '', why: 'empty' },
    { text: '1', why: 'no decimals' },
    { text: '1.', why: 'no decimals after the point' },
    { text: '1.0', why: 'one decimal' },
    { text: '1.000', why: 'three decimals' },
    { text: '.50', why: 'nothing before the point' },
    { text: '1,00', why: 'a comma' },
    { text: '1,000.00', why: 'a thousands separator' },
    { text: '+1.00', why: 'a plus' },
    { text: '-1.00', why: 'a minus' },
    { text: '-0.00', why: 'a minus before nothing' },
    { text: '1e3', why: 'an exponent' },
    { text: '1e3.00', why: 'an exponent before the point' },
    { text: '1.0e', why: 'an exponent after it' },
    { text: 'NaN', why: 'a float’s word for nothing' },
    { text: 'Infinity', why: 'a float’s word for too much' },
    { text: '0x1.00', why: 'hexadecimal' },
    { text: '1_000.00', why: 'a separator of programming languages' },
    { text: '١.٠٠', why: 'Arabic-Indic digits' },
    { text: '１.００', why: 'full-width digits' },
    { text: '१.००', why: 'Devanagari digits' },
    { text: '1．00', why: 'a full-width point' },
    { text: '1.00\n', why: 'a line break behind it' },
    { text: '\n1.00', why: 'a line break before it' },
    { text: '1.00\r', why: 'a carriage return behind it' },
    { text: '1.00\u2028', why: 'a line separator behind it' },
    { text: ' 1.00', why: 'a space before it' },
    { text: '1.00 ', why: 'a space behind it' },
    { text: '1 .00', why: 'a space inside' },
    { text: '1.00\u0000', why: 'a NUL behind it' },
    { text: '\ufeff1.00', why: 'a byte order mark' },
    { text: '1.00.00', why: 'two points' },
    { text: '£1.00', why: 'a currency sign' },
    { text: '1.00 GBP', why: 'a currency' },
    { text: '1n.00', why: 'a bigint literal' },
    { text: `${'9'.repeat(400)}.00`, why: '400 digits' },
    { text: '1000000000000.00', why: 'thirteen digits, which micro-units could not keep' },
  ])('refuses $why', ({ text }) => {
    expect(parsePence(text)).toBeNull()
    expect(parseUsdc(text)).toBeNull()
  })

  it('refuses 5,000 generated texts exactly when the specification’s pattern does', () => {
    const digits = (minLength: number, maxLength: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })
    const mostly = (usual: string, ...others: string[]) =>
      fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
    const nearMoney = fc
      .tuple(
        digits(0, 14),
        mostly('.', ',', '', '..', '٫', ' .', 'e'),
        fc.oneof(digits(2, 2), digits(0, 4)),
        mostly('', '\n', ' ', '\u0000', '٠', '-', 'f'),
        mostly('', '+', '-', ' ', '0x', '$'),
      )
      .map(([whole, point, decimals, tail, head]) => head + whole + point + decimals + tail)
    const texts = fc.oneof(
      { weight: 8, arbitrary: nearMoney },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
      { weight: 1, arbitrary: fc.double().map(String) },
    )
    let refused = 0
    let accepted = 0
    fc.assert(
      fc.property(texts, (text) => {
        // Written out by hand, without a regular expression, so that the two cannot share a mistake.
        const [whole = '', decimals = '', ...more] = text.split('.')
        const isAllDigits = (part: string) => part !== '' && [...part].every((c) => c >= '0' && c <= '9')
        const isMoney =
          text.includes('.') &&
          more.length === 0 &&
          isAllDigits(whole) &&
          decimals.length === 2 &&
          isAllDigits(decimals) &&
          BigInt(whole) < 10n ** 12n
        const expected = isMoney ? BigInt(whole) * 100n + BigInt(decimals) : null
        if (expected === null) refused++
        else accepted++
        expect(parsePence(text)).toBe(expected)
      }),
      { numRuns: 5_000, seed: SEED },
    )
    // A generator that only ever makes one kind would prove nothing.
    expect(refused).toBeGreaterThan(1_000)
    expect(accepted).toBeGreaterThan(100)
  })
})

describe('money as text', () => {
  it.each([
    { amount: 0n, text: '0.00' },
    { amount: 1n, text: '0.01' },
    { amount: 99n, text: '0.99' },
    { amount: 100n, text: '1.00' },
    { amount: 2_000_000n, text: '20000.00' },
    { amount: 99_999_999_999_999n, text: '999999999999.99' },
  ])('$amount pence are $text', ({ amount, text }) => {
    expect(formatPence(pence(amount))).toBe(text)
  })

  it.each([
    { micro: 0n, held: '0.00', sent: '0.00', why: 'nothing is nothing' },
    { micro: 1n, held: '0.00', sent: '0.01', why: 'a wallet never shows a cent it does not hold' },
    { micro: 9_999n, held: '0.00', sent: '0.01', why: 'a millionth short of a cent' },
    { micro: 10_000n, held: '0.01', sent: '0.01', why: 'a whole cent is itself both ways' },
    { micro: 10_001n, held: '0.01', sent: '0.02', why: 'a millionth more' },
    { micro: 32_070_000n, held: '32.07', sent: '32.07', why: 'what is quoted is a whole number of cents' },
  ])('$micro micro-USDC are held as $held and sent as $sent: $why', ({ micro, held, sent }) => {
    expect(formatUsdcHeld(microUsdc(micro))).toBe(held)
    expect(formatUsdcSent(microUsdc(micro))).toBe(sent)
  })

  it('comes back as the same amount, in either currency', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 14n - 1n }), (amount) => {
        expect(parsePence(formatPence(pence(amount)))).toBe(amount)
        const usdc = usdcFromCents(amount)
        expect(parseUsdc(formatUsdcHeld(usdc))).toBe(usdc)
        expect(parseUsdc(formatUsdcSent(usdc))).toBe(usdc)
        expect(wholeCents(usdc)).toBe(amount)
      }),
      { numRuns: 2_000, seed: SEED },
    )
  })
})

describe('sums', () => {
  it('are exact beyond what a float can count', () => {
    const large = 9_007_199_254_740_993n
    expect(addPence(pence(large), pence(1n))).toBe(9_007_199_254_740_994n)
    expect(subtractPence(pence(large), pence(1n))).toBe(9_007_199_254_740_992n)
    expect(addUsdc(microUsdc(large), microUsdc(2n))).toBe(9_007_199_254_740_995n)
    expect(subtractUsdc(microUsdc(large), microUsdc(2n))).toBe(9_007_199_254_740_991n)
    expect(sumPence([pence(large), pence(1n), pence(1n)])).toBe(9_007_199_254_740_995n)
  })

  it('of nothing are zero', () => {
    expect(sumPence([])).toBe(0n)
  })
})

describe('parts of a penny', () => {
  it.each([
    { micro: 0n, rounded: 0n, whole: 0n },
    { micro: 1n, rounded: 0n, whole: null },
    { micro: 499_999n, rounded: 0n, whole: null },
    { micro: 500_000n, rounded: 1n, whole: null },
    { micro: 1_000_000n, rounded: 1n, whole: 1n },
    { micro: 1_000_001n, rounded: 1n, whole: null },
    { micro: 12_000_000n, rounded: 12n, whole: 12n },
  ])('$micro millionths are about $rounded, and exactly $whole', ({ micro, rounded, whole }) => {
    expect([roundedPence(microPence(micro)), wholePence(microPence(micro))]).toEqual([rounded, whole])
  })

  it('are a million to each', () => {
    expect(exactly(pence(7n))).toBe(7_000_000n)
  })

  it.each([
    { micro: 0n, text: '0.00' },
    { micro: 1n, text: '0.00000001' },
    { micro: 2_200_000n, text: '0.022' },
    { micro: 100_000_000n, text: '1.00' },
    { micro: 99_999_999n, text: '0.99999999' },
    { micro: 123_450_000_000n, text: '1234.50' },
    { micro: 1_230_000n, text: '0.0123' },
    { micro: 1_000_000n, text: '0.01' },
  ])('$micro of them are £$text', ({ micro, text }) => {
    expect(formatPenceExact(microPence(micro))).toBe(text)
  })
})

describe('an amount with all its decimals', () => {
  it.each([
    { micro: 0n, text: '0.00' },
    { micro: 1n, text: '0.000001' },
    { micro: -1n, text: '-0.000001' },
    { micro: 10_000n, text: '0.01' },
    { micro: 100_000n, text: '0.10' },
    { micro: 1_000_000n, text: '1.00' },
    { micro: 1_234_567n, text: '1.234567' },
    { micro: -1_234_500n, text: '-1.2345' },
    { micro: 1_234_560_000_000n, text: '1234560.00' },
  ])('$micro is $text', ({ micro, text }) => {
    expect(formatUsdcExact(microUsdc(micro))).toBe(text)
  })

  it('has a sign that can be left out', () => {
    expect([-5n, -1n, 0n, 1n, 5n].map((amount) => withoutSign(microUsdc(amount)))).toEqual([5n, 1n, 0n, 1n, 5n])
  })
})

describe('what is owed', () => {
  it.each([
    { amount: -1n, text: '-0.01' },
    { amount: -99n, text: '-0.99' },
    { amount: -12_345n, text: '-123.45' },
    { amount: 0n, text: '0.00' },
    { amount: 1n, text: '0.01' },
  ])('$amount pence are $text', ({ amount, text }) => {
    expect(formatPence(pence(amount))).toBe(text)
  })
})
