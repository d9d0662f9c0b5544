import { describe, expect, it } from 'vitest'

import { dueDate, isPast, lastMonthBilled, lastMonthToBill } from './billing-calendar.ts'

const at = (text: string) => new Date(text)

describe('the last month to bill', () => {
  it.each([
    ['2026-06-30T23:04:59.999Z', '2026-05', '2026-05'],
    ['2026-06-30T23:05:00.000Z', '2026-06', '2026-05'],
    ['2026-06-30T23:59:59.999Z', '2026-06', '2026-05'],
    ['2026-07-01T00:00:00.000Z', '2026-06', '2026-06'],
    ['2027-01-01T00:05:00.000Z', '2026-12', '2026-11'],
    ['2027-01-01T01:00:00.000Z', '2026-12', '2026-12'],
  ])('at %s is %s, and none of %s may be missing', (now, toBill, billed) => {
    expect(lastMonthToBill(at(now))).toBe(toBill)
    expect(lastMonthBilled(at(now))).toBe(billed)
  })
})

describe('an invoice', () => {
  it.each([
    ['on the 1st', '2026-06-30T23:05:00Z', '2026-07-14T23:05:00Z'],
    ['over the end of summer, shortly after midnight', '2026-10-19T23:30:00Z', '2026-11-03T00:30:00Z'],
    ['over the end of summer, at noon', '2026-10-20T11:00:00Z', '2026-11-03T11:00:00Z'],
    ['over the beginning of summer, before midnight', '2026-03-20T23:30:00Z', '2026-04-03T22:30:00Z'],
    ['that is due on the short day itself', '2026-03-15T23:30:00Z', '2026-03-29T22:30:00Z'],
  ])('cut %s is due on the fourteenth day after', (_when, issued, due) => {
    expect(dueDate(at(issued))).toEqual(at(due))
  })

  it('is past due when that day is over in London', () => {
    const due = at('2026-07-14T23:05:00Z')
    expect(isPast(due, at('2026-07-15T22:59:59.999Z'))).toBe(false)
    expect(isPast(due, at('2026-07-15T23:00:00Z'))).toBe(true)
  })
})
