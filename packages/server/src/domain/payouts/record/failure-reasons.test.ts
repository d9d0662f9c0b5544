import { describe, expect, it } from 'vitest'

import { plainReason } from './failure-reasons.ts'

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
