import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { PUBLIC_URL, type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, get, sql } from '../support/fixtures.ts'
import { JPEG, PNG, WEBP, plainPng } from '../support/images.ts'
import { type TestMember, aDoorCode, ask, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
let admin: TestMember
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
  admin = await signedIn(test, partner)
})
afterAll(() => test.close())

const change = (payload: object, member: Pick<TestMember, 'cookie'> = admin, headers: Record<string, string> = {}) =>
  ask(test, member, { method: 'PATCH', url: '/v1/settings', payload, headers })

function upload(
  image: Buffer,
  type: string,
  member: Pick<TestMember, 'cookie'> = admin,
): Promise<LightMyRequestResponse> {
  const headers = { cookie: member.cookie, origin: PUBLIC_URL, 'content-type': type }
  return test.request({ method: 'PUT', url: '/v1/settings/logo', headers, payload: image })
}

const removal = (member: Pick<TestMember, 'cookie'> = admin) =>
  ask(test, member, { method: 'DELETE', url: '/v1/settings/logo' })

describe('GET /v1/settings', () => {
  it('shows a key, an admin and a viewer the same', async () => {
    const own = await aPartner(test)
    const expected = {
      object: 'settings',
      name: 'Thistle Market',
      slug: own.slug,
      logo_url: null,
      brand_color: null,
      billing_email: 'finance@thistle.test',
      contact_email: 'finance@thistle.test',
      billing_name: null,
      billing_address: [],
      vat_number: null,
      low_balance_usdc: null,
    }
    expect((await get(test, own, '/v1/settings')).json()).toEqual(expected)
    for (const role of ['admin', 'viewer'] as const) {
      const member = await signedIn(test, own, { role })
      expect((await ask(test, member, { url: '/v1/settings' })).json()).toEqual(expected)
    }
  })

  it('wants a caller', async () => {
    expect((await test.request({ url: '/v1/settings' })).statusCode).toBe(401)
  })
})

describe('PATCH /v1/settings', () => {
  it('changes what it names and nothing else, and keeps it', async () => {
    const reply = await change({ name: ' Thistle & Co ', brand_color: '#2B4BD8', low_balance_usdc: '500.00' })
    expect(reply.statusCode).toBe(200)
    const expected = { name: 'Thistle & Co', brand_color: '#2b4bd8', low_balance_usdc: '500.00' }
    expect(reply.json()).toMatchObject({ ...expected, billing_email: 'finance@thistle.test' })
    expect((await get(test, partner, '/v1/settings')).json()).toEqual(reply.json())
    expect((await get(test, partner, '/v1/account')).json().name).toBe('Thistle & Co')
    const addresses = { billing_email: 'Bills@Thistle.test', contact_email: 'us@thistle.test' }
    const confirm_code = await aDoorCode(test, admin, { action: 'settings.change', ...addresses })
    const emails = await change({ ...addresses, confirm_code })
    expect(emails.json()).toMatchObject({
      ...expected,
      billing_email: 'bills@thistle.test',
      contact_email: 'us@thistle.test',
    })
  })

  it('keeps to whom invoices are made out, and takes that away again', async () => {
    const billed = {
      billing_name: 'Thistle Trading Ltd',
      billing_address: ['1 High Street', 'Leeds'],
      vat_number: 'GB1',
    }
    expect((await change({ ...billed, billing_address: [' 1 High Street', 'Leeds '] })).json()).toMatchObject(billed)
    const none = { billing_name: null, billing_address: [], vat_number: null }
    expect((await change(none)).json()).toMatchObject(none)
  })

  it('takes a colour and a limit away with null, and changes nothing with nothing', async () => {
    const before = (await change({})).json()
    const after = (await change({ brand_color: null, low_balance_usdc: null })).json()
    expect(after).toEqual({ ...before, brand_color: null, low_balance_usdc: null })
  })

  it('is in activity with what changed, and what it was before', async () => {
    const contact_email = 'questions@thistle.test'
    const before = (await get(test, partner, '/v1/settings')).json<{ contact_email: string }>().contact_email
    const confirm_code = await aDoorCode(test, admin, { action: 'settings.change', contact_email })
    await change({ contact_email, name: 'Thistle Market', confirm_code })
    const { body } = await get(test, partner, '/v1/activity?limit=1')
    expect(JSON.parse(body).data).toMatchObject([
      { action: 'settings.change', by: admin.email, status: 200, detail: 'contact_email, name' },
    ])
    expect(JSON.parse(body).data[0].changes).toContainEqual({
      field: 'contact_email',
      before,
      after: contact_email,
    })
  })

  it("never touches another partner's", async () => {
    const other = await aPartner(test)
    const before = (await get(test, other, '/v1/settings')).json()
    await change({ name: 'Only ours' })
    expect((await get(test, other, '/v1/settings')).json()).toEqual(before)
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(121) }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ name: null }, 'name'],
    [{ brand_color: 'blue' }, 'brand_color'],
    [{ brand_color: '#fff' }, 'brand_color'],
    [{ brand_color: '#2b4bd8;' }, 'brand_color'],
    [{ billing_email: 'nobody' }, 'billing_email'],
    [{ contact_email: null }, 'contact_email'],
    [{ low_balance_usdc: '500' }, 'low_balance_usdc'],
    [{ low_balance_usdc: 500 }, 'low_balance_usdc'],
    [{ low_balance_usdc: '-1.00' }, 'low_balance_usdc'],
    [{ billing_name: ' ' }, 'billing_name'],
    [{ billing_address: null }, 'billing_address'],
    [{ billing_address: ['a\nb'] }, 'billing_address.0'],
    [{ billing_address: Array.from({ length: 7 }, () => 'line') }, 'billing_address'],
    [{ vat_number: 'x'.repeat(31) }, 'vat_number'],
    [{ slug: 'another' }, 'slug'],
    [{ logo_url: 'https://elsewhere.example/logo.svg' }, 'logo_url'],
  ])('refuses %j', async (payload, field) => {
    const reply = await change(payload)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.code).toBe('invalid_request')
    expect(reply.json().error.details.fields[0].startsWith(`${field} (`)).toBe(true)
  })

  it('is for admins who are signed in here', async () => {
    const viewer = await signedIn(test, partner, { role: 'viewer' })
    const refused = await change({ name: 'Mine' }, viewer)
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'api_key_required'])
    const elsewhere = await change({ name: 'Mine' }, admin, { origin: 'https://elsewhere.example' })
    expect([elsewhere.statusCode, elsewhere.json().error.code]).toEqual([403, 'cross_site_request'])
    const headers = { authorization: `Bearer ${partner.key}` }
    const byKey = await test.request({ method: 'PATCH', url: '/v1/settings', headers, payload: { name: 'Mine' } })
    expect([byKey.statusCode, byKey.json().error.message]).toEqual([403, 'Sign in to the dashboard to do this.'])
  })
})

