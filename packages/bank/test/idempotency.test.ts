import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { aKey, ask, control } from './support/ask.ts'
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
    expect([reply.status, reply.json.code]).toEqual([422, 'idempotency_key_reused'])
    expect(await booked(own.customerId)).toHaveLength(1)
  })

  it('is refused on another route', async () => {
    const key = aKey()
    await ask(bank, '/v0/customers', { body: {}, key })
    const reply = await ask(bank, `/v0/customers/${party.customerId}/simulate_kyc_approval`, { body: {}, key })
    expect([reply.status, reply.json.code]).toEqual([422, 'idempotency_key_reused'])
  })

  it('is not used up by a refusal', async () => {
    const own = await aParty(bank)
    const key = aKey()
    const body = await aTransferBody(bank, own, { amount: '9000.00' })
    expect((await ask(bank, '/v0/transfers', { body, key })).json.code).toBe('insufficient_funds')
    expect(await balanceOf(bank, own)).toBe(FLOAT)
    const deposit = { body: { amount: '5000.00', currency: 'usdc' } }
    await ask(bank, `/v0/customers/${own.customerId}/wallets/${own.walletId}/simulate_deposit`, deposit)
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
    expect([late.status, late.json.code]).toEqual([422, 'idempotency_key_expired'])
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
