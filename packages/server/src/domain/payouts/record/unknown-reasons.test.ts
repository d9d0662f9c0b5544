import { describe, expect, it } from 'vitest'

import { RELEASED, refusedAfterDoubt } from './failure-reasons.ts'
import { unknownReason } from './unknown-reasons.ts'

describe('a reason that we do not know', () => {
  it.each([
    ['returned', 'Sent back (ZZ99)', 'ZZ99'],
    ['returned', 'ZZ99', 'ZZ99'],
    ['returned', 'Sent back ( 1999 ) by them', '1999'],
    ['failed', 'They say CB_SomethingNew today', 'CB_SomethingNew'],
    ['returned', '00000015', '00000015'],
    ['failed', '1999', '1999'],
    ['returned', '', 'none'],
  ] as const)('of a payout that %s with “%s” is named %s', (status, words, code) => {
    expect(unknownReason(status, words)).toBe(code)
  })

  it.each([
    'ZEPHYRINE QUILLFEATHER wants it back',
    'No such account: 98765432',
    'Unknown (98765432)',
    'The account ends in: 4321',
    'Gone from here (SW19 2AB)',
    'Account: 1199 closed',
    'Postcode: SW19, London',
    'SW19 is where they live',
    'They live in (SW19',
    'GB29NWBK60161331926819 is not one of ours',
  ])('has no name where it may be a detail of the recipient: %s', (words) => {
    expect(unknownReason('returned', words)).toBe('none')
  })

  it.each([
    ['returned', 'Closed (AC07)'],
    ['returned', 'No reason given (00000014)'],
    ['returned', 'Returned at the request of the sender (00000007)'],
    ['failed', 'Name missing (1171)'],
    ['failed', RELEASED],
    ['failed', null],
    ['returned', null],
    ['failed', refusedAfterDoubt('It was not made.', 'account')],
    ['failed', refusedAfterDoubt('It was not made.', 'recipient')],
    ['failed', refusedAfterDoubt('It was not made.', 'order')],
    ['cancelled', 'as you asked'],
    ['completed', 'ZZ99'],
  ] as const)('is none for one that is %s with %s', (status, words) => {
    expect(unknownReason(status, words)).toBeNull()
  })
})
