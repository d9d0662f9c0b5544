// Registering a recipient: what the bank says of it, and whose fault that is.
import { describe, expect, it } from 'vitest'

import { type Reply, railTo, refusal } from '../../../test/support/answering-bank.ts'
import type { RecipientDetails } from '../transfer.ts'

const ACCOUNT = { holderRef: 'cust/1', walletRef: 'wallet_1' }
const RECIPIENT: RecipientDetails = {
  type: 'individual',
  first_name: 'Ada',
  last_name: 'Lovelace',
  address: { line1: '12 St James’s Square', city: 'London', postal_code: 'SW1Y 4JH', region: 'London' },
  bank: { bank_name: 'Monzo', sort_code: '040004', account_number: '12345670' },
}

describe('registering a recipient', () => {
  const register = async (...replies: Reply[]) => {
    const { rail, asked } = await railTo(...replies)
    return { answer: await rail.registerRecipient(ACCOUNT, RECIPIENT, 'recipient:1'), asked }
  }

  it('gives the bank’s id of it', async () => {
    const { answer, asked } = await register({ status: 201, body: { id: 'ea_1' } })
    expect(answer).toEqual({ kind: 'registered', recipientRef: 'ea_1' })
    expect(asked).toEqual(['POST /v0/customers/cust%2F1/external_accounts'])
  })

  it('takes the id that the bank has already', async () => {
    const { answer } = await register(refusal(400, 'duplicate_external_account', { id: 'ea_0' }))
    expect(answer).toEqual({ kind: 'registered', recipientRef: 'ea_0' })
  })

  it.each([
    ['400', 'invalid_account_number'],
    ['422', 'invalid_sort_code'],
  ])('is refused with %s %s', async (status, code) => {
    const { answer } = await register(refusal(Number(status), code))
    expect(answer).toEqual({ kind: 'rejected', reason: `It is ${code}.` })
  })

  // A key that is spent says nothing about the account: to call it rejected would be untrue.
  it.each(['Idempotency Key Retry Deadline Exceeded', 'Idempotency Key was used'])(
    'is not refused because of %s',
    async (message) => {
      const { answer } = await register(refusal(422, 'invalid_parameters', { message }))
      expect(answer.kind).not.toBe('rejected')
    },
  )

  it.each<[string, Reply]>([
    ['500', refusal(500, 'unexpected')],
    ['429', refusal(429, 'rate_limited')],
    ['401', refusal(401, 'required')],
    ['201 without an id', { status: 201, body: {} }],
    ['201 that is not JSON', { status: 201, body: '<html>' }],
    ['no answer', 'hang'],
    ['a reset connection', 'reset'],
  ])('that ends with %s leaves nothing sent', async (_, reply) => {
    const { answer, asked } = await register(reply)
    expect(answer.kind).toBe('not_sent')
    expect(asked).toHaveLength(1)
  })
})
