import { describe, expect, it } from 'vitest'

import { runwayDays } from './runway.ts'

const day = (completed_gbp: string) => ({ completed_gbp })

describe('the runway', () => {
  it('is what the wallet holds at the average of the days', () => {
    expect(runwayDays('400.00', [day('100.00'), day('100.00')])).toBe(4)
    expect(runwayDays('99.99', [day('100.00')])).toBe(0)
  })

  it('counts quiet days too', () => expect(runwayDays('100.00', [day('100.00'), day('0.00')])).toBe(2))

  it('is not known when nothing was paid', () => expect(runwayDays('400.00', [day('0.00')])).toBeNull())
})
