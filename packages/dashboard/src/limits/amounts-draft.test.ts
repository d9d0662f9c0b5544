import { expect, it } from 'vitest'

import { amountsInWords, amountsOf, changedAmounts, isMistaken, leastRoom } from './amounts-draft.ts'

const NONE = {
  max_per_payout_gbp: null,
  daily_gbp: null,
  monthly_gbp: null,
  spent_today_gbp: null,
  spent_this_month_gbp: null,
}

it('asks for what is typed differently and for nothing else', () => {
  const now = { ...NONE, daily_gbp: '100.00' }
  expect(changedAmounts(amountsOf(now), now)).toEqual({})
  expect(changedAmounts({ most: '25', daily: '', monthly: '' }, now)).toEqual({
    max_per_payout_gbp: '25.00',
    daily_gbp: null,
  })
  expect(isMistaken({ most: 'a lot', daily: '', monthly: '' })).toBe(true)
})

it('says what is used of what, and which limit leaves the least', () => {
  expect([amountsInWords(NONE), leastRoom(NONE)]).toEqual([[], null])
  const limits = {
    max_per_payout_gbp: '50.00',
    daily_gbp: '100.00',
    monthly_gbp: '1000.00',
    spent_today_gbp: '70.00',
    spent_this_month_gbp: '990.00',
  }
  expect(amountsInWords(limits)).toEqual([
    '£50.00 per payout',
    '£70.00 of £100.00 today',
    '£990.00 of £1,000.00 this month',
  ])
  expect(leastRoom(limits)).toEqual({ left: '10.00', of: '1000.00', until: 'this month' })
  expect(leastRoom({ ...limits, spent_today_gbp: '120.00' })).toEqual({ left: '0.00', of: '100.00', until: 'today' })
  expect(leastRoom({ ...limits, spent_this_month_gbp: '70.00' })?.until).toBe('today')
})
