import { describe, expect, it } from 'vitest'

import { slugCandidates } from './slug.ts'

describe('the short name of a business', () => {
  it.each([
    ['Thistle Market', 'thistle-market'],
    ['  O’Neill & Söhne, Ltd. ', 'oneill-sohne-ltd'],
    ['ACME', 'acme'],
    ['株式会社', 'business'],
    ['X', 'business-x'],
    ['--', 'business'],
  ])('of %j is %s', (name, slug) => {
    expect(slugCandidates(name)[0]).toBe(slug)
  })

  it.each(['Payouts', 'Settings', 'Sign up', 'Fees', 'Statement'])('is never a page of the dashboard: %s', (name) => {
    expect(slugCandidates(name)[0]).toMatch(/-2$/)
  })

  it.each(['a'.repeat(120), 'b '.repeat(60), 'Thistle Market'])('is allowed whatever the name: %s', (name) => {
    for (const slug of slugCandidates(name)) expect(slug).toMatch(/^[a-z0-9-]{2,40}$/)
    expect(new Set(slugCandidates(name)).size).toBe(slugCandidates(name).length)
  })
})
