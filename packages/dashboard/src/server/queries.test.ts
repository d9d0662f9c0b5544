import { describe, expect, it } from 'vitest'

import { keptWithin, under } from './queries.ts'

describe('what was shown before', () => {
  const sandbox = { slug: 'thistle-market', environment: 'sandbox' } as const
  const kept = (queryKey: readonly unknown[]) => keptWithin(sandbox)('before', { queryKey })

  it('stays while the next of the same business and environment is loading', () => {
    expect(kept(under(sandbox, 'summary', { q: 'nair' }))).toBe('before')
  })

  it('is never shown in another environment or business', () => {
    expect(kept(under({ ...sandbox, environment: 'live' }, 'summary', {}))).toBeUndefined()
    expect(kept(under({ ...sandbox, slug: 'other-trading' }, 'summary', {}))).toBeUndefined()
    expect(keptWithin(sandbox)('before', undefined)).toBeUndefined()
  })
})
