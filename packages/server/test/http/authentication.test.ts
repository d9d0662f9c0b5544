import { connect } from 'node:net'

import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createKey } from '../../src/domain/api-keys/create-key.ts'
import { revokeKey } from '../../src/domain/api-keys/revoke-key.ts'
import { changePartnerStatus } from '../../src/domain/partners/change-partner.ts'
import { findPartner } from '../../src/domain/partners/find-partner.ts'
import { setLogo } from '../../src/domain/partners/logo.ts'
import { addAuthentication } from '../../src/http/access/authenticate.ts'
import { PUBLIC_URL, type TestApp, startTestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  aPayoutBody,
  anIdempotencyKey,
  balanceOf,
  createPayout,
  get,
  sql,
} from '../support/fixtures.ts'
import { PNG } from '../support/images.ts'
import { signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
})
afterAll(() => test.close())

const read = (authorization: string | undefined) =>
  test.request({ url: '/v1/account', headers: authorization === undefined ? {} : { authorization } })

const hex = () => partner.key.slice(-48)

describe('an API key, 200', () => {
  it.each([
    { scheme: 'Bearer ', why: 'as it is written' },
    { scheme: 'bearer ', why: 'lower case' },
    { scheme: 'BEARER ', why: 'upper case' },
    { scheme: 'Bearer   ', why: 'several spaces' },
  ])('is accepted after $scheme: $why', async ({ scheme }) => {
    const reply = await read(`${scheme}${partner.key}`)
    expect(reply.statusCode).toBe(200)
    expect(reply.json().id).toBe(partner.id)
  })
})

describe('a new business', () => {
  it('is known at once to a process whose clock is a little behind, by key and by session', async () => {
    const fresh = await aPartner(test)
    const session = await signedIn(test, fresh)
    test.clock.advance(-5_000)
    const replies = [
      await get(test, fresh, '/v1/account'),
      await createPayout(test, fresh),
      await test.request({ url: '/v1/account', headers: { cookie: session.cookie } }),
    ]
    test.clock.advance(5_000)
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 201, 200])
    expect(replies[0]!.json()).toEqual((await get(test, fresh, '/v1/account')).json())
  })
})

