import { describe, expect, it } from 'vitest'

import { forgetOldest } from './forget-oldest.ts'

describe('a map or a set within its bound', () => {
  it('loses who came first, and nobody while there is room', () => {
    const kept = new Map([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ])
    forgetOldest(kept, 3)
    expect([...kept.keys()]).toEqual(['a', 'b', 'c'])
    forgetOldest(kept, 2)
    expect([...kept.keys()]).toEqual(['b', 'c'])
    const keys = new Set(['x', 'y'])
    forgetOldest(keys, 1)
    expect([...keys]).toEqual(['y'])
  })
})
