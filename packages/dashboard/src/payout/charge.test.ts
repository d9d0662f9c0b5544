import { describe, expect, it } from 'vitest'

import { isCharged } from './charge.ts'

const AT = '2026-11-02T09:00:00.000Z'

describe('the fee', () => {
  it('is not charged for what did not go', () => {
    expect(isCharged({ status: 'failed', completed_at: null })).toBe(false)
    expect(isCharged({ status: 'cancelled', completed_at: null })).toBe(false)
  })

  it('of a payout that came back is charged if it had arrived', () => {
    expect(isCharged({ status: 'returned', completed_at: AT })).toBe(true)
    expect(isCharged({ status: 'returned', completed_at: null })).toBe(false)
  })

  it('stands for what is under way or has arrived', () => {
    expect(isCharged({ status: 'pending', completed_at: null })).toBe(true)
    expect(isCharged({ status: 'processing', completed_at: null })).toBe(true)
    expect(isCharged({ status: 'completed', completed_at: AT })).toBe(true)
  })
})
