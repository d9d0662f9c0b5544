import { describe, expect, it } from 'vitest'

import { chargedInMonth, completedInMonth } from '../../billing/figure-links.ts'
import { filterOf, isFiltered, namedDays, timeWords } from './filter.ts'

describe('the filters in the address', () => {
  it('become what the API asks for, with whole days of London', () => {
    expect(
      filterOf({
        status: 'failed,returned',
        from: '2026-07-01',
        to: '2026-07-31',
        min: '10',
        max: '£1,000',
        why: 'account_closed',
        q: ' okafor ',
      }),
    ).toEqual({
      status: 'failed,returned',
      created_from: '2026-06-30T23:00:00.000Z',
      created_to: '2026-07-31T23:00:00.000Z',
      amount_from: '10.00',
      amount_to: '1000.00',
      failure_code: 'account_closed',
      q: 'okafor',
    })
  })

  it('leave out what cannot be meant', () => {
    expect(filterOf({ status: 'paid', from: 'yesterday', min: 'ten', via: 'fax', why: 'weather', q: ' ' })).toEqual({})
    expect(isFiltered({ status: 'paid' })).toBe(false)
  })
})

describe('when they completed', () => {
  it('is whole days of London too, over the change of the clocks', () => {
    expect(filterOf(completedInMonth('2026-10-01'))).toEqual({
      completed_from: '2026-09-30T23:00:00.000Z',
      completed_to: '2026-11-01T00:00:00.000Z',
    })
    expect(filterOf({ ended_from: '2026-11-08', ended_to: 'soon' })).toEqual({ ended_from: '2026-11-08T00:00:00.000Z' })
  })

  it('is asked for a charge by what it is for', () => {
    expect(chargedInMonth('payout_fees', '2026-10')).toEqual(completedInMonth('2026-10'))
    expect(chargedInMonth('bank_exceptions', '2026-10')).toEqual({
      status: 'returned',
      completed_to: '2026-10-31',
      ended_from: '2026-10-01',
      ended_to: '2026-10-31',
    })
    expect(chargedInMonth('monthly_account', '2026-10')).toBeNull()
  })

  it('is said as people say it', () => {
    expect(timeWords('2026-10-01', '2026-10-31')).toBe('in October 2026')
    expect(timeWords('2026-11-03', '2026-11-03')).toBe('on 3 November 2026')
    expect(timeWords('2026-11-01', '2026-11-03')).toBe('1 to 3 November 2026')
    expect(timeWords('2026-11-08', undefined)).toBe('since 8 November 2026')
    expect(timeWords(undefined, '2026-11-08')).toBe('up to 8 November 2026')
    expect(timeWords('yesterday', undefined)).toBeNull()
  })
})

describe('the named days', () => {
  it('know the month before, over the turn of the year too', () => {
    expect(namedDays(new Date('2027-01-15T12:00:00Z'))[3]).toEqual({
      label: 'Last month',
      from: '2026-12-01',
      to: '2026-12-31',
    })
  })
})
