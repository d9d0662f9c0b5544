import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, sql } from '../support/fixtures.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const read = (slug: string) => test.request({ url: `/v1/public/partners/${slug}` })

describe('GET /v1/public/partners/{slug}, 200', () => {
  it('shows a name to anybody, and nothing else of a partner without a logo', async () => {
    const partner = await aPartner(test, { slug: 'plain-face' })
    const reply = await read(partner.slug)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ slug: 'plain-face', name: 'Thistle Market', logo_url: null, brand_color: null })
  })

  it('shows the logo and the colour of a partner that has them', async () => {
    const partner = await aPartner(test, { slug: 'dressed-up' })
    const looks = ['https://cdn.thistle.test/logo.svg', '#2b4bd8']
    await sql(test, 'update partners set logo_url = $2, brand_color = $3 where id = $1', [partner.id, ...looks])
    const reply = await read(partner.slug)
    expect(reply.json()).toEqual({
      slug: 'dressed-up',
      name: 'Thistle Market',
      logo_url: 'https://cdn.thistle.test/logo.svg',
      brand_color: '#2b4bd8',
    })
  })

  it.each([
    { slug: 'ab', why: 'two characters are enough' },
    { slug: 'a'.repeat(40), why: 'forty characters fit' },
    { slug: '0-9', why: 'digits and hyphens are allowed' },
  ])('finds the slug $slug: $why', async ({ slug }) => {
    await aPartner(test, { slug })
    const reply = await read(slug)
    expect(reply.statusCode).toBe(200)
    expect(reply.json().slug).toBe(slug)
  })

  it('still shows a suspended partner, whose members must be able to sign in', async () => {
    const partner = await aPartner(test, { slug: 'suspended-one' })
    await sql(test, `update partners set status = 'suspended' where id = $1`, [partner.id])
    const reply = await read(partner.slug)
    expect(reply.statusCode).toBe(200)
  })
})

describe('GET /v1/public/partners/{slug}, 404', () => {
  it.each([
    { slug: 'nobody-here', why: 'unknown' },
    { slug: 'Plain-Face', why: 'upper case' },
    { slug: 'a', why: 'too short' },
    { slug: 'a'.repeat(41), why: 'too long' },
    { slug: 'a'.repeat(500), why: 'far too long' },
    { slug: 'under_score', why: 'a character that no slug has' },
    { slug: 'plain-face%00', why: 'NUL' },
    { slug: 'plain%2Fface', why: 'an encoded slash' },
    { slug: '%zz', why: 'not an encoding of anything' },
    { slug: '%ff%fe', why: 'not UTF-8' },
  ])('gives the one answer for what is not there to $slug: $why', async ({ slug }) => {
    const reply = await read(slug)
    expect(reply.statusCode).toBe(404)
    expect(reply.json().error.code).toBe('not_found')
    expect(withoutId(reply.body)).toBe(withoutId((await read('nobody-at-all')).body))
  })

  it('no longer shows a partner that is closed', async () => {
    const partner = await aPartner(test, { slug: 'closed-one' })
    await sql(test, `update partners set status = 'closed', closed_at = now() where id = $1`, [partner.id])
    const reply = await read(partner.slug)
    expect(reply.statusCode).toBe(404)
    expect(withoutId(reply.body)).toBe(withoutId((await read('nobody-at-all')).body))
  })
})

function withoutId(body: string): string {
  return body.replace(/"request_id":"[^"]+"/, '"request_id":"-"')
}
