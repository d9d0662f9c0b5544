import { describe, expect, it } from 'vitest'

import { poundsHeld, poundsNeeded } from './pounds.ts'

describe('an amount of USDC', () => {
  it('is about so many pounds: no more for what one has, no less for what one needs', () => {
    expect([poundsHeld('52.15', 0.79), poundsNeeded('52.15', 0.79)]).toEqual(['41.19', '41.20'])
    expect([poundsHeld('100.00', 0.79), poundsNeeded('100.00', 0.79)]).toEqual(['79.00', '79.00'])
    expect(poundsNeeded('0.01', 0.7912345)).toBe('0.01')
  })
})
