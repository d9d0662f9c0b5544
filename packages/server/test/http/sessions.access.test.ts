// The dashboard uses the API's own endpoints: what a session may do there, in which environment, and from where.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { changePartnerStatus } from '../../src/domain/partners/change-partner.ts'
import { PUBLIC_URL, type TestApp, startTestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  aPayoutBody,
  anIdempotencyKey,
  anObligingRail,
  createPayout,
  get,
  inLive,
  sql,
} from '../support/fixtures.ts'
import { type TestMember, ask, signedIn } from '../support/sessions.ts'

const HOUR = 60 * 60 * 1_000

let test: TestApp
let partner: TestPartner
let admin: TestMember
let viewer: TestMember
beforeAll(async () => {
  test = await startTestApp({ liveRail: anObligingRail() })
  partner = await aPartner(test)
  admin = await signedIn(test, partner)
  viewer = await signedIn(test, partner, { role: 'viewer' })
})
afterAll(() => test.close())

const READS = [
  '/v1/account',
  '/v1/activity',
  '/v1/balance',
  '/v1/compliance',
  '/v1/funding',
  '/v1/invoices',
  '/v1/keys',
  '/v1/payouts',
  '/v1/recipients',
  '/v1/usage',
]

const pay = (member: Pick<TestMember, 'cookie'>, headers: Record<string, string> = {}, url = '/v1/payouts') =>
  ask(test, member, {
    method: 'POST',
    url,
    payload: aPayoutBody(),
    headers: { 'idempotency-key': anIdempotencyKey(), ...headers },
  })

describe('a session', () => {
  it.each(READS)('reads %s, an admin as well as a viewer', async (url) => {
    for (const member of [admin, viewer]) {
      expect((await ask(test, member, { url })).statusCode).toBe(200)
      expect((await ask(test, member, { url: `${url}?environment=live` })).statusCode).toBe(200)
    }
  })

  it('looks at sandbox unless it asks for live, and nothing is in both', async () => {
    const own = await aPartner(test)
    const member = await signedIn(test, own)
    const { id } = (await createPayout(test, own)).json()
    const environments = async (query: string) =>
      (await ask(test, member, { url: `/v1/account${query}` })).json().environment
    expect(await environments('')).toBe('sandbox')
    expect(await environments('?environment=sandbox')).toBe('sandbox')
    expect(await environments('?environment=live')).toBe('live')
    expect((await ask(test, member, { url: `/v1/payouts/${id}` })).statusCode).toBe(200)
    expect((await ask(test, member, { url: `/v1/payouts/${id}?environment=live` })).statusCode).toBe(404)
    expect((await ask(test, member, { url: '/v1/payouts?environment=live' })).json().data).toEqual([])
  })

  it('that asks for another environment, or for two, is refused', async () => {
    for (const query of ['environment=test', 'environment=live&environment=sandbox', 'environment=']) {
      expect((await ask(test, admin, { url: `/v1/account?${query}` })).statusCode).toBe(422)
    }
  })

  it('of one partner sees nothing of another', async () => {
    const { id } = (await createPayout(test, await aPartner(test))).json()
    expect((await ask(test, admin, { url: `/v1/payouts/${id}` })).statusCode).toBe(404)
  })

  it('of an admin creates a payout, and the payout and activity say how and by whom', async () => {
    const reply = await pay(admin)
    expect(reply.statusCode).toBe(201)
    expect(reply.json().created_via).toBe('dashboard')
    const [newest] = (await ask(test, admin, { url: '/v1/activity' })).json().data
    expect(newest).toMatchObject({ action: 'payout.create', by: admin.email, detail: reply.json().id, status: 201 })
  })

  it('of a viewer asks for quotes', async () => {
    const quote = { method: 'POST', url: '/v1/quotes', payload: { amount_gbp: '25.00' } } as const
    expect((await ask(test, viewer, quote)).statusCode).toBe(200)
  })

  it.each([
    ['/v1/payouts', 'create a payout'],
    ['/v1/payouts/019a8a00-0000-7000-8000-000000000000/cancel', 'cancel a payout'],
    ['/v1/compliance/verification', 'start business verification'],
  ])('of a viewer is refused at POST %s, and told whom to ask', async (url, what) => {
    const headers = { 'idempotency-key': anIdempotencyKey() }
    const reply = await ask(test, viewer, { method: 'POST', url, payload: aPayoutBody(), headers })
    expect(reply.statusCode).toBe(403)
    expect(reply.json().error).toMatchObject({
      code: 'api_key_required',
      message: `Only admins can ${what}. Ask an admin of Thistle Market. Nothing was done.`,
    })
  })

  it('has the role that the team gives it now, not the one it began with', async () => {
    const member = await signedIn(test, partner, { role: 'viewer' })
    const setRole = (role: string) =>
      sql(test, 'update members set role = $3 where partner_id = $1 and email = $2', [partner.id, member.email, role])
    expect((await pay(member)).statusCode).toBe(403)
    await setRole('admin')
    expect((await pay(member)).statusCode).toBe(201)
    await setRole('viewer')
    expect((await pay(member)).statusCode).toBe(403)
  })

  it('ends with the membership', async () => {
    const member = await signedIn(test, partner)
    await sql(test, 'delete from members where partner_id = $1 and email = $2', [partner.id, member.email])
    expect((await ask(test, member, { url: '/v1/account' })).statusCode).toBe(401)
  })

  it('of a suspended partner is told so', async () => {
    const own = await aPartner(test)
    const member = await signedIn(test, own)
    await changePartnerStatus(test.deps, own.slug, 'suspended')
    const reply = await ask(test, member, { url: '/v1/balance' })
    expect([reply.statusCode, reply.json().error.code]).toEqual([403, 'partner_not_active'])
  })

  it('reads live before the business is verified, and cannot pay there', async () => {
    const reply = await pay(admin, {}, '/v1/payouts?environment=live')
    expect(reply.statusCode).toBe(403)
    expect(reply.json().error.code).toBe('api_key_required')
    expect(reply.json().error.message).toContain('business verification is approved; it is not_started now')
  })
})

