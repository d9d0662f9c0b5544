import { describe, expect, it } from 'vitest'

import { bucketsOf } from './buckets.ts'

describe('the histogram', () => {
  it('loses no request and sorts each by its answer', () => {
    const entries = [200, 201, 404, 502].map((status, index) => ({ at: `2026-11-14T12:0${index}:00Z`, status }))
    const buckets = bucketsOf(entries)
    const sum = (name: 'ok' | 'refused' | 'broken') => buckets.reduce((total, bucket) => total + bucket[name], 0)
    expect([sum('ok'), sum('refused'), sum('broken')]).toEqual([2, 1, 1])
    expect(buckets.at(-1)?.broken).toBe(1)
    expect(buckets[0]?.words).toBe('From 12:00: 1 with 2xx or 3xx, 0 with 4xx, 0 with 5xx')
  })

  it('names the day too when it is of more than one', () => {
    const entries = ['2026-11-13T23:30:00Z', '2026-11-14T12:00:00Z'].map((at) => ({ at, status: 200 }))
    expect(bucketsOf(entries)[0]?.since).toBe('13 Nov, 23:30')
  })

  it('is empty without requests', () => expect(bucketsOf([])).toEqual([]))
})
