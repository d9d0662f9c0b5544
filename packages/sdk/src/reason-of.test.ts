import { expect, it } from 'vitest'

import { OutcomeUnknownError } from './errors.ts'
import { reasonOf } from './reason-of.ts'

const because = (cause: unknown) => new TypeError('fetch failed', { cause })
const withCode = (error: Error, code: string) => Object.assign(error, { code })

it.each([
  [
    'connect ECONNREFUSED 127.0.0.1:1',
    because(withCode(new Error('connect ECONNREFUSED 127.0.0.1:1'), 'ECONNREFUSED')),
  ],
  ['self-signed certificate', because(withCode(new Error('self-signed certificate'), 'DEPTH_ZERO_SELF_SIGNED_CERT'))],
  // As for localhost, which has two addresses.
  ['ECONNREFUSED', because(withCode(new AggregateError([new Error('one'), new Error('other')]), 'ECONNREFUSED'))],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    because(withCode(new Error('80AC:error:0A00010B:SSL routines::wrong\n'), 'ERR_SSL_WRONG_VERSION_NUMBER')),
  ],
  ['fetch failed', because(new Error(''))],
  ['fetch failed', because('nothing that can be read')],
  ['no answer within 5 ms', new Error('no answer within 5 ms')],
  ['left', 'left'],
])('%s is why', (reason, error) => {
  expect(reasonOf(error)).toBe(reason)
})

it('a payout whose answer did not come says why', () => {
  const { message } = new OutcomeUnknownError('order-0001', because(new Error('self-signed certificate')))
  expect(message).toMatch(/\(self-signed certificate\), so the payout may have been made.*order-0001/)
})
