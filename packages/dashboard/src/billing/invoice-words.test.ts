import { describe, expect, it } from 'vitest'

import { dueWords } from './invoice-words.ts'

const issued = { status: 'issued', total_gbp: '54.00', due_at: '2026-11-15T06:00:00Z', paid_at: null, voided_at: null }

describe('when an invoice is to be paid', () => {
  it.each([
    ['2026-11-06T12:00:00Z', 'Due in 9 days'],
    ['2026-11-14T23:59:00Z', 'Due tomorrow'],
    ['2026-11-15T05:00:00Z', 'Due today'],
  ])('at %s is said as: %s', (now, words) => {
    expect(dueWords(issued, new Date(now))).toBe(words)
  })

  it.each([
    ['2026-11-15T07:00:00Z', 'Overdue since today'],
    ['2026-11-16T07:00:00Z', 'Overdue by 1 day'],
    ['2026-11-18T00:30:00Z', 'Overdue by 3 days'],
  ])('and was not, at %s is said as: %s', (now, words) => {
    expect(dueWords({ ...issued, status: 'overdue' }, new Date(now))).toBe(words)
  })

  it.each(['2026-11-06T12:00:00Z', '2026-11-15T05:00:00Z', '2027-03-01T00:00:00Z'])(
    'is never when it comes to nothing: at %s',
    (now) => {
      expect(dueWords({ ...issued, total_gbp: '0.00' }, new Date(now))).toBe('Nothing to pay')
    },
  )

  it('is over when it was paid or is void', () => {
    const now = new Date('2026-12-01T00:00:00Z')
    expect(dueWords({ ...issued, status: 'paid', paid_at: '2026-11-05T00:00:00Z' }, now)).toBe(
      'Paid on 5 November 2026',
    )
    expect(dueWords({ ...issued, status: 'void', voided_at: '2026-11-05T00:00:00Z' }, now)).toBe(
      'Void since 5 November 2026, nothing to pay',
    )
    expect(dueWords({ ...issued, status: 'draft', due_at: null }, now)).toBe('')
  })
})
