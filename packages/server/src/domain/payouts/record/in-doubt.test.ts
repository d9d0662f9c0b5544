import { describe, expect, it } from 'vitest'

import { BEFORE, sendingRow } from '../../../../test/support/outcomes.ts'
import { isGivenUp, isInDoubt } from './in-doubt.ts'

describe('a payout', () => {
  it.each([
    { is: 'being sent', of: {}, doubt: true, givenUp: false },
    { is: 'without an answer', of: { sendState: 'unknown' }, doubt: true, givenUp: false },
    { is: 'at the bank', of: { sendState: 'accepted', status: 'processing' }, doubt: false, givenUp: false },
    { is: 'not sent', of: { sendState: 'not_sent' }, doubt: false, givenUp: true },
    { is: 'refused', of: { sendState: 'rejected' }, doubt: false, givenUp: true },
    {
      is: 'refused after a doubt',
      of: { sendState: 'unknown', status: 'failed', refundState: 'done' },
      doubt: false,
      givenUp: true,
    },
    {
      is: 'completed',
      of: { sendState: 'accepted', status: 'completed', completedAt: BEFORE },
      doubt: false,
      givenUp: false,
    },
    // No row is ever so: neither is said of it.
    { is: 'as none can be', of: { sendState: 'not_sent', status: 'completed' }, doubt: false, givenUp: false },
  ] as const)('$is: in doubt $doubt, given up $givenUp', ({ of, doubt, givenUp }) => {
    expect([isInDoubt(sendingRow(of)), isGivenUp(sendingRow(of))]).toEqual([doubt, givenUp])
  })
})
