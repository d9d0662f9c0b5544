import { describe, expect, it } from 'vitest'

import { type Runway, fitWords, isShortOfOne, runwayWords, topUpWords } from './runway.ts'

const runway = (of: Partial<Runway>): Runway => ({
  days: 12.4,
  payouts: 300,
  gbp_per_day: '100.00',
  suggested_top_up_usdc: '0.00',
  ...of,
})

describe('the runway in words', () => {
  it.each([
    [0, 'Less than a day'],
    [0.9, 'Less than a day'],
    [1, 'About 1 day'],
    [12.9, 'About 12 days'],
    [366, 'Over a year'],
  ])('of %d is: %s', (days, words) => expect(runwayWords(runway({ days }))).toBe(words))

  it('says at less than a day how many payouts fit', () => {
    expect(fitWords(runway({ days: 0.9, payouts: 3 }))).toBe('About 3 more payouts of your usual size fit.')
    expect(fitWords(runway({ days: 0.1, payouts: 1 }))).toBe('About 1 more payout of your usual size fits.')
    expect(fitWords(runway({ days: 3, payouts: 30 }))).toBeNull()
  })

  it('is short when a usual payout no longer fits, however many days that is', () => {
    expect(isShortOfOne(runway({ days: 3, payouts: 0 }))).toBe(true)
    expect(fitWords(runway({ days: 3, payouts: 0 }))).toBe('A payout of your usual size no longer fits.')
    expect(isShortOfOne(runway({ payouts: 1 }))).toBe(false)
  })

  it('says what to add, unless nothing is missing', () => {
    expect(topUpWords(runway({ suggested_top_up_usdc: '1287.00' }))).toBe(
      'Add 1,287.00 USDC for two weeks at this pace.',
    )
    expect(topUpWords(runway({}))).toBeNull()
  })
})
