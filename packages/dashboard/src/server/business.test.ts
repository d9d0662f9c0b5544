import { beforeEach, describe, expect, it } from 'vitest'

import { businessHeader, hasMoved, showBusiness } from './business.ts'

describe('the business that a tab shows', () => {
  beforeEach(() => showBusiness('thistle-market'))

  it('is named with whatever is asked about it', () => {
    expect(businessHeader('/v1/payouts')).toEqual({ 'Kestrel-Business': 'thistle-market' })
  })

  it('is not named when the session itself is asked after, nor before there is one', () => {
    expect(businessHeader('/v1/auth/session')).toEqual({})
    showBusiness(null)
    expect(businessHeader('/v1/payouts')).toEqual({})
  })

  it('has been left when the session is in another', () => {
    expect([hasMoved('thistle-market'), hasMoved('other-trading')]).toEqual([false, true])
    showBusiness(null)
    expect(hasMoved('other-trading')).toBe(false)
  })
})