describe('an API key, 401', () => {
  it.each<{ header: () => string | undefined; why: string }>([
    { header: () => undefined, why: 'there is no header' },
    { header: () => '', why: 'the header is empty' },
    { header: () => 'Bearer', why: 'there is no key' },
    { header: () => 'Bearer ', why: 'there is only a space' },
    { header: () => partner.key, why: 'there is no scheme' },
    { header: () => `Basic ${partner.key}`, why: 'it is another scheme' },
    { header: () => `Basic ${Buffer.from(`${partner.key}:`).toString('base64')}`, why: 'it is a password' },
    { header: () => `Bearer: ${partner.key}`, why: 'the scheme has a colon' },
    { header: () => `Bearer\t${partner.key}`, why: 'there is a tab' },
    { header: () => `Bearer ${partner.key} x`, why: 'something follows' },
    { header: () => `Bearer ${partner.key},Bearer ${partner.key}`, why: 'there are two' },
    { header: () => `Bearer "${partner.key}"`, why: 'it is quoted' },
    { header: () => `Bearer ${partner.key.toUpperCase()}`, why: 'it is in upper case' },
    { header: () => `Bearer ${partner.key.slice(0, -1)}`, why: 'a digit is missing' },
    { header: () => `Bearer ${partner.key}0`, why: 'there is a digit too many' },
    { header: () => `Bearer kp_test_${hex()}`, why: 'there is no such environment' },
    { header: () => `Bearer ${hex()}`, why: 'it has no prefix' },
    { header: () => `Bearer kp_sandbox_${'g'.repeat(48)}`, why: 'it is not hexadecimal' },
    { header: () => `Bearer kp_sandbox_${'0'.repeat(48)}`, why: 'nobody has it' },
    { header: () => `Bearer kp_live_${hex()}`, why: 'it is the key of the other environment' },
  ])('is refused when $why', async ({ header }) => {
    const reply = await read(header())
    expect(reply.statusCode).toBe(401)
    expect(reply.json().error.code).toBe('unauthorized')
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="Kestrel Payouts"')
  })

  it('is not shown again in the refusal', async () => {
    const { body } = await read(`Bearer kp_live_${hex()}`)
    expect(body).not.toContain(hex().slice(0, 8))
  })

  it('is refused from the moment it is revoked, and its payouts stand', async () => {
    const own = await aPartner(test)
    const other = await createKey(test.deps, {
      partner: await findPartner(test.deps, own.slug),
      environment: 'sandbox',
      label: null,
    })
    const payout = (await createPayout(test, { key: other.secret })).json()
    await revokeKey(test.deps, other.id)
    const before = await balanceOf(test, own)
    expect((await createPayout(test, { key: other.secret })).statusCode).toBe(401)
    expect(await balanceOf(test, own)).toBe(before)
    expect((await get(test, own, `/v1/payouts/${payout.id}`)).statusCode).toBe(200)
  })

  it('is told apart from a revoked one by nobody: unknown and revoked give the same answer', async () => {
    const own = await aPartner(test)
    await revokeKey(test.deps, own.keyId)
    const withoutId = (body: string) => body.replace(/"request_id":"[^"]+"/, '')
    const [revoked, unknown] = [await read(`Bearer ${own.key}`), await read(`Bearer kp_sandbox_${'0'.repeat(48)}`)]
    expect(withoutId(revoked.body)).toBe(withoutId(unknown.body))
  })

  it('is refused in the query and in other headers', async () => {
    expect((await test.request({ url: `/v1/account?api_key=${partner.key}` })).statusCode).toBe(401)
    expect((await test.request({ url: '/v1/account', headers: { 'x-api-key': partner.key } })).statusCode).toBe(401)
  })

  it.each(['first', 'second'])('is refused when two headers come and the %s is a good one', async (which) => {
    const own = await startTestApp()
    const { key } = await aPartner(own)
    await own.app.listen({ port: 0, host: '127.0.0.1' })
    const good = `Authorization: Bearer ${key}`
    const bad = `Authorization: Bearer kp_sandbox_${'0'.repeat(48)}`
    const [first, second] = which === 'first' ? [good, bad] : [bad, good]
    const answer = await talk(
      own,
      `GET /v1/account HTTP/1.1\r\nHost: x\r\n${first}\r\n${second}\r\nConnection: close\r\n\r\n`,
    )
    await own.close()
    expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 401 Unauthorized')
  })
})

describe('a partner that is not active, 403', () => {
  it.each(['suspended', 'closed'])('is told that it is %s, and nothing is done', async (status) => {
    const own = await aPartner(test)
    await sql(
      test,
      `update partners set status = $2, closed_at = case when $2 = 'closed' then now() end where id = $1`,
      [own.id, status],
    )
    const before = await balanceOf(test, own)
    const reply = await createPayout(test, own)
    expect(reply.statusCode).toBe(403)
    expect(reply.json().error.code).toBe('partner_not_active')
    expect(reply.json().error.message).toContain(status)
    expect(await balanceOf(test, own)).toBe(before)
  })

  it('can go on when it is active again, and its payouts went on meanwhile', async () => {
    const own = await aPartner(test)
    const { id } = (await createPayout(test, own)).json()
    await changePartnerStatus(test.deps, own.slug, 'suspended')
    test.clock.advance(2_000)
    await test.follow()
    await changePartnerStatus(test.deps, own.slug, 'active')
    expect((await get(test, own, `/v1/payouts/${id}`)).json().status).toBe('completed')
  })
})

/** The table of the specification, part 4: what needs no key. Whoever adds to it has a reason to give. */
const OPEN = [
  'GET /',
  // With which anybody can verify a signed head, a receipt's link, or a message that came to a webhook.
  'GET /.well-known/kestrel-signing-keys',
  'GET /.well-known/kestrel-webhook-keys/{endpoint_id}',
  'GET /v1',
  'GET /v1/auth/options',
  'GET /v1/public/partners/{slug}',
  'GET /v1/public/partners/{slug}/logo',
  // Whoever is given a receipt has no account. What opens it is our signature.
  'GET /v1/receipts/{token}',
  // Signing in: whoever does it has nothing yet.
  'POST /v1/auth/code',
  'POST /v1/auth/session',
  'POST /v1/auth/sign-up',
]
/** And what must be there, behind a key. */
const BEHIND_A_KEY = [
  'GET /v1/account',
  'GET /v1/activity',
  'GET /v1/balance',
  'GET /v1/compliance',
  'GET /v1/invoices',
  'GET /v1/keys',
  'GET /v1/payouts',
  'GET /v1/payouts/{id}',
  'GET /v1/recipients',
  'GET /v1/usage',
  'POST /v1/payouts',
  'POST /v1/quotes',
]

