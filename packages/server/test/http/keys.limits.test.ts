// Keys with limits: what they may be used for, from where, until when, and what they may pay.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  aRecipient,
  anIdempotencyKey,
  anObligingRail,
  balanceOf,
  createPayout,
  get,
  inLive,
  post,
  sql,
} from '../support/fixtures.ts'
import { type TestMember, aDoorCode, ask, latestMail, signedIn } from '../support/sessions.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ liveRail: anObligingRail() })
  test.clock.set('2026-11-02T10:00:00Z')
})
afterAll(() => test.close())

interface Key {
  readonly id: string
  readonly key: string
}

const makeKey = async (admin: TestMember, rules: object): Promise<Key> => {
  const payload = { environment: 'sandbox', label: 'limited', ...rules }
  const reply = await ask(test, admin, { method: 'POST', url: '/v1/keys', payload })
  if (reply.statusCode !== 201) throw new Error(reply.body)
  return { id: reply.json().id, key: reply.json().secret }
}
const change = (admin: TestMember, id: string, payload: object) =>
  ask(test, admin, { method: 'PATCH', url: `/v1/keys/${id}`, payload })
const keyOf = async (admin: TestMember, id: string) =>
  (await ask(test, admin, { url: '/v1/keys' })).json().data.find((each: { id: string }) => each.id === id)

async function endOf(key: Key, id: string, status: string): Promise<void> {
  test.clock.advance(5_000)
  await test.follow()
  expect((await get(test, key, `/v1/payouts/${id}`)).json().status).toBe(status)
}

async function aLimitedKey(rules: object): Promise<{ partner: TestPartner; admin: TestMember; limited: Key }> {
  const partner = await aPartner(test)
  const admin = await signedIn(test, partner)
  return { partner, admin, limited: await makeKey(admin, rules) }
}