describe('PUT /v1/settings/logo', () => {
  it.each([
    ['image/png', PNG],
    ['image/jpeg', JPEG],
  ])('draws a %s anew, keeps that, and anybody can see it', async (type, image) => {
    const reply = await upload(image, type)
    expect(reply.statusCode).toBe(200)
    const url = reply.json().logo_url as string
    expect(url).toMatch(new RegExp(`^${PUBLIC_URL}/v1/public/partners/${partner.slug}/logo\\?v=[0-9a-f]{16}$`))
    const face = (await test.request({ url: `/v1/public/partners/${partner.slug}` })).json()
    expect(face.logo_url).toBe(url)
    const shown = await test.request({ url: url.slice(PUBLIC_URL.length) })
    expect(shown.statusCode).toBe(200)
    expect(shown.rawPayload.equals(image)).toBe(false)
    expect(shown.rawPayload.toString('latin1', 1, 4)).toBe('PNG')
    expect(shown.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  it('is another address for another image, and the plain address always has the newest', async () => {
    const first = (await upload(PNG, 'image/png')).json().logo_url
    const second = (await upload(plainPng(48, 16), 'image/png')).json().logo_url
    expect(second).not.toBe(first)
    const url = `/v1/public/partners/${partner.slug}/logo`
    const plain = await test.request({ url })
    expect(plain.rawPayload).toEqual((await test.request({ url: second.slice(PUBLIC_URL.length) })).rawPayload)
    expect(plain.headers['cache-control']).toBe('no-cache')
    const known = await test.app.inject({ url, headers: { 'if-none-match': plain.headers['etag'] as string } })
    expect([known.statusCode, known.body]).toEqual([304, ''])
    // The address of an image that is no longer there must not keep the new one under its name.
    const stale = await test.request({ url: first.slice(PUBLIC_URL.length) })
    expect(stale.headers['cache-control']).toBe('no-cache')
  })

  it.each([
    [
      'image/png',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'something else under the name of an image',
    ],
    ['image/png', JPEG, 'another image than it says'],
    ['image/jpeg', Buffer.alloc(0), 'nothing'],
  ])('refuses as %s what is not: %s', async (type, image) => {
    const reply = await upload(image, type)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.details).toMatchObject({
      fields: ['(body) (the bytes of an image, as its Content-Type says)'],
    })
  })

  it.each([
    ['image/svg+xml', PNG],
    ['image/gif', PNG],
    ['image/webp', WEBP],
    ['application/json', PNG],
    ['text/html', PNG],
  ])('refuses %s', async (type, image) => {
    const reply = await upload(image, type)
    expect(reply.statusCode).toBe(415)
    expect(reply.json().error.message).toBe('Send the logo as image/png or image/jpeg, with that Content-Type.')
  })

  it('takes 200 KiB and not a byte more', async () => {
    const padded = (bytes: number) => Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)])
    expect((await upload(padded(204_800), 'image/png')).statusCode).toBe(200)
    const reply = await upload(padded(204_801), 'image/png')
    expect(reply.statusCode).toBe(413)
    expect(reply.json().error.message).toBe('The body is larger than 200 KiB.')
  })

  it('is for admins', async () => {
    const viewer = await signedIn(test, partner, { role: 'viewer' })
    expect((await upload(PNG, 'image/png', viewer)).statusCode).toBe(403)
    expect((await removal(viewer)).statusCode).toBe(403)
    const headers = { authorization: `Bearer ${partner.key}`, 'content-type': 'image/png' }
    const byKey = await test.request({ method: 'PUT', url: '/v1/settings/logo', headers, payload: PNG })
    expect(byKey.statusCode).toBe(403)
  })
})

describe('a logo', () => {
  it('can be taken away, twice', async () => {
    await upload(PNG, 'image/png')
    for (let time = 0; time < 2; time++) expect((await removal()).json().logo_url).toBeNull()
    expect((await test.request({ url: `/v1/public/partners/${partner.slug}/logo` })).statusCode).toBe(404)
  })

  it('is nowhere for an unknown, a closed and an impossible partner', async () => {
    const own = await aPartner(test)
    await upload(PNG, 'image/png', await signedIn(test, own))
    await sql(test, `update partners set status = 'closed', closed_at = now() where id = $1`, [own.id])
    for (const slug of [own.slug, 'nobody-here', 'A', '%00']) {
      expect((await test.request({ url: `/v1/public/partners/${slug}/logo` })).statusCode).toBe(404)
    }
  })
})
