import { describe, expect, it } from 'vitest'

import { bucketsOf } from './buckets.ts'

describe('the histogram', () => {
  it('loses no request and sorts each by its answer', () => {
    const entries = [200, 201, 404, 502].map((status, index) => ({ at: `2026-11-14T12:0${index}:00Z`, status }))
    const buckets = bucketsOf(entries)
    const sum = (name: 'ok' | 'refused' | 'broken') => buckets.reduce((total, bucket) => total + bucket[name], 0)
    expect([sum('ok'), sum('refused'), sum('broken')]).toEqual([2, 1, 1])
    expect(buckets.at(-1)?.broken).toBe(1)
  })

  it('is empty without requests', () => expect(bucketsOf([])).toEqual([]))
})
