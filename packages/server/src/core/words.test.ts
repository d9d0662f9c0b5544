import { describe, expect, it } from 'vitest'

import type { Month } from './london-month.ts'
import { counted, dayInWords, grouped, momentInWords, monthInWords } from './words.ts'

describe('what people in Britain read', () => {
  it.each([
    ['2026-11-15T07:48:18Z', '15 November 2026', '15 November 2026, 07:48:18'],
    ['2026-06-30T23:30:00Z', '1 July 2026', '1 July 2026, 00:30:00'],
  ])('%s is %s there', (moment, day, time) => {
    expect([dayInWords(new Date(moment)), momentInWords(new Date(moment))]).toEqual([day, time])
  })

  it('of a month is its name', () => {
    expect(monthInWords('2026-07' as Month)).toBe('July 2026')
  })

  it.each([
    ['0.00', '0.00'],
    ['999.99', '999.99'],
    ['1234.5', '1,234.5'],
    ['-1234567.89', '-1,234,567.89'],
    ['12345', '12,345'],
  ])('of the figure %s is %s', (figure, shown) => {
    expect(grouped(figure)).toBe(shown)
  })

  it('of a number of things has their name for one or for several', () => {
    expect([0, 1, 2].map((count) => counted(count, 'attempt'))).toEqual(['0 attempts', '1 attempt', '2 attempts'])
    expect([1, 2].map((count) => counted(count, 'row needs', 'rows need'))).toEqual(['1 row needs', '2 rows need'])
  })
})
