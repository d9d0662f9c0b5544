// Logos from people who mean harm, and those that were kept before pictures were made anew.
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { remakeOldLogos } from '../../src/domain/partners/logo.ts'
import { PUBLIC_URL, type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, sql } from '../support/fixtures.ts'
import { HOSTILE_PNGS } from '../support/hostile-images.ts'
import { JPEG, WEBP, plainPng } from '../support/images.ts'
import { type TestMember, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
let admin: TestMember
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
  admin = await signedIn(test, partner)
})
afterAll(() => test.close())

function upload(image: Buffer, type: string): Promise<LightMyRequestResponse> {
  const headers = { cookie: admin.cookie, origin: PUBLIC_URL, 'content-type': type }
  return test.request({ method: 'PUT', url: '/v1/settings/logo', headers, payload: image })
}

describe('PUT /v1/settings/logo, 422', () => {
  it.each(HOSTILE_PNGS)('for %s, and the service lives on', async (_what, image) => {
    const reply = await upload(image, 'image/png')
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.code).toBe('invalid_request')
    expect((await test.request({ url: '/healthz' })).statusCode).toBe(200)
    const { id } = (await createPayout(test, partner)).json()
    expect((await get(test, partner, `/v1/payouts/${id}/receipt.pdf`)).statusCode).toBe(200)
  })

  it('for bytes that were changed at random, or 200 with a picture of ours', async () => {
    let state = 20_261_115
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % below
    }
    for (let round = 0; round < 60; round++) {
      const [image, type] = round % 2 === 0 ? [plainPng(32, 32), 'image/png'] : [Buffer.from(JPEG), 'image/jpeg']
      for (let change = 0; change <= random(6); change++) image[random(image.length)] = random(256)
      const reply = await upload(image, type)
      expect([200, 422]).toContain(reply.statusCode)
      const url = reply.json().logo_url as string | undefined
      if (url === undefined) continue
      const shown = await test.request({ url: url.slice(PUBLIC_URL.length) })
      expect(shown.rawPayload.toString('latin1', 1, 4)).toBe('PNG')
      expect(shown.rawPayload[25]).toBe(2)
    }
    expect((await test.request({ url: '/healthz' })).statusCode).toBe(200)
  })
})

describe('a logo that was kept as it was sent', () => {
  const keptAsSent = async (image: Buffer, type: string): Promise<TestPartner> => {
    const old = await aPartner(test)
    await sql(
      test,
      `update partners set logo_image = $2::bytea, logo_type = $3, logo_hash = md5($2::bytea) where id = $1`,
      [old.id, image, type],
    )
    return old
  }
  const logoOf = async (who: TestPartner) => (await get(test, who, '/v1/settings')).json().logo_url as string | null
  const shownOf = (who: TestPartner) => test.request({ url: `/v1/public/partners/${who.slug}/logo` })

  it('is neither shown nor drawn until the worker has drawn it anew', async () => {
    const old = await keptAsSent(plainPng(20, 10), 'image/png')
    expect([await logoOf(old), (await shownOf(old)).statusCode]).toEqual([null, 404])
    await remakeOldLogos(test.deps)
    expect(await logoOf(old)).toMatch(/logo\?v=/)
    expect((await shownOf(old)).rawPayload[25]).toBe(2)
    expect(await sql(test, 'select 1 from partners where logo_image is not null')).toEqual([])
  })

  it.each([
    ...HOSTILE_PNGS.map(([what, image]) => [what, image, 'image/png'] as const),
    ['WebP', WEBP, 'image/webp'],
  ] as const)('is dropped when it is %s, and the next one is drawn', async (_what, image, type) => {
    const bad = await keptAsSent(image, type)
    const good = await keptAsSent(JPEG, 'image/jpeg')
    const { id } = (await createPayout(test, bad)).json()
    expect((await get(test, bad, `/v1/payouts/${id}/receipt.pdf`)).statusCode).toBe(200)
    expect(await remakeOldLogos(test.deps)).toBe(2)
    expect(await remakeOldLogos(test.deps)).toBe(0)
    expect([await logoOf(bad), (await shownOf(bad)).statusCode]).toEqual([null, 404])
    expect((await shownOf(good)).statusCode).toBe(200)
  })

  it('gives way to one that was sent meanwhile', async () => {
    const old = await keptAsSent(plainPng(20, 10), 'image/png')
    const itsAdmin = await signedIn(test, old)
    const picture = test.deps.studio.picture.bind(test.deps.studio)
    const headers = { cookie: itsAdmin.cookie, origin: PUBLIC_URL, 'content-type': 'image/png' }
    let newest = ''
    const studio = {
      ...test.deps.studio,
      picture: async (...given: Parameters<typeof picture>) => {
        const payload = plainPng(30, 30)
        newest = (await test.request({ method: 'PUT', url: '/v1/settings/logo', headers, payload })).json().logo_url
        return picture(...given)
      },
    }
    await remakeOldLogos({ ...test.deps, studio })
    expect(newest).toMatch(/logo\?v=/)
    expect(await logoOf(old)).toBe(newest)
  })
})
