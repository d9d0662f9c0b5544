import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  addMoney,
  amountMistake,
  gbp,
  hundredths,
  isMore,
  isZero,
  lessMoney,
  lost,
  moneyString,
  onePercentMore,
  readAmount,
  shortGbp,
} from './money.ts'

describe('exact amounts of USDC', () => {
  it('are nothing only when every digit is', () => {
    expect(isZero('0.00')).toBe(true)
    expect(isZero('0.000001')).toBe(false)
    expect(lost('1234.005')).toBe('−1,234.005')
    expect(lost('0.00')).toBe('0.00')
  })
})

describe('money', () => {
  it('comes back as it was, whatever the amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (value) => {
        expect(hundredths(moneyString(value))).toBe(value)
      }),
    )
  })

  it.each([
    ['0.10', '£0.10'],
    ['999.99', '£999.99'],
    ['1000.00', '£1,000.00'],
    ['1234567.89', '£1,234,567.89'],
  ])('%s is read as %s', (money, text) => expect(gbp(money)).toBe(text))

  it.each([
    ['245', '245.00'],
    ['£1,245.5', '1245.50'],
    [' 1 000 ', '1000.00'],
    ['£ 1,234,567.89', '1234567.89'],
    ['20,000', '20000.00'],
    ['12.', '12.00'],
    ['007.10', '7.10'],
  ])('typed as %j is %s', (typed, money) => expect(readAmount(typed)).toBe(money))

  it.each([
    '',
    '1.005',
    'ten',
    '1.2.3',
    '-5',
    '1e3',
    '.50',
    '24,50',
    '1,00',
    '1000,000',
    '1,0000',
    '1,000 000',
    '2 4',
    '24,',
    '1,,000',
    '5£',
  ])('typed as %j is no amount', (typed) => {
    expect(readAmount(typed)).toBeNull()
  })

  it.each([
    ['24,50', 'A comma goes only between thousands'],
    ['1.005', 'Pence have two digits'],
    ['ten', 'Enter an amount such as 245.00.'],
  ])('typed as %j is said to be wrong in words', (typed, words) => expect(amountMistake(typed)).toContain(words))

  it('adds and takes away without a float', () => {
    expect(addMoney('0.10', '0.20')).toBe('0.30')
    expect(lessMoney('1.00', '0.99')).toBe('0.01')
    expect(lessMoney('1.00', '2.00')).toBe('0.00')
    expect(isMore('10.00', '9.99')).toBe(true)
  })

  it('allows a rate to move by one in a hundred, rounded up', () => {
    expect(onePercentMore('322.71')).toBe('325.94')
    expect(onePercentMore('0.01')).toBe('0.02')
  })

  it('is short on an axis', () => {
    expect([85_000n, 300_000n, 150_000n].map(shortGbp)).toEqual(['£850', '£3k', '£1.5k'])
  })
})
