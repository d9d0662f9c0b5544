import type { ApiKey } from '@kestrel/contract'
import { describe, expect, it } from 'vitest'

import { NO_LIMITS, changesIn, draftOf, limitsInWords, mistakeIn, scopesIn, withScope } from './limits-draft.ts'

const KEY = NO_LIMITS('live')

describe('the limits of a key, as they are typed', () => {
  it('send what differs and nothing else', () => {
    const draft = draftOf(KEY)
    expect(changesIn(draft, KEY)).toEqual({})
    expect(changesIn({ ...draft, daily: '1000' }, KEY)).toEqual({ daily_gbp: '1000.00' })
    expect(changesIn({ ...draft, daily: '' }, { ...KEY, daily_gbp: '5.00' })).toEqual({ daily_gbp: null })
    expect(changesIn({ ...draft, networks: '203.0.113.0/24, ::1' }, KEY)).toEqual({
      allowed_ips: ['203.0.113.0/24', '::1'],
    })
    expect(changesIn({ ...draft, scopes: ['read'] }, KEY)).toEqual({ scopes: ['read'] })
    expect(changesIn({ ...draft, lastDay: '2027-07-01' }, KEY)).toEqual({ expires_at: '2027-06-30T23:00:00.000Z' })
  })

  it('are wrong without a scope, or with an amount that is none', () => {
    const draft = draftOf(KEY)
    expect(mistakeIn(draft)).toBeNull()
    expect(mistakeIn({ ...draft, scopes: [] })).toBe('scopes')
    expect(mistakeIn({ ...draft, monthly: 'much' })).toBe('amount')
  })

  it('offer a live key nothing that only a sandbox key can do', () => {
    expect(scopesIn('live').map(({ scope }) => scope)).toEqual(['read', 'quote', 'pay', 'webhooks'])
    expect(scopesIn('sandbox').map(({ scope }) => scope)).toContain('sandbox')
    const draft = draftOf(KEY)
    const without = withScope(draft, 'live', { scope: 'pay', isOn: false })
    expect(without.scopes).toEqual(['read', 'quote', 'sandbox'])
    expect(changesIn(withScope(without, 'live', { scope: 'pay', isOn: true }), KEY)).toEqual({})
    const none = ['read', 'quote'] as const
    const empty = none.reduce((now, scope) => withScope(now, 'live', { scope, isOn: false }), without)
    expect(mistakeIn(empty)).toBe('scopes')
  })

  it('are said in a few words, with what was paid', () => {
    const key = { ...KEY, environment: 'live', spent_today_gbp: '75.00', spent_this_month_gbp: '75.00' } as ApiKey
    expect(limitsInWords(key)).toBeNull()
    expect(limitsInWords({ ...key, daily_gbp: '1000.00', scopes: ['pay'] })).toBe('£75.00 of £1,000.00 today; for pay')
  })
})
