// The balance and lists of payouts: asked for at once they are read once, and what is known already is not sent again.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, sql } from '../support/fixtures.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => (test = await startTestApp()))
afterAll(() => test.close())
beforeEach(async () => (partner = await aPartner(test)))

const PATHS = ['/v1/balance', '/v1/payouts', '/v1/payouts?limit=5&status=processing']
const again = (path: string, etag: string) =>
  test.request({ url: path, headers: { authorization: `Bearer ${partner.key}`, 'if-none-match': etag } })

it.each(PATHS)('%s is told again only when it has changed', async (path) => {
  const first = await get(test, partner, path)
  expect(first.headers['content-type']).toBe('application/json; charset=utf-8')
  const etag = first.headers['etag'] as string
  expect(etag).toMatch(/^"[\w-]{27}"$/)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const { statusCode, body, headers } = await again(path, known)
    expect([statusCode, body, headers['etag']]).toEqual([304, '', etag])
  }
  expect((await again(path, '"other"')).json()).toEqual(first.json())
  await createPayout(test, partner)
  const changed = await again(path, etag)
  expect(changed.statusCode).toBe(200)
  expect(changed.headers['etag']).not.toBe(etag)
  expect(changed.json()).not.toEqual(first.json())
})

it.each(PATHS)('%s can be asked for its head alone', async (url) => {
  const { headers } = await get(test, partner, url)
  const head = await test.app.inject({ method: 'HEAD', url, headers: { authorization: `Bearer ${partner.key}` } })
  expect([head.statusCode, head.body, head.headers['etag']]).toEqual([200, '', headers['etag']])
})

it.each(PATHS)('%s is never older than its request, whoever asks at the same time', async (path) => {
  for (let nth = 0; nth < 5; nth++) {
    const before = [1, 2, 3].map(() => get(test, partner, path))
    const { id } = (await createPayout(test, partner)).json<{ id: string }>()
    const after = await Promise.all([1, 2, 3].map(() => get(test, partner, path)))
    const last = await get(test, partner, path)
    for (const each of after) expect(each.json()).toEqual(last.json())
    expect((last.json().data ?? [{ id }])[0].id).toBe(id)
    await Promise.all(before)
  }
})

it('nobody is given the answer of another business, environment or page', async () => {
  const other = await aPartner(test)
  const { id } = (await createPayout(test, partner)).json<{ id: string }>()
  const asked = await Promise.all(
    Array.from({ length: 12 }, (_, nth) => get(test, nth % 2 === 0 ? partner : other, '/v1/payouts')),
  )
  for (const [nth, each] of asked.entries()) {
    expect(each.json<{ data: { id: string }[] }>().data.map((payout) => payout.id)).toEqual(nth % 2 === 0 ? [id] : [])
  }
})

it('a key that is revoked is refused from then on, whatever was being looked up', async () => {
  const early = Array.from({ length: 8 }, () => get(test, partner, '/v1/balance'))
  await sql(test, 'update api_keys set revoked_at = now() where partner_id = $1', [partner.id])
  const late = await Promise.all(Array.from({ length: 8 }, () => get(test, partner, '/v1/balance')))
  expect(late.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 8 }, () => 401))
  await Promise.all(early)
})
