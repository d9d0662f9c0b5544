import type { ErrorCode } from '@kestrel/contract'
import { describe, expect, it } from 'vitest'

import { ApiError, Unanswered } from '../../server/client.ts'
import { outcomeOf } from './send-outcome.ts'

const refusal = (status: number, code: ErrorCode, details = {}) =>
  new ApiError(status, { code, message: 'x', details, request_id: 'req_1' }, null)

describe('an attempt that did not work', () => {
  it.each([
    [refusal(502, 'payout_not_created'), 'not_sent'],
    [refusal(500, 'internal_error'), 'unknown'],
    [refusal(503, 'unavailable'), 'unknown'],
    [refusal(409, 'idempotency_key_in_progress'), 'unknown'],
    [new Unanswered('silence'), 'unknown'],
    [new TypeError('a bug'), 'unknown'],
    [refusal(402, 'insufficient_funds'), 'refused'],
    [refusal(422, 'recipient_account_rejected'), 'refused'],
    [refusal(422, 'code_not_accepted'), 'code'],
  ])('%s is never called better than it is', (error, kind) => expect(outcomeOf(error).kind).toBe(kind))

  it('names the payout that the key has already made', () => {
    expect(outcomeOf(refusal(422, 'idempotency_key_reused', { payout_id: 'p1' }))).toEqual({
      kind: 'reused',
      payoutId: 'p1',
    })
  })
})
