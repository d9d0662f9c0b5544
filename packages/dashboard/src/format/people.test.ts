import { describe, expect, it } from 'vitest'

import { browserName } from './browser-name.ts'
import { count, initials, maskEmail, splitName } from './people.ts'

describe('names', () => {
  it.each([
    ['Thistle Market', 'TM'],
    ['amara.okafor@thistle.co.uk', 'AU'],
    ['Kestrel', 'K'],
    ['', ''],
    ['Zoë O’Brien 👩‍🍳', 'ZO'],
    ['👩‍🍳', ''],
    ['𝒜da Ng', '𝒜N'],
  ])('%j has the initials %s', (name, letters) => expect(initials(name)).toBe(letters))

  it('are split before the last word', () => {
    expect(splitName('Amara Grace Okafor')).toEqual({ first: 'Amara Grace', last: 'Okafor' })
    expect(splitName('Prince')).toEqual({ first: 'Prince', last: '' })
  })
})

describe('an email address', () => {
  it('shows its first letter and its domain', () => expect(maskEmail('amara@thistle.co.uk')).toBe('a•••@thistle.co.uk'))
})

describe('a count', () => {
  it('has its noun in the right number', () => {
    expect(count(1, 'payout')).toBe('1 payout')
    expect(count(1200, 'payout')).toBe('1,200 payouts')
    expect(count(2, 'try', 'tries')).toBe('2 tries')
  })
})

describe('a browser', () => {
  it('is named with its system', () => {
    expect(browserName('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Safari/605')).toBe(
      'Safari on macOS',
    )
    expect(browserName(null)).toBe('Unknown browser')
  })
})