describe('a key with limits in pounds', () => {
  it('pays up to what it may at once, and nothing moves beyond', async () => {
    const { partner, limited } = await aLimitedKey({ max_per_payout_gbp: '25.00' })
    expect((await createPayout(test, limited)).statusCode).toBe(201)
    const before = await balanceOf(test, partner)
    const refused = await createPayout(test, limited, { amount_gbp: '25.01' })
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'spending_limit_reached'])
    expect(refused.json().error.details).toEqual({
      limit: 'max_per_payout_gbp',
      limit_gbp: '25.00',
      used_gbp: '0.00',
      remaining_gbp: '25.00',
      resets_at: null,
    })
    expect(refused.json().error.message).toContain('Nothing was sent.')
    expect(await balanceOf(test, partner)).toBe(before)
    expect((await createPayout(test, partner, { amount_gbp: '25.01' })).statusCode).toBe(201)
  })

  it('pays so much per day in London, and again on the next', async () => {
    test.clock.set('2026-10-24T22:59:00Z')
    const { partner, limited } = await aLimitedKey({ daily_gbp: '60.00' })
    const pay = async () => (await createPayout(test, limited)).statusCode
    expect([await pay(), await pay(), await pay()]).toEqual([201, 201, 403])
    const { details } = (await createPayout(test, limited)).json().error
    expect(details).toEqual({
      limit: 'daily_gbp',
      limit_gbp: '60.00',
      used_gbp: '50.00',
      remaining_gbp: '10.00',
      resets_at: '2026-10-24T23:00:00.000Z',
    })
    expect((await createPayout(test, limited, { amount_gbp: '10.00' })).statusCode).toBe(201)
    expect((await createPayout(test, partner)).statusCode).toBe(201)
    // Summer time ends on this day: it has 25 hours.
    test.clock.set('2026-10-24T23:00:00Z')
    expect([await pay(), await pay(), await pay()]).toEqual([201, 201, 403])
    test.clock.set('2026-10-25T23:59:59Z')
    expect(await pay()).toBe(403)
    test.clock.set('2026-10-26T00:00:00Z')
    expect(await pay()).toBe(201)
  })

  it('pays so much per month in London', async () => {
    test.clock.set('2026-10-30T12:00:00Z')
    const { partner, limited } = await aLimitedKey({ monthly_gbp: '50.00' })
    const pay = async () => (await createPayout(test, limited)).statusCode
    expect(await pay()).toBe(201)
    test.clock.set('2026-10-31T12:00:00Z')
    expect([await pay(), await pay()]).toEqual([201, 403])
    expect((await createPayout(test, limited)).json().error.details).toMatchObject({
      limit: 'monthly_gbp',
      used_gbp: '50.00',
      remaining_gbp: '0.00',
      resets_at: '2026-11-01T00:00:00.000Z',
    })
    const admin = await signedIn(test, partner)
    expect(await keyOf(admin, limited.id)).toMatchObject({ spent_today_gbp: '25.00', spent_this_month_gbp: '50.00' })
    test.clock.set('2026-11-01T00:00:00Z')
    expect(await pay()).toBe(201)
    test.clock.set('2026-11-02T10:00:00Z')
  })

  it('counts a repeated request once, and answers it when there is no room left', async () => {
    const { limited, admin } = await aLimitedKey({ daily_gbp: '25.00' })
    const key = { 'idempotency-key': anIdempotencyKey() }
    const made = await createPayout(test, limited, {}, key)
    for (let count = 0; count < 3; count++) {
      const again = await createPayout(test, limited, {}, key)
      expect([again.statusCode, again.json().id]).toEqual([200, made.json().id])
    }
    expect((await keyOf(admin, limited.id)).spent_today_gbp).toBe('25.00')
    expect((await createPayout(test, limited, { amount_gbp: '1.00' })).statusCode).toBe(403)
  })

  it('gets its room back for a payout that fails, is cancelled, or was not sent, and takes it when that is tried again', async () => {
    const { limited, admin } = await aLimitedKey({ daily_gbp: '25.00' })
    const spent = async () => (await keyOf(admin, limited.id)).spent_today_gbp
    const failing = await createPayout(test, limited, { recipient: aRecipient({ account_number: '12340000' }) })
    await endOf(limited, failing.json().id, 'failed')
    expect(await spent()).toBe('0.00')
    const cancelled = await createPayout(test, limited, { reference: 'sandbox:cancel' })
    expect(await spent()).toBe('25.00')
    await endOf(limited, cancelled.json().id, 'cancelled')
    expect(await spent()).toBe('0.00')
    const key = { 'idempotency-key': anIdempotencyKey() }
    expect((await createPayout(test, limited, { reference: 'sandbox:down' }, key)).statusCode).toBe(502)
    expect(await spent()).toBe('0.00')
    expect((await createPayout(test, limited, { reference: 'sandbox:down' }, key)).statusCode).toBe(502)
    expect(await spent()).toBe('0.00')
    expect((await createPayout(test, limited)).statusCode).toBe(201)
    expect(await spent()).toBe('25.00')
    const over = await createPayout(test, limited, { reference: 'sandbox:down' }, key)
    expect(over.json().error.code).toBe('spending_limit_reached')
    expect(await spent()).toBe('25.00')
  })

  it('keeps its limits and what it has paid when it is rotated, both with the old key and with the new', async () => {
    const { limited, admin } = await aLimitedKey({ daily_gbp: '60.00', scopes: ['read', 'pay'] })
    await createPayout(test, limited)
    const url = `/v1/keys/${limited.id}/rotate`
    const rotated = await ask(test, admin, { method: 'POST', url, payload: { grace_seconds: 3_600 } })
    expect(rotated.json()).toMatchObject({ daily_gbp: '60.00', scopes: ['read', 'pay'] })
    const next = { key: rotated.json().secret as string }
    expect((await createPayout(test, next)).statusCode).toBe(201)
    expect((await createPayout(test, next)).json().error.details).toMatchObject({ used_gbp: '50.00' })
    expect((await createPayout(test, limited)).json().error.details).toMatchObject({ used_gbp: '50.00' })
    await change(admin, rotated.json().id, { daily_gbp: '50.00' })
    expect((await createPayout(test, limited, { amount_gbp: '5.00' })).statusCode).toBe(403)
  })
})

