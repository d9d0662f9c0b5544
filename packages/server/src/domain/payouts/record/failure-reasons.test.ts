import { FAILURE_CODES, RETRY } from '@kestrel/contract'
import { describe, expect, it } from 'vitest'

import { RELEASED, failureCodeOf, failureOf, plainReason, refusedAfterDoubt } from './failure-reasons.ts'

const BACK = 'Nothing was charged and the money is back in the wallet.'

describe('why a payout did not stay with its recipient', () => {
  it.each([
    { code: '1114', words: 'The bank rejected the account details: the sort code or account number is not known.' },
    { code: 'AC03', words: 'The bank rejected the account details: the sort code or account number is not known.' },
    { code: '00000001', words: 'The bank rejected the account details: the sort code or account number is not known.' },
    { code: '1160', words: 'The account is closed.' },
    { code: 'AC07', words: 'The account is closed.' },
    { code: '00000002', words: 'The account is closed.' },
    { code: '1161', words: 'The account is blocked.' },
    { code: 'AC06', words: 'The account is blocked.' },
    { code: '00000003', words: 'The account is blocked.' },
    { code: '1162', words: 'The name does not match the account.' },
    { code: '00000006', words: 'The name does not match the account.' },
    { code: '1163', words: 'The account needs a reference that the payment did not have.' },
    { code: '1164', words: 'The account needs a reference that the payment did not have.' },
    { code: '00000005', words: 'The account needs a reference that the payment did not have.' },
    { code: '1166', words: 'The account has moved to another bank.' },
    { code: '00000012', words: 'The account has moved to another bank.' },
  ])('is said in plain words for the scheme’s code $code', ({ code, words }) => {
    expect(plainReason('failed', `Some words of the bank (${code})`, true)).toBe(`${words} ${BACK}`)
    expect(plainReason('returned', code, true)).toBe(words)
  })

  it.each([
    { status: 'failed', reason: null, words: `The bank could not deliver the payment. ${BACK}` },
    { status: 'failed', reason: 'gobbledygook', words: `The bank could not deliver the payment. ${BACK}` },
    { status: 'failed', reason: 'ref 911142', words: `The bank could not deliver the payment. ${BACK}` },
    { status: 'cancelled', reason: null, words: `The payment was cancelled before it was sent. ${BACK}` },
    { status: 'returned', reason: null, words: 'The recipient’s bank sent the payment back.' },
  ] as const)('falls back to a general sentence: $status, $reason', ({ status, reason, words }) => {
    expect(plainReason(status, reason, true)).toBe(words)
  })

  it.each(['pending', 'processing', 'completed'] as const)('is nothing for a payout that is %s', (status) => {
    expect(plainReason(status, 'Sort code or account number unknown (1114)', true)).toBeNull()
  })

  it('says that the money is on its way while it is not back', () => {
    expect(plainReason('failed', null, false)).toBe(
      'The bank could not deliver the payment. Nothing was charged and the money is on its way back to the wallet.',
    )
  })

  it('never repeats the bank’s own text, which may hold names', () => {
    const reason = 'Beneficiary ZEPHYRINE QUILLFEATHER 11-22-33 98765432 unknown (1114)'
    for (const status of ['failed', 'cancelled', 'returned'] as const) {
      expect(plainReason(status, reason, true)).not.toMatch(/ZEPHYRINE|98765432|11-22-33/)
    }
  })
})

/** Every code that banks and the scheme are known to give, and what it is to a program. */
const KNOWN = {
  account_not_found: ['1114', 'AC01', 'AC03', 'PY01', 'CB_FailedModulusCheck', '00000001'],
  account_closed: ['1160', 'AC07', '00000002'],
  account_blocked: ['1161', 'AC06', '00000003'],
  account_moved: ['1166', 'CB_AccountSwitched', '00000012'],
  account_holder_deceased: ['1167', 'MD09', '00000004'],
  currency_not_accepted: ['1165', 'AC09', '00000008'],
  name_mismatch: ['1162', 'CB_AccountNameAndNumberMismatch', '00000006'],
  reference_needed: ['1163', '1164', 'CB_PaymentReferenceMissing', 'CB_PaymentReferenceIncorrect', '00000005'],
  refused_by_recipient: ['1100', '1169', '1170', 'AG01', '00000009', '00000010', '00000013'],
  rejected_by_bank: [
    '1168',
    '1172',
    '1181',
    '1909',
    '1930',
    '9909',
    '9910',
    '9911',
    '9912',
    '9913',
    '00000011',
    'BE08',
    'MS03',
  ],
} as const

const NUMBERS_THAT_ARE_NO_CODES = [
  '',
  'gobbledygook',
  'ref 911142',
  'AC033',
  'sent 1100.00 USDC',
  'in 1930 or at 19:09',
]

describe('the code of a failure', () => {
  it.each(Object.entries(KNOWN).flatMap(([code, given]) => given.map((theirs) => ({ theirs, code }))))(
    'is $code where the bank says $theirs, however it ended',
    ({ theirs, code }) => {
      for (const status of ['failed', 'cancelled', 'returned'] as const) {
        expect(failureCodeOf(status, `Some words (${theirs}) of the bank`)).toBe(code)
      }
    },
  )

  it('is known for every ending, whatever the bank says or does not say', () => {
    expect(failureCodeOf('failed', null)).toBe('rejected_by_bank')
    expect(failureCodeOf('cancelled', null)).toBe('cancelled')
    expect(failureCodeOf('cancelled', 'as you asked')).toBe('cancelled')
    expect(failureCodeOf('returned', null)).toBe('other')
    expect(failureCodeOf('failed', RELEASED)).toBe('rejected_by_bank')
    expect(failureCodeOf('failed', refusedAfterDoubt('It was not made.', 'account'))).toBe('account_not_found')
    expect(failureCodeOf('failed', refusedAfterDoubt('Closed (AC07)', 'account'))).toBe('account_closed')
    expect(failureCodeOf('failed', refusedAfterDoubt('It was not made.', 'recipient'))).toBe('invalid_recipient')
    expect(failureCodeOf('failed', refusedAfterDoubt('It was not made.', 'order'))).toBe('rejected_by_bank')
    for (const words of NUMBERS_THAT_ARE_NO_CODES) {
      expect(failureCodeOf('failed', words)).toBe('other')
      expect(failureCodeOf('returned', words)).toBe('other')
    }
  })

  it.each(['pending', 'processing', 'completed'] as const)('is none while the payout is %s', (status) => {
    expect(failureCodeOf(status, 'Sort code or account number unknown (1114)')).toBeNull()
  })

  it('says whether trying again helps, and every code is given by something', () => {
    expect(Object.keys(RETRY).toSorted()).toEqual([...FAILURE_CODES].toSorted())
    expect([...Object.keys(KNOWN), 'cancelled', 'invalid_recipient', 'other'].toSorted()).toEqual(
      [...FAILURE_CODES].toSorted(),
    )
    expect(failureOf({ status: 'failed', bankReason: 'AC07' })).toEqual({ code: 'account_closed', retry: 'after_fix' })
    expect(failureOf({ status: 'completed', bankReason: 'AC07' })).toEqual({ code: null, retry: null })
  })
})
