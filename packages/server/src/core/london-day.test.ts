import { describe, expect, it } from 'vitest'

import { dayAfter, daysUpTo, londonDay, parseDay, startOfDay } from './london-day.ts'

describe('a day in London', () => {
  it.each([
    ['2026-01-15T23:59:59.999Z', '2026-01-15'],
    ['2026-01-16T00:00:00.000Z', '2026-01-16'],
    ['2026-07-15T22:59:59.999Z', '2026-07-15'],
    ['2026-07-15T23:00:00.000Z', '2026-07-16'],
    ['2026-12-31T23:59:59.999Z', '2026-12-31'],
  ])('%s is in %s', (moment, day) => {
    expect(londonDay(new Date(moment))).toBe(day)
  })

  it.each([
    ['2026-01-15', '2026-01-15T00:00:00.000Z'],
    ['2026-07-15', '2026-07-14T23:00:00.000Z'],
    ['2026-03-29', '2026-03-29T00:00:00.000Z'],
    ['2026-03-30', '2026-03-29T23:00:00.000Z'],
    ['2026-10-25', '2026-10-24T23:00:00.000Z'],
    ['2026-10-26', '2026-10-26T00:00:00.000Z'],
  ])('%s begins at %s', (day, moment) => {
    expect(startOfDay(londonDay(new Date(`${day}T12:00:00Z`))).toISOString()).toBe(moment)
  })

  it('is the same whichever moment was asked about before', () => {
    const moments = ['2026-03-28T23:59:59.999Z', '2026-03-29T22:59:59.999Z', '2026-03-29T23:00:00.000Z'].map(
      (text) => new Date(text),
    )
    const days = ['2026-03-28', '2026-03-29', '2026-03-30']
    for (const order of [
      [0, 1, 2, 1, 0],
      [2, 2, 0, 1, 2],
      [1, 0, 1, 2, 0],
    ]) {
      expect(order.map((nth) => londonDay(moments[nth]!))).toEqual(order.map((nth) => days[nth]))
    }
    expect(() => londonDay(new Date(Number.NaN))).toThrow(RangeError)
    expect(londonDay(new Date(-1))).toBe('1970-01-01')
  })

  it('follows another without a gap, over the end of a year and a leap day', () => {
    const last = (moment: string, count: number) => daysUpTo(londonDay(new Date(moment)), count)
    expect(last('2027-01-01T12:00:00Z', 3)).toEqual(['2026-12-30', '2026-12-31', '2027-01-01'])
    expect(last('2028-03-01T12:00:00Z', 3)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01'])
  })

  it.each(['2026-02-30', '2026-13-01', '2026-11', '2026-11-1', '', 'today', '2026-11-01T00:00:00Z', '-2026-11-01'])(
    '%s is none',
    (text) => expect(parseDay(text)).toBeNull(),
  )

  it.each([
    ['2026-12-31', '2027-01-01'],
    ['2028-02-28', '2028-02-29'],
    ['2026-03-29', '2026-03-30'],
    ['2026-10-25', '2026-10-26'],
  ])('%s comes before %s', (day, next) => {
    expect(dayAfter(parseDay(day)!)).toBe(next)
  })
})
