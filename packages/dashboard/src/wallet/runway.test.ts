import { describe, expect, it } from 'vitest'

import { isShortOfOne, runwayDays, runwayWords } from './runway.ts'

const day = (completed_gbp: string) => ({ completed_gbp })

describe('the runway', () => {
  it('is what the wallet holds at the average of the days', () => {
    expect(runwayDays('400.00', [day('100.00'), day('100.00')])).toBe(4)
    expect(runwayDays('99.99', [day('100.00')])).toBe(0)
  })

  it('counts quiet days too', () => expect(runwayDays('100.00', [day('100.00'), day('0.00')])).toBe(2))

  it('is not known when nothing was paid', () => expect(runwayDays('400.00', [day('0.00')])).toBeNull())
})

describe('the runway in words', () => {
  it.each([
    [0, 'Less than a day'],
    [1, 'About 1 day'],
    [12, 'About 12 days'],
    [366, 'Over a year'],
  ])('of %d is: %s', (days, words) => expect(runwayWords(days)).toBe(words))

  it('is short when a usual payout no longer fits', () => {
    const days = [{ completed_gbp: '100.00', count: 4 }]
    expect(isShortOfOne('24.99', days)).toBe(true)
    expect(isShortOfOne('25.00', days)).toBe(false)
    expect(isShortOfOne('0.00', [{ completed_gbp: '0.00', count: 0 }])).toBe(false)
  })
})