describe('a key beside a session', () => {
  it('decides, in its own environment', async () => {
    const live = await inLive(test, await aPartner(test))
    const headers = { authorization: `Bearer ${live.key}` }
    const reply = await ask(test, admin, { url: '/v1/account?environment=sandbox', headers })
    expect(reply.json()).toMatchObject({ id: live.id, environment: 'live' })
  })

  it('that is not good is not made good by the session', async () => {
    const headers = { authorization: `Bearer kp_sandbox_${'0'.repeat(48)}` }
    expect((await ask(test, admin, { url: '/v1/account', headers })).statusCode).toBe(401)
  })
})

describe('a session, 401', () => {
  it.each([
    ['unknown', () => `kestrel_session=${'A'.repeat(43)}`],
    ['empty', () => 'kestrel_session='],
    ['too long', () => `${admin.cookie}A`],
    ['named otherwise', () => admin.cookie.replace('kestrel', 'other')],
    ['one of two different ones', () => `${admin.cookie}; ${viewer.cookie}`],
  ])('is refused when its cookie is %s', async (_why, cookie) => {
    const reply = await ask(test, { cookie: cookie() }, { url: '/v1/account' })
    expect([reply.statusCode, reply.json().error.code]).toEqual([401, 'unauthorized'])
  })

  it('ends after twelve hours without use, and its cookie is taken back', async () => {
    const own = await startTestApp()
    const member = await signedIn(own, await aPartner(own))
    own.clock.advance(12 * HOUR - 5_000)
    expect((await ask(own, member, { url: '/v1/account' })).statusCode).toBe(200)
    own.clock.advance(12 * HOUR)
    const reply = await ask(own, member, { url: '/v1/account' })
    expect(reply.statusCode).toBe(401)
    expect(reply.json().error.message).toBe('This session has ended. Sign in again.')
    expect(reply.headers['set-cookie']).toBe('kestrel_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
    await own.close()
  })

  it('ends after seven days however much it is used', async () => {
    const own = await startTestApp()
    const member = await signedIn(own, await aPartner(own))
    for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
      own.clock.advance(6 * HOUR)
      expect((await ask(own, member, { url: '/v1/account' })).statusCode).toBe(200)
    }
    own.clock.advance(6 * HOUR)
    expect((await ask(own, member, { url: '/v1/account' })).statusCode).toBe(401)
    await own.close()
  })

  it('writes down that it was used at most once a minute', async () => {
    const member = await signedIn(test, partner)
    const seen = async () =>
      (
        await sql<{ seen: Date }>(test, 'select last_seen_at as seen from sessions where id = $1', [member.sessionId])
      )[0]!.seen.getTime()
    const began = await seen()
    await ask(test, member, { url: '/v1/account' })
    expect(await seen()).toBe(began)
    test.clock.advance(60_000)
    await ask(test, member, { url: '/v1/account' })
    expect(await seen()).toBeGreaterThanOrEqual(began + 60_000)
  })
})

