import { describe, expect, it } from 'vitest'

import { daysOf, monthOf, searchOf } from './days.ts'

const today = '2026-03-15'

describe('the days of a statement', () => {
  it('are this month so far unless others are named', () => {
    expect(daysOf({}, today)).toEqual({ from: '2026-03-01', to: '2026-03-15' })
    expect(daysOf({ to: '2026-01-20' }, today)).toEqual({ from: '2026-01-01', to: '2026-01-20' })
    expect(daysOf({ from: '2025-12-24' }, today)).toEqual({ from: '2025-12-24', to: '2026-03-15' })
    expect(daysOf({ from: '2026-04-01' }, today)).toEqual({ from: '2026-04-01', to: '2026-04-01' })
  })

  it.each([
    { from: 'yesterday' },
    { from: '2026-02-30', to: '2026-03-01' },
    { from: '2026-03-02', to: '2026-03-01' },
    { to: '2026-13-01' },
  ])('cannot be %j', (search) => {
    expect(daysOf(search, today)).toBeNull()
  })

  it('know the two months that have a button', () => {
    expect(searchOf('last', today)).toEqual({ from: '2026-02-01', to: '2026-02-28' })
    expect(searchOf('last', '2026-01-01')).toEqual({ from: '2025-12-01', to: '2025-12-31' })
    expect(monthOf(daysOf({}, today), today)).toBe('this')
    expect(monthOf(daysOf(searchOf('last', today), today), today)).toBe('last')
    expect(monthOf(daysOf({ from: '2026-03-02' }, today), today)).toBeNull()
    expect(monthOf(null, today)).toBeNull()
  })
})
