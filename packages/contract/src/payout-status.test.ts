import { describe, expect, it } from 'vitest'

import { NEVER_PAID, PAID_OR_UNDER_WAY, PAYOUT_STATUSES, UNDER_WAY, UNDONE, WENT_WRONG } from './payout-status.ts'

describe('the sets of statuses', () => {
  it('name what the specification says of each status', () => {
    expect([...UNDER_WAY]).toEqual(['pending', 'processing'])
    expect([...PAID_OR_UNDER_WAY]).toEqual(['pending', 'processing', 'completed'])
    expect([...UNDONE]).toEqual(['failed', 'cancelled', 'returned'])
    expect([...NEVER_PAID]).toEqual(['failed', 'cancelled'])
    expect([...WENT_WRONG]).toEqual(['failed', 'returned'])
  })

  it('leave a payout that has arrived, and nothing else, neither under way nor undone', () => {
    expect(PAYOUT_STATUSES.filter((status) => !UNDER_WAY.has(status) && !UNDONE.has(status))).toEqual(['completed'])
    expect(PAYOUT_STATUSES.filter((status) => UNDER_WAY.has(status) && UNDONE.has(status))).toEqual([])
  })

  it('call every payout either undone, or paid or under way', () => {
    expect(PAYOUT_STATUSES.filter((status) => UNDONE.has(status) === PAID_OR_UNDER_WAY.has(status))).toEqual([])
  })

  it('call undone whatever was never paid or went wrong', () => {
    expect(new Set([...NEVER_PAID, ...WENT_WRONG])).toEqual(UNDONE)
  })
})
