import { describe, expect, it } from 'vitest'

import { filterOf, isFiltered, periods } from './filter.ts'

describe('the filters in the address', () => {
  it('become what the API asks for, with whole days of London', () => {
    expect(
      filterOf({
        status: 'failed,returned',
        from: '2026-07-01',
        to: '2026-07-31',
        min: '10',
        max: '£1,000',
        q: ' okafor ',
      }),
    ).toEqual({
      status: 'failed,returned',
      created_from: '2026-06-30T23:00:00.000Z',
      created_to: '2026-07-31T23:00:00.000Z',
      amount_from: '10.00',
      amount_to: '1000.00',
      q: 'okafor',
    })
  })

  it('leave out what cannot be meant', () => {
    expect(filterOf({ status: 'paid', from: 'yesterday', min: 'ten', via: 'fax', q: ' ' })).toEqual({})
    expect(isFiltered({ status: 'paid' })).toBe(false)
  })
})

describe('the periods', () => {
  it('know the month before, over the turn of the year too', () => {
    expect(periods(new Date('2027-01-15T12:00:00Z'))[3]).toEqual({
      label: 'Last month',
      from: '2026-12-01',
      to: '2026-12-31',
    })
  })
})
