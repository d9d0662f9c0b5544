import { describe, expect, it } from 'vitest'

import { amountProblem, EMPTY, fieldsNamedIn, fullName, inFormWords, requestOf, RULES } from './draft.ts'

const LIMITS = { min: '1.00', max_per_payout: '20000.00' }

const draft = {
  ...EMPTY,
  firstName: ' Amara ',
  lastName: 'Okafor',
  line1: '1 High Street',
  city: 'Leeds',
  postcode: 'ls14ap',
  bankName: 'Monzo',
  sortCode: '04-00-04',
  accountNumber: '1234 5678',
  amount: '£1,245.5',
}

describe('the form', () => {
  it('becomes the request that the API wants, tidied', () => {
    expect(requestOf(draft)).toEqual({
      amount_gbp: '1245.50',
      recipient: {
        type: 'individual',
        first_name: 'Amara',
        last_name: 'Okafor',
        address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP' },
        bank: { bank_name: 'Monzo', sort_code: '040004', account_number: '12345678' },
      },
    })
  })

  it('sends what is optional only when it was filled in', () => {
    const full = requestOf({ ...draft, reference: ' Invoice 7 ', email: 'a@b.co', line2: 'Flat 2' })
    expect(full).toMatchObject({ reference: 'Invoice 7', recipient: { email: 'a@b.co', address: { line2: 'Flat 2' } } })
  })

  it.each([
    ['Thistle & Reed Ltd', { first_name: 'Thistle & Reed', last_name: 'Ltd' }],
    ['  Zizzi ', { first_name: 'Zizzi', last_name: '-' }],
  ])('takes the business %j apart into the two names of the API', (businessName, names) => {
    const { recipient } = requestOf({ ...draft, type: 'business', businessName })
    expect(recipient).toMatchObject({ type: 'business', ...names })
    expect(fullName({ ...draft, type: 'business', businessName })).toBe(businessName.trim())
  })

  it('says that a name is too long, and by how much, instead of cutting it', () => {
    expect(RULES.lastName('m'.repeat(80))).toBe(true)
    expect(RULES.lastName('m'.repeat(81))).toBe('That is 1 too many: at most 80 characters.')
    expect(RULES.lastName('🦅'.repeat(80))).toBe(true)
  })

  it('says what to do about seven digits', () => {
    expect(RULES.accountNumber('1234567')).toContain('0 in front')
    expect(RULES.accountNumber('12345678')).toBe(true)
  })

  it.each([
    ['245', true],
    ['0.99', 'The smallest payout is £1.00.'],
    ['20000.01', 'The largest payout is £20,000.00.'],
    ['20,000', true],
    ['', 'Enter an amount such as 245.00.'],
    ['24,50', 'A comma goes only between thousands, as in 1,250.00. Put a full stop before the pence.'],
  ])('of an amount of %j says %s', (typed, answer) => expect(amountProblem(typed, LIMITS)).toBe(answer))

  it('finds the fields that the server named', () => {
    expect(
      fieldsNamedIn({ missing: ['recipient.bank.sort_code (6 digits)', 'recipient.first_name: 1 to 80 characters'] }),
    ).toEqual(['sortCode', 'firstName'])
    expect(fieldsNamedIn({ fields: ['recipient.bank.account_number'] })).toEqual(['accountNumber'])
    expect(fieldsNamedIn({})).toEqual([])
  })

  it('finds the one field in which a business has its name', () => {
    const details = { missing: ['recipient.first_name (as the bank takes it)', 'recipient.last_name (the same)'] }
    expect(fieldsNamedIn(details, 'business')).toEqual(['businessName'])
    expect(fieldsNamedIn(details, 'individual')).toEqual(['firstName', 'lastName'])
  })

  it('says in the form’s words what the server says in the API’s', () => {
    const both = 'Nothing was sent. Correct recipient.first_name, recipient.last_name, or write to support.'
    expect(inFormWords(both)).toBe('Nothing was sent. Correct the name, or write to support.')
    expect(inFormWords('Correct recipient.bank.account_number, or recipient.address.line1.')).toBe(
      'Correct the account number, or address line 1.',
    )
    expect(inFormWords('The recipient is paid. recipient.moon')).toBe('The recipient is paid. recipient.moon')
  })
})
