// The examples of failures are what the service really says.
import type { ErrorCode } from '@kestrel/contract'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { changePartnerStatus } from '../../src/domain/partners/change-partner.ts'
import { verifyPartner } from '../support/verified.ts'
import { ERROR_CATALOGUE } from '../../src/http/errors/error-catalogue.ts'
import { FAILURE_EXAMPLES } from '../../src/http/docs/failure-examples.ts'
import { PROCESSING } from '../../src/http/docs/payout-examples.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, aPayoutBody, aRecipient, createPayout, get, inLive } from '../support/fixtures.ts'
import { type TestMember, aSignInCode, ask, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp({ rateLimitPerSecond: 1_000 })
  partner = await aPartner(test)
})
afterAll(() => test.close())

function post(url: string, payload: string | object, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${partner.key}`
  return test.request({ method: 'POST', url, headers: { authorization, ...headers }, payload })
}

const JSON_TYPE = { 'content-type': 'application/json' }

function asMember(member: TestMember, headers: Record<string, string> = {}) {
  return ask(test, member, { method: 'POST', url: '/v1/payouts', payload: aPayoutBody(), headers })
}

async function aKeyWith(rules: object): Promise<{ key: string }> {
  const admin = await signedIn(test, await aPartner(test))
  const payload = { environment: 'sandbox', ...rules }
  const made = await ask(test, admin, { method: 'POST', url: '/v1/keys', payload })
  return { key: made.json().secret }
}

const PROVOKED: Partial<Record<ErrorCode, () => Promise<LightMyRequestResponse>>> = {
  invalid_json: () => post('/v1/quotes', '{"amount_gbp": ', JSON_TYPE),
  idempotency_key_required: () => post('/v1/payouts', {}),
  invalid_header: () => createPayout(test, partner, {}, { 'max-wallet-debit-usdc': 'thirty' }),
  unauthorized: () => test.request({ method: 'GET', url: '/v1/account' }),
  insufficient_funds: async () => createPayout(test, await aPartner(test, { usdc: '10.00' })),
  partner_not_active: async () => {
    const suspended = await aPartner(test)
    await changePartnerStatus(test.deps, suspended.slug, 'suspended')
    return get(test, suspended, '/v1/account')
  },
  api_key_required: async () => asMember(await signedIn(test, partner, { role: 'viewer' })),
  cross_site_request: async () => asMember(await signedIn(test, partner), { origin: 'https://elsewhere.example' }),
  business_changed: async () => asMember(await signedIn(test, partner), { 'kestrel-business': 'thistle-market' }),
  sign_up_closed: async () => {
    const closed = await startTestApp({ dashboard: { isSignUpOpen: false } })
    const payload = { email: 'amara@okafor.test', business_name: 'Okafor Pottery' }
    const refused = await closed.request({ method: 'POST', url: '/v1/auth/sign-up', payload })
    await closed.close()
    return refused
  },
  code_not_accepted: async () => {
    const email = 'finance@thistle.test'
    const code = (await aSignInCode(test, email)) === '000000' ? '000001' : '000000'
    return test.request({ method: 'POST', url: '/v1/auth/session', payload: { email, code } })
  },
  choice_needed: async () => {
    const [own, email] = [await aPartner(test), 'amara@okafor.test']
    const demo = await signedIn(test, own, { email: 'demo@thistle.test' })
    await ask(test, demo, { method: 'POST', url: '/v1/members', payload: { email, role: 'viewer' } })
    const code = await aSignInCode(test, email)
    const refused = await test.request({ method: 'POST', url: '/v1/auth/session', payload: { email, code } })
    const { id, slug, expires_at } = refused.json().error.details.invitations[0]
    const [shown] = (FAILURE_EXAMPLES['choice_needed']!.details as { invitations: Record<string, string>[] })
      .invitations
    const same = refused.body.replace(id, shown!['id']!).replace(slug, shown!['slug']!)
    return { ...refused, json: () => JSON.parse(same.replace(expires_at, shown!['expires_at']!)) }
  },
  session_is_newer: async () => {
    const older = await signedIn(test, partner)
    const newer = await signedIn(test, partner, { email: older.email })
    return ask(test, older, { method: 'DELETE', url: `/v1/auth/sessions/${newer.sessionId}` })
  },
  confirm_code_required: async () => {
    const own = await aPartner(test)
    await verifyPartner(test.deps, own.slug)
    const headers = { 'idempotency-key': 'order-without-a-code' }
    const url = '/v1/payouts?environment=live'
    return ask(test, await signedIn(test, own), { method: 'POST', url, payload: aPayoutBody(), headers })
  },
  payouts_paused: async () => {
    const own = await aPartner(test)
    const { paused_at } = (
      await ask(test, await signedIn(test, own), { method: 'POST', url: '/v1/payouts/pause' })
    ).json() as { paused_at: string }
    const refused = await createPayout(test, own)
    return { ...refused, json: () => JSON.parse(refused.body.replaceAll(paused_at, '2026-11-02T09:30:00.000Z')) }
  },
  scope_missing: async () => createPayout(test, await aKeyWith({ scopes: ['read'] })),
  address_not_allowed: async () => createPayout(test, await aKeyWith({ allowed_ips: ['203.0.113.0/24'] })),
  spending_limit_reached: async () => {
    const own = await aKeyWith({ daily_gbp: '40.00' })
    await createPayout(test, own)
    const refused = await createPayout(test, own)
    const { resets_at } = refused.json().error.details
    return { ...refused, json: () => JSON.parse(refused.body.replaceAll(resets_at, '2026-11-03T00:00:00.000Z')) }
  },
  not_found: () => get(test, partner, '/v1/payouts/nothing'),
  key_limit_reached: async () => {
    const admin = await signedIn(test, await aPartner(test))
    const create = () =>
      ask(test, admin, { method: 'POST', url: '/v1/keys', payload: { environment: 'sandbox', label: 'orders' } })
    for (let count = 0; count < 4; count++) await create()
    return create()
  },
  endpoint_limit_reached: async () => {
    const admin = await signedIn(test, await aPartner(test))
    const payload = { url: 'https://hooks.thistle.example/kestrel' }
    const create = () => ask(test, admin, { method: 'POST', url: '/v1/webhook-endpoints', payload })
    for (let count = 0; count < 10; count++) await create()
    return create()
  },
  endpoint_not_allowed: () => post('/v1/webhook-endpoints', { url: 'https://10.0.0.1/' }),
  member_exists: async () => {
    const payload = { email: 'finance@thistle.test', role: 'viewer' }
    return ask(test, await signedIn(test, partner), { method: 'POST', url: '/v1/members', payload })
  },
  last_admin: async () => {
    const own = await aPartner(test)
    const admin = await signedIn(test, own, { email: 'finance@thistle.test' })
    return ask(test, admin, { method: 'DELETE', url: `/v1/members/${admin.memberId}` })
  },
  payout_not_cancellable: async () => {
    const { id } = (await createPayout(test, partner)).json() as { id: string }
    test.clock.advance(2_000)
    await test.follow()
    const url = `/v1/payouts/${id}/cancel`
    const headers = { authorization: `Bearer ${partner.key}` }
    const refused = await test.request({ method: 'POST', url, headers })
    return { ...refused, json: () => JSON.parse(refused.body.replaceAll(id, PROCESSING.id)) }
  },
  simulation_unavailable: async () => {
    const { id } = (await createPayout(test, partner, { reference: 'sandbox:late' })).json() as { id: string }
    return post(`/v1/sandbox/payouts/${id}/simulate`, { outcome: 'settle' })
  },
  body_too_large: () => post('/v1/quotes', JSON.stringify({ amount_gbp: '1'.repeat(40_000) }), JSON_TYPE),
  unsupported_media_type: () => post('/v1/quotes', 'amount_gbp=25.00', { 'content-type': 'text/plain' }),
  invalid_amount: () => post('/v1/quotes', { amount_gbp: '0.50' }),
  invalid_recipient: () => {
    const { last_name: _missing, bank, ...rest } = aRecipient()
    return createPayout(test, partner, { recipient: { ...rest, bank: { ...bank, sort_code: '12-34-56' } } })
  },
  corridor_not_enabled: () => post('/v1/quotes', { amount_gbp: '25.00', country: 'FR' }),
  recipient_account_rejected: () => createPayout(test, partner, { reference: 'sandbox:reject' }),
  idempotency_key_reused: async () => {
    const key = { 'idempotency-key': 'order-for-the-examples' }
    const first = (await createPayout(test, partner, {}, key)).json().id as string
    const second = await createPayout(test, partner, { amount_gbp: '26.00' }, key)
    return { ...second, json: () => JSON.parse(second.body.replaceAll(first, PROCESSING.id)) }
  },
  rate_moved: () => createPayout(test, partner, {}, { 'max-wallet-debit-usdc': '30.00' }),
  invalid_request: () => post('/v1/quotes', { amount_gbp: '25.00', colour: 'blue' }),
  rate_limited: async () => {
    const strict = await startTestApp({ rateLimitPerSecond: 1 })
    const caller = await aPartner(strict)
    // Several at once: on a slow machine, one after the other would be within one request per second.
    const replies = await Promise.all(Array.from({ length: 8 }, () => get(strict, caller, '/v1/account')))
    await strict.close()
    return replies.find(({ statusCode }) => statusCode === 429)!
  },
  payout_not_created: () => createPayout(test, partner, { reference: 'sandbox:down' }),
  bank_unavailable: async () => get(test, await inLive(test, await aPartner(test)), '/v1/balance'),
}

/** These need a crash, an outage or ten seconds; other tests look at them. */
const NOT_PROVOKED: readonly ErrorCode[] = ['idempotency_key_in_progress', 'internal_error', 'unavailable']

describe('the example of', () => {
  it.each(Object.entries(PROVOKED))('%s is what the service says', async (code, provoke) => {
    const reply = await provoke()
    const { request_id: requestId, doc_url: docUrl, ...said } = reply.json().error
    expect(said).toEqual({ code, ...FAILURE_EXAMPLES[code as ErrorCode] })
    expect(reply.statusCode).toBe(ERROR_CATALOGUE[code as ErrorCode].status)
    expect(requestId).toBe(reply.headers['x-request-id'])
    expect(docUrl).toBe(`http://localhost:3000/docs/errors#${code}`)
  })
})

it('every example is compared with the service, or said not to be', () => {
  expect([...Object.keys(PROVOKED), ...NOT_PROVOKED].toSorted()).toEqual(Object.keys(FAILURE_EXAMPLES).toSorted())
})