describe('a change of a key', () => {
  it('narrows at once, also below what was paid, and counts from when the first limit was set', async () => {
    const partner = await aPartner(test)
    const admin = await signedIn(test, partner)
    await createPayout(test, partner)
    const changed = await change(admin, partner.keyId, { daily_gbp: '30.00' })
    expect(changed.json()).toMatchObject({ id: partner.keyId, daily_gbp: '30.00', spent_today_gbp: '0.00' })
    expect((await createPayout(test, partner)).statusCode).toBe(201)
    expect((await change(admin, partner.keyId, { daily_gbp: '20.00' })).statusCode).toBe(200)
    expect((await createPayout(test, partner, { amount_gbp: '1.00' })).json().error.details).toMatchObject({
      used_gbp: '25.00',
      remaining_gbp: '0.00',
    })
    expect((await change(admin, partner.keyId, { daily_gbp: null })).json().daily_gbp).toBeNull()
    expect((await createPayout(test, partner)).statusCode).toBe(201)
    expect((await keyOf(admin, partner.keyId)).spent_today_gbp).toBe('50.00')
    const mail = await latestMail(test, admin.email)
    expect(mail.subject).toBe('A sandbox API key of “Thistle Market” was changed')
  })

  it('that widens a live key needs the mailed code, which fits exactly that; narrowing needs none', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner, '1000.00')
    const admin = await signedIn(test, partner)
    expect((await change(admin, live.keyId, { daily_gbp: '30.00', scopes: ['read', 'pay'] })).statusCode).toBe(200)
    const wider = [
      { daily_gbp: '30.01' },
      { daily_gbp: null },
      { scopes: ['read', 'pay', 'webhooks'] },
      { scopes: ['quote'] },
    ]
    for (const payload of wider) {
      const refused = await change(admin, live.keyId, payload)
      expect([payload, refused.json().error?.code]).toEqual([payload, 'confirm_code_required'])
    }
    const code = await aDoorCode(test, admin, { action: 'key.change', key_id: live.keyId, daily_gbp: '55.00' })
    const other = await change(admin, live.keyId, { daily_gbp: '56.00', confirm_code: code })
    expect(other.json().error.details).toMatchObject({ reason: 'changed' })
    expect((await keyOf(admin, live.keyId)).daily_gbp).toBe('30.00')
    expect((await createPayout(test, live)).statusCode).toBe(201)
    expect((await createPayout(test, live)).statusCode).toBe(403)
    expect((await change(admin, live.keyId, { daily_gbp: '55.00', confirm_code: code })).statusCode).toBe(200)
    expect((await createPayout(test, live)).statusCode).toBe(201)
    const none = await ask(test, admin, {
      method: 'POST',
      url: '/v1/confirm-codes',
      payload: { action: 'key.change', key_id: live.keyId, daily_gbp: '1.00' },
    })
    expect(none.json().error.message).toContain('needs no code')
  })

  it('is for admins, of a key that works, with values that make sense', async () => {
    const partner = await aPartner(test)
    const [admin, viewer] = [await signedIn(test, partner), await signedIn(test, partner, { role: 'viewer' })]
    const status = async (payload: object) => (await change(admin, partner.keyId, payload)).statusCode
    expect((await change(viewer, partner.keyId, { daily_gbp: '1.00' })).statusCode).toBe(403)
    const other = await aPartner(test)
    expect((await change(admin, other.keyId, { daily_gbp: '1.00' })).statusCode).toBe(404)
    expect(await status({ daily_gbp: '0.00' })).toBe(422)
    expect(await status({ daily_gbp: 5 })).toBe(422)
    expect(await status({ scopes: [] })).toBe(422)
    expect(await status({ scopes: ['everything'] })).toBe(422)
    expect(await status({ allowed_ips: ['somewhere'] })).toBe(422)
    expect(await status({ allowed_ips: [] })).toBe(422)
    expect(await status({ allowed_ips: Array.from({ length: 21 }, (_, nth) => `10.0.0.${nth}`) })).toBe(422)
    expect(await status({ expires_at: '2020-01-01T00:00:00Z' })).toBe(422)
    expect(await status({ expires_at: 'soon' })).toBe(422)
    expect(await sql(test, 'select 1 from spending_limits where partner_id = $1', [partner.id])).toEqual([])
    await ask(test, admin, { method: 'DELETE', url: `/v1/keys/${partner.keyId}` })
    expect(await status({ daily_gbp: '1.00' })).toBe(422)
  })
})

