// However much is wrong with a request, the answer to it is short: it names the first offences and stops looking.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  aPayoutBody,
  aRecipient,
  anIdempotencyKey,
  get,
  post,
} from '../support/fixtures.ts'
import { ask, signedIn } from '../support/sessions.ts'

const MOST_LISTED = 20
const LONGEST_ANSWER = 8_000

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
})
afterAll(() => test.close())

const letters = 'abcdefghijklmnopqrstuvwxyz'
/** Short names, so that thousands of them fit into a body. */
const unknown = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`${letters[n % 26]}${Math.floor(n / 26).toString(36)}`, 1]),
  )

const listedIn = (body: string): string[] => {
  const { details } = (JSON.parse(body) as { error: { details: { fields?: string[]; missing?: string[] } } }).error
  return details.fields ?? details.missing ?? []
}

describe('an answer that lists what is wrong', () => {
  it.each(['/v1/auth/code', '/v1/auth/session', '/v1/auth/sign-up'])(
    'is short at %s, before anybody is known',
    async (url) => {
      const reply = await test.request({ method: 'POST', url, payload: unknown(199) })
      expect(reply.statusCode).toBe(422)
      expect(listedIn(reply.body)).toHaveLength(MOST_LISTED)
      expect(reply.json().error.message).toMatch(/ and more\.$/)
      expect(reply.body.length).toBeLessThan(LONGEST_ANSWER)
    },
  )

  it.each(['/v1/auth/code', '/v1/auth/session', '/v1/auth/sign-up'])(
    'says at %s that no request has so many fields, before it reads thousands of them',
    async (url) => {
      const headers = { 'content-type': 'application/json' }
      for (const payload of [JSON.stringify(unknown(3_300)), JSON.stringify(unknown(1_500)).replaceAll(':', ' :\n')]) {
        const reply = await test.request({ method: 'POST', url, headers, payload })
        expect(reply.statusCode).toBe(400)
        expect(reply.json().error.message).toBe('The body names more than 200 fields.')
      }
    },
  )

  it('is short when the names are as long as the body', async () => {
    const payload = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}${'x'.repeat(1_000)}`, 1]))
    const reply = await test.request({ method: 'POST', url: '/v1/auth/code', payload })
    expect(listedIn(reply.body)).toHaveLength(MOST_LISTED)
    expect(reply.body.length).toBeLessThan(LONGEST_ANSWER)
  })

  it('is short for fields within fields, too', async () => {
    const recipient = { ...aRecipient(), bank: { ...aRecipient().bank, ...unknown(150) } }
    const headers = { 'idempotency-key': anIdempotencyKey() }
    const reply = await post(test, partner, '/v1/payouts', aPayoutBody({ recipient }), headers)
    expect(reply.json().error.code).toBe('invalid_recipient')
    expect(listedIn(reply.body)).toHaveLength(MOST_LISTED)
    expect(reply.body.length).toBeLessThan(LONGEST_ANSWER)
  })

  it('is short for a list that is too long', async () => {
    const admin = await signedIn(test, partner)
    const payload = { billing_address: Array.from({ length: 5_000 }, () => 1) }
    const reply = await ask(test, admin, { method: 'PATCH', url: '/v1/settings', payload })
    expect(listedIn(reply.body)).toEqual(['billing_address (up to 6 lines of 1 to 80 characters)'])
    expect(reply.body.length).toBeLessThan(LONGEST_ANSWER)
  })

  it('is short for a query', async () => {
    const query = Object.keys(unknown(2_000)).join('&')
    const reply = await get(test, partner, `/v1/payouts?${query}`)
    expect(reply.statusCode).toBe(422)
    expect(listedIn(reply.body)).toHaveLength(MOST_LISTED)
    expect(reply.body.length).toBeLessThan(LONGEST_ANSWER)
  })

  it('is whole up to twenty, and then has nothing more to say', async () => {
    const reply = await test.request({ method: 'POST', url: '/v1/auth/code', payload: unknown(19) })
    expect(listedIn(reply.body)).toHaveLength(MOST_LISTED)
    expect(listedIn(reply.body)).toContain('email (an email address)')
    expect(reply.json().error.message).not.toContain('and more')
  })
})

describe('null for a field that may be left out', () => {
  it('is refused, and the answer says to leave it out', async () => {
    const headers = { 'idempotency-key': anIdempotencyKey() }
    const reply = await post(test, partner, '/v1/payouts', aPayoutBody({ reference: null }), headers)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({
      code: 'invalid_request',
      details: {
        fields: ['reference (at most 120 characters; leave it out instead of null)'],
      },
    })
  })

  it('is refused within the recipient, too', async () => {
    const recipient = { ...aRecipient(), email: null, address: { ...aRecipient().address, line2: null, city: null } }
    const headers = { 'idempotency-key': anIdempotencyKey() }
    const reply = await post(test, partner, '/v1/payouts', aPayoutBody({ recipient }), headers)
    expect(reply.json().error.details.missing.toSorted()).toEqual([
      'recipient.address.city (text)',
      'recipient.address.line2 (text; leave it out instead of null)',
      'recipient.email (an email address; leave it out instead of null)',
    ])
  })
})
