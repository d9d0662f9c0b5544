import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { UsageError } from './errors.ts'
import { keyFor } from './key-for.ts'

const A_KEY = /^[A-Za-z0-9_\-:.]{8,100}$/

describe('keyFor', () => {
  it('makes a key that a person recognises', () => {
    expect(keyFor('order', 1042)).toBe('order:1042')
    expect(keyFor('order', '2026-11-1042', 'seller', 7n)).toBe('order:2026-11-1042:seller:7')
  })

  it('fills a short one up, and says when one is too long', () => {
    expect(keyFor('o', 1)).toBe('o:1:::::')
    expect(() => keyFor('order', 'x'.repeat(100))).toThrow(UsageError)
  })

  it('writes what a key cannot hold in another way', () => {
    expect(keyFor('order', '#10 42')).toBe('order:.23.10.20.42')
  })

  it.each([undefined, null, '', 1.5, Number.NaN, Infinity, {}, new Date(0)])('refuses %s for an id', (id) => {
    expect(() => keyFor('order', id as never)).toThrow(UsageError)
    expect(() => (keyFor as (kind: string) => string)('order')).toThrow(UsageError)
  })

  it('makes one key of the same parts, and another of others', () => {
    const part = fc.oneof(fc.string({ minLength: 1, maxLength: 6 }), fc.constantFrom('a:b', 'a', ':', '.', '.3a.', 'b'))
    const parts = fc.tuple(part, part, part)
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other)
        const [first, second] = [keyFor(...one), keyFor(...other)]
        expect(first === second).toBe(isSame)
        expect(first).toMatch(A_KEY)
        expect(keyFor(one[0], one[1])).not.toBe(first)
      }),
    )
  })
})
