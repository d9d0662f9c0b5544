// Amounts as banks write them. What cannot be said exactly in whole units is not money here.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseDecimalPence, parseDecimalUsdc } from '../../core/money.ts'

describe('an amount of USDC from the bank', () => {
  it.each([
    ['0', 0n],
    ['1', 1_000_000n],
    ['32.07', 32_070_000n],
    ['32.070000', 32_070_000n],
    ['32.070001', 32_070_001n],
    ['0.1', 100_000n],
    ['1.234567', 1_234_567n],
    ['1.234567000000000000', 1_234_567n],
    ['007.50', 7_500_000n],
    ['999999999999.999999', 999_999_999_999_999_999n],
  ])('%s is %d millionths', (text, micro) => {
    expect(parseDecimalUsdc(text)).toBe(micro)
  })

  it.each([
    '',
    ' ',
    '.',
    '.5',
    '5.',
    '-1.00',
    '+1.00',
    '1,000.00',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    ' 1.00',
    '1.00 ',
    '1.00\n',
    '١.٠٠',
    '1.2345678',
    '0.0000001',
    '1.2345670000000000001',
    '1000000000000',
    '1.00.00',
  ])('%j is no amount', (text) => {
    expect(parseDecimalUsdc(text)).toBeNull()
  })

  it('says the same whatever zeros are written behind it', () => {
    const amounts = fc.record({ micro: fc.bigInt(0n, 999_999_999_999_999_999n), zeros: fc.nat(12) })
    fc.assert(
      fc.property(amounts, ({ micro, zeros }) => {
        const digits = micro.toString().padStart(7, '0')
        const text = `${digits.slice(0, -6)}.${digits.slice(-6)}${'0'.repeat(zeros)}`
        expect(parseDecimalUsdc(text)).toBe(micro)
      }),
      { numRuns: 500, seed: 20_251_115 },
    )
  })
})

describe('an amount of pounds from the bank', () => {
  it.each([
    ['850', 85_000n],
    ['850.0', 85_000n],
    ['850.00', 85_000n],
    ['850.000000', 85_000n],
    ['0.01', 1n],
    ['20000.00', 2_000_000n],
  ])('%s is %d pence', (text, pence) => {
    expect(parseDecimalPence(text)).toBe(pence)
  })

  it.each(['850.001', '850.009', '0.005', '-850.00', '8 50.00', '£850.00', '850.00GBP', '850,00', ''])(
    '%j is no amount',
    (text) => {
      expect(parseDecimalPence(text)).toBeNull()
    },
  )
})
