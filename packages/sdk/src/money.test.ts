import { describe, expect, it } from 'vitest'

import { type Gbp, gbp, hundredths, usdc } from './money.ts'

describe('money', () => {
  it('is text with two decimals, made of pence or checked', () => {
    expect([gbp(2500n), gbp(5n), gbp(0n), gbp(123_456_789_012_345_678_901n)]).toEqual([
      '25.00',
      '0.05',
      '0.00',
      '1234567890123456789.01',
    ])
    expect([gbp('25.00'), usdc('33.30')]).toEqual(['25.00', '33.30'])
    expect(hundredths('25.07')).toBe(2507n)
  })

  it.each(['25', '25.0', '25.000', '1e3', '-1.00', ' 25.00', '£25.00', '', 25, 25.5, -1n, null])(
    'is not %s',
    (amount) => {
      expect(() => gbp(amount as string)).toThrow(/two decimals/)
    },
  )

  it('does not compile as a number, nor as any text', () => {
    const right: Gbp[] = ['25.00', '0.05', '20000.10']
    // @ts-expect-error a number
    const number: Gbp = 25
    // @ts-expect-error one decimal
    const short: Gbp = '25.0'
    // @ts-expect-error any text
    const text: Gbp = String(25)
    expect([right.length, number, short, text]).toEqual([3, 25, '25.0', '25'])
  })
})