describe('a page of one business in a session that has turned to another, 403', () => {
  const named = (slug: string) => ({ 'kestrel-business': slug })

  async function someoneWhoTurned() {
    const [first, second] = [await aPartner(test), await aPartner(test)]
    const member = await signedIn(test, first)
    await signedIn(test, second, { email: member.email })
    await ask(test, member, { method: 'PATCH', url: '/v1/auth/session', payload: { partner: second.slug } })
    return { first, second, member }
  }

  it('reads nothing and pays nothing', async () => {
    const { first, second, member } = await someoneWhoTurned()
    const [read, paid] = [
      await ask(test, member, { url: '/v1/balance', headers: named(first.slug) }),
      await pay(member, named(first.slug)),
    ]
    for (const reply of [read, paid]) {
      expect([reply.statusCode, reply.json().error.code]).toEqual([403, 'business_changed'])
      expect(reply.json().error.message).toContain(first.slug)
    }
    for (const each of [first, second]) expect((await get(test, each, '/v1/payouts')).json().data).toEqual([])
  })

  it('works for the business it is in, and when it names none', async () => {
    const { second, member } = await someoneWhoTurned()
    expect((await pay(member, named(second.slug))).statusCode).toBe(201)
    expect((await pay(member)).statusCode).toBe(201)
  })

  it('is told so before the rules of the other business', async () => {
    const { first, second, member } = await someoneWhoTurned()
    await changePartnerStatus(test.deps, second.slug, 'suspended')
    expect((await pay(member, named(first.slug))).json().error.code).toBe('business_changed')
  })

  it('never says back what cannot be a business', async () => {
    const reply = await ask(test, admin, { url: '/v1/account', headers: named('<b>x</b>') })
    expect(reply.statusCode).toBe(403)
    expect(reply.body).not.toContain('<b>')
  })

  it('does not concern API keys, which belong to one business', async () => {
    expect((await createPayout(test, partner, {}, named('somebody-else'))).statusCode).toBe(201)
  })
})

describe('a session used from another site, 403', () => {
  const from = (headers: Record<string, string>) => pay(admin, headers)

  it.each<[string, Record<string, string>]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that only begins like ours', { origin: `${PUBLIC_URL}.evil.example` }],
    ['our host over another scheme', { origin: PUBLIC_URL.replace('http:', 'https:') }],
    ['our host at another port', { origin: 'http://localhost:3001' }],
    ['no origin at all', { origin: '' }],
    ['a page that hides its origin', { origin: 'null' }],
    ['a sibling domain', { 'sec-fetch-site': 'same-site' }],
    ['another site, whatever the origin says', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused: %s', async (_why, headers) => {
    const reply = await from(headers)
    expect([reply.statusCode, reply.json().error.code]).toEqual([403, 'cross_site_request'])
  })

  it('is accepted from our own pages, also at the address that the browser used', async () => {
    expect((await from({})).statusCode).toBe(201)
    expect((await from({ 'sec-fetch-site': 'none' })).statusCode).toBe(201)
    expect((await from({ origin: 'http://tunnel.example:8080', host: 'tunnel.example:8080' })).statusCode).toBe(201)
  })

  it('reads all the same: reading changes nothing, and no other page can see the answer', async () => {
    const reply = await ask(test, admin, { url: '/v1/account', headers: { origin: 'https://evil.example' } })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['access-control-allow-origin']).toBe(undefined)
  })

  it('does not concern API keys, which no browser sends by itself', async () => {
    expect((await createPayout(test, partner, {}, { origin: 'https://shop.example' })).statusCode).toBe(201)
  })
})
