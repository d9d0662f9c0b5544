import { describe, expect, it } from 'vitest'

import { ApiError, Unanswered } from '../server/client.ts'
import { describeChangeFailure, describeFailure } from './failure.ts'

describe('a failure', () => {
  it('keeps the words and the request id of the server', () => {
    const error = new ApiError(502, { code: 'bank_unavailable', message: 'Ask again.', request_id: 'req_1' }, null)
    expect(describeFailure(error)).toEqual({
      title: 'The bank is not answering',
      message: 'Ask again.',
      requestId: 'req_1',
    })
  })

  it('without an answer does not pretend to know more', () => {
    expect(describeFailure(new Unanswered('x')).title).toBe('The server did not answer')
  })

  it('of a change says after silence that nobody knows, and else what the server says', () => {
    expect(describeChangeFailure(new Unanswered('x')).message).toContain('we do not know whether it was done')
    const refused = new ApiError(409, { code: 'last_admin', message: 'The only admin.' }, 'req_2')
    expect(describeChangeFailure(refused)).toEqual(describeFailure(refused))
  })

  it('of our own shows nothing of what went wrong inside', () => {
    expect(describeFailure(new TypeError('secret detail')).message).not.toContain('secret')
  })
})
