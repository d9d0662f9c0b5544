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

  it('takes no account for the recipient’s that has other digits', async () => {
    const others = [
      { account: { sort_code: '040004', last_4: '9999' } },
      { account: { sort_code: '999999' } },
      { account: { last_4: '9999' } },
      { account: { account_number: '12349999' } },
      { last_4: '9999' },
      { sort_code: '999999' },
    ]
    for (const another of others) {
      const { answer } = await register({ status: 201, body: { id: 'ea_7', ...another } })
      expect([another, answer]).toMatchObject([another, { kind: 'not_sent', trouble: 'account' }])
      expect(JSON.stringify(answer)).not.toMatch(/\d{4}/)
    }
  })

  it.each([
    { sort_code: '040004', last_4: '5670' },
    { sort_code: '04-00-04', account_number: '1234 5670' },
    { sort_code: '04****', account_number: '1234****' },
    { sort_code: '**0004', last_4: '**70' },
    { account_number: '****5670' },
  ])('takes %j for the recipient’s account', async (account) => {
    const { answer } = await register({ status: 201, body: { id: 'ea_7', account } })
    expect(answer).toEqual({ kind: 'registered', recipientRef: 'ea_7' })
  })

  const AT_BANK = {
    id: 'ea_0',
    account_owner_name: 'Ada Lovelace',
    account_owner_type: 'individual',
    first_name: 'Ada',
    last_name: 'Lovelace',
    active: true,
    account: { sort_code: '040004', last_4: '5670' },
  }
  const duplicate = refusal(400, 'duplicate_external_account', { id: 'ea_0' })
  const unnamed = refusal(400, 'duplicate_external_account')
  const shown = (change: object = {}): Reply => ({ status: 200, body: { ...AT_BANK, ...change } })
  const listed = (...changes: object[]): Reply => ({
    status: 200,
    body: { data: changes.map((change) => ({ ...AT_BANK, ...change })) },
  })

  it.each<[string, Reply, Reply]>([
    ['is named', duplicate, shown()],
    ['is spelled without accents and in capitals', duplicate, shown({ first_name: 'ÁDA', last_name: 'LOVELACE' })],
    ['has one name only', duplicate, shown({ first_name: null, last_name: null })],
    ['does not say what kind of owner it has', duplicate, shown({ account_owner_type: null })],
    ['writes its sort code with lines', duplicate, shown({ account: { sort_code: '04-00-04', last_4: '5670' } })],
    ['shows the whole number', duplicate, shown({ account: { sort_code: '040004', account_number: '12345670' } })],
    ['is not named, and found in the list', unnamed, listed({ id: 'x', account: { sort_code: '1', last_4: '1' } }, {})],
    ['is one of two with these digits', unnamed, listed({ id: 'x', first_name: 'Bob' }, {})],
  ])('adopts the account of the same owner that %s', async (_, refused, there) => {
    const { answer, asked } = await register(refused, there)
    expect(answer).toEqual({ kind: 'registered', recipientRef: 'ea_0' })
    expect(asked).toHaveLength(2)
  })

  const OTHER_NAME = { kind: 'rejected', wrong: { fields: ['recipient.first_name', 'recipient.last_name'] } }
  it.each<[string, Reply, Reply]>([
    ['another person’s', duplicate, shown({ first_name: 'Robert', last_name: 'Smith' })],
    ['another first name’s', duplicate, shown({ first_name: 'Adam' })],
    ['another’s by the only name that is shown', duplicate, shown({ first_name: null, account_owner_name: 'A Smith' })],
    ['a business’s of the same name', duplicate, shown({ account_owner_type: 'business' })],
    ['another’s in the list', unnamed, listed({ first_name: 'Robert' })],
  ])('refuses clearly to pay under a name that is %s', async (_, refused, there) => {
    expect((await register(refused, there)).answer).toMatchObject(OTHER_NAME)
  })

  it('refuses an account of the same owner that the bank has deactivated', async () => {
    const { answer } = await register(duplicate, shown({ active: false }))
    expect(answer).toMatchObject({ kind: 'rejected', wrong: { fields: ['recipient.bank.account_number'] } })
  })

  it.each<[string, Reply]>([
    ['is gone when it is read', refusal(404, 'Invalid')],
    ['cannot be read', refusal(500, 'unexpected')],
    ['is another account', shown({ account: { sort_code: '999999', last_4: '5670' } })],
  ])('blames nobody when the account that is there %s', async (_, there) => {
    expect((await register(duplicate, there)).answer.kind).toBe('not_sent')
  })

  it.each(['account', 'account.sort_code', 'account.account_number', 'account.sort_code,address.city'])(
    'is refused for its account when the bank names %s in the body',
    async (key) => {
      const { answer } = await register(refusal(400, 'invalid_parameters', { source: { location: 'body', key } }))
      expect(answer).toEqual({ kind: 'rejected', reason: 'It is invalid_parameters.' })
    },
  )

  it.each([
    ['bank_name', ['recipient.bank.bank_name']],
    ['address.postal_code', ['recipient.address.postal_code']],
    [{ 'address.city': 'must be set', first_name: 'is short' }, ['recipient.address.city', 'recipient.first_name']],
  ])('is refused for other details when the bank names %j, and the account is not blamed', async (key, fields) => {
    const { answer } = await register(refusal(400, 'invalid_parameters', { source: { key } }))
    expect(answer).toMatchObject({ kind: 'rejected', wrong: { fields } })
  })

  it.each([
    [
      'an endorsement that is missing',
      { code: 'invalid_parameters', message: 'Requires the faster_payments endorsement' },
    ],
    ['a customer who is paused', { source: { location: 'path', key: 'customerID' } }],
    ['a kind of account that it does not take', { source: { location: 'body', key: 'account_type' } }],
    ['a field of another place', { source: { location: 'query', key: 'account.sort_code' } }],
  ])('is ours to mend for %s, and nobody’s recipient is blamed', async (_, more) => {
    const { answer } = await register(refusal(400, 'invalid_parameters', more))
    expect(answer).toMatchObject({ kind: 'not_sent', trouble: 'account', bankReason: expect.any(String) as string })
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
