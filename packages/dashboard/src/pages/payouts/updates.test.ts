import { describe, expect, it } from 'vitest'

import { updatesAmong } from './updates.ts'

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000).toISOString()
const shown = [
  { id: 'a', updated_at: at(10) },
  { id: 'b', updated_at: at(5) },
]

describe('the updates of the list', () => {
  it('are rows that have changed since they were read, whether or not they still fit', () => {
    expect(updatesAmong({ shown, now: [], told: [{ id: 'b', updated_at: at(11) }] })).toEqual(['b'])
  })

  it('are payouts that would be in it now', () => {
    const told = [{ id: 'c', updated_at: at(11) }]
    expect(updatesAmong({ shown, now: [...told, ...shown], told })).toEqual(['c'])
  })

  it('are neither what the stream repeats nor what the filter leaves out', () => {
    const told = [
      { id: 'a', updated_at: at(10) },
      { id: 'elsewhere', updated_at: at(12) },
    ]
    expect(updatesAmong({ shown, now: shown, told })).toEqual([])
  })
})