describe('every published operation', () => {
  interface Published {
    readonly name: string
    readonly isOpen: boolean
    readonly method: string
    readonly url: string
  }

  function published(): Published[] {
    const { paths } = test.app.swagger() as unknown as {
      paths: Record<string, Record<string, { security?: object[] }>>
    }
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        isOpen: operation.security?.length === 0,
        method: method.toUpperCase(),
        url: path.replace('{slug}', partner.slug).replaceAll(/\{[^}]+\}/g, '019a8a00-0000-7000-8000-000000000000'),
      })),
    )
  }

  const send = ({ method, url }: Published, key: string | null) =>
    test.request({
      method: method as 'GET',
      url,
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), 'idempotency-key': anIdempotencyKey() },
      ...(method === 'GET' ? {} : { payload: aPayoutBody() }),
    })

  it('of the specification is there, and only what must be is open to anybody', () => {
    expect(
      published()
        .filter(({ isOpen }) => isOpen)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(OPEN)
    expect(published().map(({ name }) => name)).toEqual(expect.arrayContaining(BEHIND_A_KEY))
  })

  it('that is not open answers 401 without a key, whatever else is wrong', async () => {
    const behind = published().filter(({ isOpen }) => !isOpen)
    expect(behind.length).toBeGreaterThanOrEqual(BEHIND_A_KEY.length)
    for (const operation of behind) {
      const reply = await send(operation, null)
      expect([operation.name, reply.statusCode, reply.json().error.code]).toEqual([operation.name, 401, 'unauthorized'])
    }
  })

  it('that is open answers without a key', async () => {
    await setLogo(test.deps, partner.id, { image: PNG, type: 'image/png' })
    for (const operation of published().filter(({ isOpen }) => isOpen)) {
      // What is sent is no body for signing in and no receipt, and nobody asks for a key first.
      const expected = operation.method !== 'GET' ? 422 : operation.url.startsWith('/v1/receipts/') ? 404 : 200
      expect([operation.name, (await send(operation, null)).statusCode]).toEqual([operation.name, expected])
    }
  })

  it('that is not open answers 403 to a suspended partner, and activity has each of them', async () => {
    const own = await aPartner(test)
    await changePartnerStatus(test.deps, own.slug, 'suspended')
    const behind = published().filter(({ isOpen }) => !isOpen)
    for (const operation of behind) {
      const reply = await send(operation, own.key)
      expect([operation.name, reply.statusCode, reply.json().error.code]).toEqual([
        operation.name,
        403,
        'partner_not_active',
      ])
    }
    await test.deps.activity.flush()
    const recorded = await sql<{ action: string; status: number; detail: string }>(
      test,
      `select action, status, detail from activity where partner_id = $1 and by <> 'operator'`,
      [own.id],
    )
    // The deliveries of one endpoint and those of all are one action, and its refusals are counted together.
    expect(recorded.length).toBe(behind.length - 1)
    expect(new Set(recorded.map(({ status, detail }) => `${status} ${detail}`))).toEqual(
      new Set(['403 partner_not_active', '403 partner_not_active, 2 requests within a minute']),
    )
    expect(new Set(recorded.map(({ action }) => action)).size).toBe(behind.length - 1)
  })

  it('does not start without a rule: who may call it, and what activity calls it', () => {
    const app = Fastify()
    addAuthentication(app, test.deps, { limits: null, gate: null, publicUrl: PUBLIC_URL })
    const handler = () => 'open to anybody by oversight'
    expect(() => app.get('/v1/new', handler)).toThrow('GET /v1/new must say who may call it')
    expect(() => app.get('/v1/new', { config: { auth: 'key' }, handler })).toThrow('what activity calls it')
  })
})

/** Sends bytes to the listening service and gives back all that it answers. */
function talk(own: TestApp, bytes: string): Promise<string> {
  const { port } = own.app.server.address() as { port: number }
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let answer = ''
    socket.on('data', (data) => (answer += data.toString()))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}
