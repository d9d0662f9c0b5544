import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, aPayoutBody, anIdempotencyKey, get, post } from '../support/fixtures.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
})
afterAll(() => test.close())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const ANSWERS = [
  { why: 'discovery', status: 200, ask: () => test.request({ url: '/v1' }) },
  { why: 'a read', status: 200, ask: () => get(test, partner, '/v1/balance') },
  {
    why: 'a payout',
    status: 201,
    ask: () => post(test, partner, '/v1/payouts', aPayoutBody(), { 'idempotency-key': anIdempotencyKey() }),
  },
  { why: 'a body that is no JSON', status: 400, ask: () => post(test, partner, '/v1/quotes', '{') },
  { why: 'a request without a key', status: 401, ask: () => test.request({ url: '/v1/balance' }) },
  { why: 'an unknown address', status: 404, ask: () => test.request({ url: '/v2/payouts' }) },
  { why: 'an address that cannot be decoded', status: 404, ask: () => test.request({ url: '/v1/payouts/%zz' }) },
  { why: 'an id that is too long', status: 404, ask: () => get(test, partner, `/v1/payouts/${'a'.repeat(200)}`) },
  { why: 'another method', status: 405, ask: () => test.request({ method: 'DELETE', url: '/v1/payouts' }) },
  { why: 'a body that is too large', status: 413, ask: () => post(test, partner, '/v1/quotes', ' '.repeat(40_000)) },
  {
    why: 'a body of another kind',
    status: 415,
    ask: () => post(test, partner, '/v1/quotes', 'x', { 'content-type': 'text/plain' }),
  },
  { why: 'a body that is not acceptable', status: 422, ask: () => post(test, partner, '/v1/quotes', {}) },
  { why: 'health', status: 200, ask: () => test.request({ url: '/healthz' }) },
]

describe('the headers of every answer', () => {
  it.each(ANSWERS)('keep $why ($status) out of caches, frames, other types and plain HTTP', async ({ ask, status }) => {
    const reply = await ask()
    expect(reply.statusCode).toBe(status)
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
    })
  })

  it.each(ANSWERS)('say of $why ($status) nothing of what it is made with', async ({ ask }) => {
    const { headers } = await ask()
    expect(Object.keys(headers).filter((name) => /^(server|x-powered-by|set-cookie)$/.test(name))).toEqual([])
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it.each(ANSWERS)('name $why ($status) by an id of its own', async ({ ask }) => {
    const [one, other] = [await ask(), await ask()]
    expect(one.headers['x-request-id']).toMatch(UUID)
    expect(other.headers['x-request-id']).toMatch(UUID)
    expect(one.headers['x-request-id']).not.toBe(other.headers['x-request-id'])
  })
})

describe('X-Request-Id', () => {
  it.each(['x-request-id', 'request-id', 'x-correlation-id'])('is never what a client sends as %s', async (name) => {
    const reply = await test.request({ url: '/v1/balance', headers: { [name]: 'mine-1' } })
    expect(reply.headers['x-request-id']).toMatch(UUID)
    expect(reply.body).not.toContain('mine-1')
  })

  it('is in the activity of the request too', async () => {
    const own = await aPartner(test)
    const reply = await get(test, own, '/v1/balance')
    await test.deps.activity.flush()
    const text = 'select id from activity where partner_id = $1'
    expect(await test.owner.query({ name: '', text }, [own.id])).toEqual([{ id: reply.headers['x-request-id'] }])
  })
})
