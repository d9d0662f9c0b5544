import { describe, expect, it } from 'vitest'

import { isActiveKey } from './active-key.ts'

const now = new Date('2026-11-15T12:00:00Z')

describe('a key', () => {
  it('works until it is revoked, or until its rotation is over', () => {
    expect(isActiveKey({ revoked_at: null, expires_at: null }, now)).toBe(true)
    expect(isActiveKey({ revoked_at: null, expires_at: '2026-11-15T12:00:01Z' }, now)).toBe(true)
    expect(isActiveKey({ revoked_at: null, expires_at: '2026-11-15T12:00:00Z' }, now)).toBe(false)
    expect(isActiveKey({ revoked_at: '2026-11-14T12:00:00Z', expires_at: null }, now)).toBe(false)
  })
})