describe('a key', () => {
  it('that has expired is told so, and one that is rotated still ends when it would have', async () => {
    const at = new Date(test.clock.now().getTime() + 600_000).toISOString()
    const { limited, admin } = await aLimitedKey({ expires_at: at })
    expect((await get(test, limited, '/v1/account')).statusCode).toBe(200)
    const url = `/v1/keys/${limited.id}/rotate`
    const rotated = await ask(test, admin, { method: 'POST', url, payload: { grace_seconds: 3_600 } })
    expect(rotated.json().expires_at).toBe(at)
    test.clock.advance(600_000)
    for (const key of [limited.key, rotated.json().secret as string]) {
      const refused = await createPayout(test, { key })
      expect([refused.statusCode, refused.json().error.message]).toEqual([
        401,
        `This API key expired at ${at}. Create another in the dashboard.`,
      ])
    }
  })

  it('with networks works from those alone', async () => {
    const { partner, limited, admin } = await aLimitedKey({ allowed_ips: ['203.0.113.0/24', '2001:db8::/32'] })
    const before = await balanceOf(test, partner)
    const from = async (remoteAddress: string) =>
      (
        await test.app.inject({
          url: '/v1/account',
          remoteAddress,
          headers: { authorization: `Bearer ${limited.key}` },
        })
      ).statusCode
    expect([await from('203.0.113.9'), await from('::ffff:203.0.113.9'), await from('2001:db8::5')]).toEqual([
      200, 200, 200,
    ])
    const refused = await createPayout(test, limited)
    expect([refused.statusCode, refused.json().error]).toMatchObject([
      403,
      { code: 'address_not_allowed', details: { address: '127.0.0.1' } },
    ])
    expect(await from('203.0.114.9')).toBe(403)
    expect(await balanceOf(test, partner)).toBe(before)
    // Somebody elsewhere with the key uses up nothing of what its owner may ask for.
    const own = await startTestApp({ rateLimitPerSecond: 1 })
    const owner = await aPartner(own)
    await sql(own, `update api_keys set allowed_ips = '{203.0.113.0/24}' where id = $1`, [owner.keyId])
    const asked = async (remoteAddress: string) =>
      (await own.app.inject({ url: '/v1/account', remoteAddress, headers: { authorization: `Bearer ${owner.key}` } }))
        .statusCode
    for (let times = 0; times < 10; times++) expect(await asked('198.51.100.7')).toBe(403)
    expect(await asked('203.0.113.9')).toBe(200)
    await own.close()
    await change(admin, limited.id, { allowed_ips: null })
    expect((await createPayout(test, limited)).statusCode).toBe(201)
  })

  it('from before there were scopes may do what it did', async () => {
    const partner = await aPartner(test)
    const stored = await sql(test, 'select scopes, allowed_ips, spender_id from api_keys where id = $1', [
      partner.keyId,
    ])
    expect(stored).toEqual([{ scopes: null, allowed_ips: null, spender_id: null }])
    expect((await createPayout(test, partner)).statusCode).toBe(201)
    expect((await post(test, partner, '/v1/quotes', { amount_gbp: '25.00' })).statusCode).toBe(200)
  })
})
