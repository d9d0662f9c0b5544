import { describe, expect, it } from 'vitest'

import {
  addDays,
  ago,
  daysFrom,
  daysInWords,
  dayAndMonth,
  firstOfNextMonth,
  fullTime,
  isDay,
  lastOfMonth,
  londonDay,
  londonMidnight,
  londonMoment,
  monthName,
  relative,
  shortTime,
  utcTime,
} from './dates.ts'

const now = new Date('2026-11-15T12:00:00Z')

describe('times', () => {
  it('are those of London, with UTC beside them', () => {
    expect(fullTime('2026-07-01T22:30:08Z')).toBe('1 July 2026 at 23:30:08')
    expect(utcTime('2026-07-01T22:30:08Z')).toBe('2026-07-01 22:30:08 UTC')
    expect(shortTime('2026-11-14T15:42:08Z', now)).toBe('14 Nov, 15:42')
    expect(shortTime('2025-09-14T15:42:08Z', now)).toBe('14 Sep 2025, 16:42')
  })

  it('put midnight at the start of the hour, not at 24', () => {
    expect(shortTime('2026-11-14T00:05:00Z', now)).toBe('14 Nov, 00:05')
  })

  it('that are typed are those of London, summer and winter, and none while a part is missing', () => {
    expect(londonMoment('2026-07-01', '09:30')).toBe('2026-07-01T08:30:00.000Z')
    expect(londonMoment('2026-11-15', '09:30')).toBe('2026-11-15T09:30:00.000Z')
    expect(londonMoment('2026-10-25', '23:30')).toBe('2026-10-25T23:30:00.000Z')
    expect([londonMoment('', '09:30'), londonMoment('2026-11-15', '')]).toEqual([null, null])
  })

  it('are told from now', () => {
    expect(relative('2026-11-15T11:58:00Z', now)).toBe('2 minutes ago')
    expect(relative('2026-11-15T13:00:00Z', now)).toBe('in 1 hour')
    expect(relative('2026-11-15T11:59:50Z', now)).toBe('just now')
  })

  it('that have passed are never to come, whatever the reader’s clock says', () => {
    expect(ago('2026-11-15T11:58:00Z', now)).toBe('2 minutes ago')
    expect(ago('2026-11-15T12:05:00Z', now)).toBe('just now')
  })
})

describe('days', () => {
  it('begin when they begin in London, in winter and in summer', () => {
    expect(londonMidnight('2026-11-14')).toBe('2026-11-14T00:00:00.000Z')
    expect(londonMidnight('2026-07-01')).toBe('2026-06-30T23:00:00.000Z')
    expect(londonDay(new Date('2026-06-30T23:30:00Z'))).toBe('2026-07-01')
  })

  it('follow one another over the end of a month', () => {
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
    expect(addDays('2026-11-01', -1)).toBe('2026-10-31')
  })
})

describe('months', () => {
  it('have names and successors', () => {
    expect(monthName('2026-11')).toBe('November 2026')
    expect(firstOfNextMonth('2026-12-01')).toBe('2027-01-01')
    expect(dayAndMonth('2026-12-01')).toBe('1 December')
  })
})

describe('periods', () => {
  it.each([
    ['2026-11-03', '2026-11-03', '3 November 2026'],
    ['2026-11-01', '2026-11-30', '1 to 30 November 2026'],
    ['2026-10-28', '2026-11-03', '28 October 2026 to 3 November 2026'],
  ])('from %s to %s are %s', (from, to, words) => {
    expect(daysInWords(from, to)).toBe(words)
  })

  it('end with the last day of the month, in leap years too', () => {
    expect(lastOfMonth('2028-02')).toBe('2028-02-29')
    expect(lastOfMonth('2026-12-05')).toBe('2026-12-31')
  })

  it('are counted in days, whatever the clocks do', () => {
    expect(daysFrom('2026-10-24', '2026-10-26')).toBe(2)
    expect(daysFrom('2026-11-03', '2026-11-01')).toBe(-2)
  })

  it.each([
    ['2026-11-01', true],
    ['2026-02-30', false],
    ['2026-13-01', false],
    ['yesterday', false],
    [undefined, false],
  ])('of %s: that is a day, %s', (text, is) => {
    expect(isDay(text)).toBe(is)
  })
})
