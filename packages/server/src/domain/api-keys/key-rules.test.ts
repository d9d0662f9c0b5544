import { describe, expect, it } from 'vitest'

import { pence } from '../../core/money.ts'
import { type KeyRules, scopesOf, widens } from './key-rules.ts'

const RULES: KeyRules = {
  scopes: ['read', 'pay'],
  maxPerPayout: pence(10_000n),
  daily: pence(100_000n),
  monthly: null,
  allowedIps: ['203.0.113.0/24'],
  expiresAt: new Date('2027-01-01T00:00:00Z'),
}

describe('a change of a key', () => {
  it.each<[string, Partial<KeyRules>]>([
    ['another scope', { scopes: ['read', 'pay', 'quote'] }],
    ['more per payout', { maxPerPayout: pence(10_001n) }],
    ['no limit per payout', { maxPerPayout: null }],
    ['more per day', { daily: pence(100_001n) }],
    ['a later end', { expiresAt: new Date('2027-01-02T00:00:00Z') }],
    ['no end', { expiresAt: null }],
    ['another network', { allowedIps: ['203.0.113.0/24', '198.51.100.0/24'] }],
    ['a larger network', { allowedIps: ['203.0.112.0/23'] }],
    ['every network', { allowedIps: null }],
  ])('that gives it %s widens it', (_, change) => expect(widens(RULES, { ...RULES, ...change })).toBe(true))

  it.each<[string, Partial<KeyRules>]>([
    ['nothing else', {}],
    ['fewer scopes', { scopes: ['read'] }],
    ['less per payout', { maxPerPayout: pence(1n) }],
    ['a limit per month where there was none', { monthly: pence(1n) }],
    ['an earlier end', { expiresAt: new Date('2026-12-01T00:00:00Z') }],
    ['a smaller network', { allowedIps: ['203.0.113.8/30'] }],
  ])('that gives it %s narrows it, or leaves it', (_, change) =>
    expect(widens(RULES, { ...RULES, ...change })).toBe(false),
  )
})

describe('a key without scopes of its own', () => {
  it('has all of them in sandbox, and all but webhooks in live', () => {
    expect(scopesOf('sandbox', null)).toEqual(['read', 'quote', 'pay', 'webhooks', 'sandbox'])
    expect(scopesOf('live', null)).toEqual(['read', 'quote', 'pay', 'sandbox'])
    expect(scopesOf('live', ['pay', 'read'])).toEqual(['read', 'pay'])
  })
})
