// What the bank refuses for a field of the request, through the whole service: nothing moves. How the real bank names the
// fields nobody says in public, so it is tried both ways, and partners are told the same.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type BankApp, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, balanceOf, createPayout } from '../support/fixtures.ts'

let test: BankApp
let partner: TestPartner
beforeAll(async () => {
  test = await startBankApp()
  partner = await test.aConnectedPartner()
})
afterAll(() => test.close())

/** What the bank itself answers to an order without anything in it. */
async function fieldsAtBank(): Promise<unknown> {
  const { baseUrl, apiKey } = test.bank.provider
  const headers = { 'api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
  const reply = await fetch(`${baseUrl}/transfers`, { method: 'POST', headers, body: '{}' })
  return ((await reply.json()) as { source: { key: unknown } }).source.key
}

describe.each([
  ['one text', false, 'string'],
  ['an object', true, 'object'],
])('a refusal that names its fields in %s', (_how, isObject, type) => {
  it('is the recipient’s account’s where it names that, and nothing moves', async () => {
    await test.bank.control('POST', '/readings', { fields_are_an_object: isObject })
    expect(typeof (await fieldsAtBank())).toBe(type)
    const before = await balanceOf(test, partner)
    const reply = await createPayout(test, partner, { reference: 'sandbox:reject' })
    expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'recipient_account_rejected'])
    expect(await balanceOf(test, partner)).toBe(before)
  })
})

describe('a payout below the bank’s own minimum', () => {
  it('is not created, moves nothing, and the operator is told in the bank’s words', async () => {
    const held = async () => [await balanceOf(test, partner), await balanceAtBank(test, partner)]
    const [before, made] = [await held(), (await test.bank.books()).transfers.length]
    await test.bank.control('POST', '/terms', { smallest_gbp: '25.01' })
    const key = { 'idempotency-key': 'below-the-minimum' }
    const reply = await createPayout(test, partner, {}, key)
    expect([reply.statusCode, reply.json().error.code]).toEqual([502, 'payout_not_created'])
    expect([await held(), (await test.bank.books()).transfers.length]).toEqual([before, made])
    expect(test.alarms.at(-1)).toMatchObject({
      what: 'the bank refuses a partner’s payouts',
      about: { why: expect.stringContaining('The minimum for a transfer in GBP is 25.01.') },
    })
    await test.bank.control('POST', '/terms', { smallest_gbp: '25.00' })
    expect((await createPayout(test, partner, {}, key)).statusCode).toBe(201)
    expect((await test.bank.books()).transfers).toHaveLength(made + 1)
  })
})
