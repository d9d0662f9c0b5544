// How the real bank names the wrong fields of a request, which nobody says in public, both ways, through the whole service:
// whichever it is, partners are told the same and nothing moves.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type BankApp, startBankApp } from '../support/bank-app.ts'
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
