import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Reply, aKey, ask, control } from './support/ask.ts'
import {
  FLOAT,
  FLOAT_LESS_HUNDRED_POUNDS,
  type Party,
  aParty,
  aTransferBody,
  advance,
  anExternalAccountBody,
  balanceOf,
  sendTransfer,
} from './support/fixtures.ts'
import { type TestBank, aBank } from './support/test-bank.ts'

const HOUR = 3_600_000

describe('an Idempotency-Key', () => {
  let bank: TestBank
  let party: Party

  beforeAll(async () => {
    bank = await aBank()
    party = await aParty(bank)
  })
  afterAll(() => bank.close())

  const booked = async (customerId: string) =>
    (await control(bank, `/ledger?customer_id=${customerId}`)).json.transfers as object[]

  /** No code of its own is known in public: a documented one, and the field that it is about. */
  const expectAboutKey = (reply: Reply, message: string) => {
    expect([reply.status, reply.json.code]).toEqual([422, 'invalid_parameters'])
    expect(reply.json.source).toEqual({ location: 'header', key: 'Idempotency-Key' })
    expect(reply.json.message).toContain(message)
  }

  it('makes twenty identical POSTs at once create once, all with the same answer', async () => {
    const own = await aParty(bank)
    const body = await aTransferBody(bank, own, { clientReference: 'twenty-at-once' })
    const key = aKey()
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(bank, '/v0/transfers', { body, key })))

    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]))
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
    expect(replies.filter((reply) => reply.headers['idempotent-replayed'] === undefined)).toHaveLength(1)
    expect(await booked(own.customerId)).toHaveLength(1)
    expect(await balanceOf(bank, own)).toBe(FLOAT_LESS_HUNDRED_POUNDS)
  })

  it('creates as many as there are keys', async () => {
    const own = await aParty(bank)
    const body = await aTransferBody(bank, own, { amount: '10.00' })
    const replies = await Promise.all(Array.from({ length: 10 }, () => ask(bank, '/v0/transfers', { body })))
    expect(replies.map((reply) => reply.status)).toEqual(Array(10).fill(201))
    expect(await booked(own.customerId)).toHaveLength(10)
  })

  it('is required on every POST', async () => {
    const reply = await sendTransfer(bank, party, {}, { key: null })
    expect(reply.status).toBe(400)
    expect(reply.json).toMatchObject({ code: 'required', name: 'Idempotency-Key', location: 'header' })
  })

  it('of 256 characters is refused', async () => {
    expect((await sendTransfer(bank, party, {}, { key: 'k'.repeat(256) })).json.code).toBe('invalid')
  })

  it('replays the original answer, byte for byte, though the transfer has moved on', async () => {
    const own = await aParty(bank)
    const body = await aTransferBody(bank, own)
    const key = aKey()
    const first = await ask(bank, '/v0/transfers', { body, key })
    expect((await control(bank, `/transfers/${first.json.id}/settle`, {})).status).toBe(200)
    const again = await ask(bank, '/v0/transfers', { body, key })
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  it('does not mind the order of fields', async () => {
    const key = aKey()
    const first = await ask(bank, '/v0/customers', { body: { type: 'individual', first_name: 'A' }, key })
    const again = await ask(bank, '/v0/customers', { body: { first_name: 'A', type: 'individual' }, key })
    expect(again.text).toBe(first.text)
  })

  it.each([
    { what: 'another amount', change: { destination: { amount: '100.01' } } },
    { what: 'a field more', change: { developer_fee: '0.10' } },
  ])('is refused with $what, and nothing is created', async ({ change }) => {
    const own = await aParty(bank)
    const body = await aTransferBody(bank, own)
    const key = aKey()
    await ask(bank, '/v0/transfers', { body, key })
    const other = { ...body, ...change, destination: { ...body.destination, ...change.destination } }
    const reply = await ask(bank, '/v0/transfers', { body: other, key })
    expectAboutKey(reply, 'used with another request')
    expect(await booked(own.customerId)).toHaveLength(1)
  })

  it('is refused on another route', async () => {
    const key = aKey()
    await ask(bank, '/v0/customers', { body: {}, key })
    const reply = await ask(bank, `/v0/customers/${party.customerId}/simulate_kyc_approval`, { body: {}, key })
    expect(reply.status).toBe(422)
    expectAboutKey(reply, 'used with another request')
  })

  describe('that was answered with a refusal', () => {
    const refusedOnce = async () => {
      const own = await aParty(bank)
      const key = aKey()
      const body = await aTransferBody(bank, own, { amount: '9000.00' })
      const refused = await ask(bank, '/v0/transfers', { body, key })
      expect([refused.status, refused.json.source]).toEqual([400, { location: 'body', key: 'source.bridge_wallet_id' }])
      expect([await balanceOf(bank, own), await booked(own.customerId)]).toEqual([FLOAT, []])
      const deposit = { body: { amount: '5000.00', currency: 'usdc' } }
      await ask(bank, `/v0/customers/${own.customerId}/wallets/${own.walletId}/simulate_deposit`, deposit)
      return { own, key, body, refused }
    }

    it('gives that refusal again, byte for byte, though the reason is gone; another key does not', async () => {
      const { own, key, body, refused } = await refusedOnce()
      const again = await ask(bank, '/v0/transfers', { body, key })
      expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([400, refused.text, 'true'])
      expect(await booked(own.customerId)).toEqual([])
      expect((await ask(bank, '/v0/transfers', { body })).status).toBe(201)
    })

    it('is refused with another body, and after the window, like any other', async () => {
      const { own, key, body } = await refusedOnce()
      expectAboutKey(await ask(bank, '/v0/transfers', { body: { ...body, developer_fee: '0.10' }, key }), 'another')
      await advance(bank, 24 * HOUR + 1_000)
      expectAboutKey(await ask(bank, '/v0/transfers', { body, key }), 'Idempotency Key Retry Deadline Exceeded')
      expect(await booked(own.customerId)).toEqual([])
    })

    it('because its body made no sense is bound as well', async () => {
      const key = aKey()
      const refused = await ask(bank, '/v0/transfers', { body: { on_behalf_of: 7 }, key })
      const again = await ask(bank, '/v0/transfers', { body: { on_behalf_of: 7 }, key })
      expect([refused.status, again.text]).toEqual([400, refused.text])
      expectAboutKey(await sendTransfer(bank, party, {}, { key }), 'used with another request')
    })

    it('is refused once by twenty at once, all in the same words', async () => {
      const own = await aParty(bank)
      const [key, body] = [aKey(), await aTransferBody(bank, own, { amount: '9000.00' })]
      const replies = await Promise.all(Array.from({ length: 20 }, () => ask(bank, '/v0/transfers', { body, key })))
      expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
      expect(replies.filter((reply) => reply.headers['idempotent-replayed'] === undefined)).toHaveLength(1)
    })

    it('is free again in the other reading', async () => {
      await control(bank, '/readings', { refusals_bind_keys: false })
      const { own, key, body } = await refusedOnce()
      expect((await ask(bank, '/v0/transfers', { body, key })).status).toBe(201)
      expect(await booked(own.customerId)).toHaveLength(1)
      expect((await control(bank, '/readings', undefined, 'DELETE')).json).toMatchObject({ refusals_bind_keys: true })
    })
  })

  it('is not bound by being turned away at the door, nor by a failure', async () => {
    const own = await aParty(bank)
    const [key, body] = [aKey(), await aTransferBody(bank, own)]
    for (const mode of ['429', '500_before']) {
      await control(bank, '/faults', { route: 'POST /v0/transfers', mode })
      expect([429, 500]).toContain((await ask(bank, '/v0/transfers', { body, key })).status)
    }
    expect((await ask(bank, '/v0/transfers', { body, key })).status).toBe(201)
  })

  it('works on every resource that can be created', async () => {
    const path = `/v0/customers/${party.customerId}`
    const accounts = { body: anExternalAccountBody(), key: aKey() }
    const first = await ask(bank, `${path}/external_accounts`, accounts)
    expect((await ask(bank, `${path}/external_accounts`, accounts)).text).toBe(first.text)
    const wallets = { body: { chain: 'solana' }, key: aKey() }
    const wallet = await ask(bank, `${path}/wallets`, wallets)
    expect((await ask(bank, `${path}/wallets`, wallets)).text).toBe(wallet.text)
  })

  it('is forgotten by nobody: after 24 hours it is refused, and still creates nothing', async () => {
    const own = await aParty(bank)
    const body = await aTransferBody(bank, own)
    const key = aKey()
    const first = await ask(bank, '/v0/transfers', { body, key })
    await advance(bank, 24 * HOUR - 60_000)
    expect((await ask(bank, '/v0/transfers', { body, key })).text).toBe(first.text)
    await advance(bank, 61_000)
    const late = await ask(bank, '/v0/transfers', { body, key })
    expectAboutKey(late, 'Idempotency Key Retry Deadline Exceeded')
    expect(await booked(own.customerId)).toHaveLength(1)
  })

  it('belongs to one API key: another one never sees its answer', async () => {
    const other = await aBank({ database: bank.database, apiKey: 'sk-test-another' })
    const key = aKey()
    const body = { type: 'individual', first_name: 'A' }
    const first = await ask(bank, '/v0/customers', { body, key })
    const second = await ask(other, '/v0/customers', { body, key, apiKey: 'sk-test-another' })
    expect(second.status).toBe(201)
    expect(second.json.id).not.toBe(first.json.id)
    expect(second.headers['idempotent-replayed']).toBeUndefined()
    await other.close()
  })
})
