// A page of payouts that has not changed is answered from what was made of it before: in each process, and never when it has changed.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, anObligingRail, createPayout, get, inLive, sql } from '../support/fixtures.ts'

let test: TestApp
/** Another process on the same database. */
let other: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp({ liveRail: anObligingRail() })
  const banks = { sandbox: test.bank?.provider ?? null, live: null }
  other = await startTestApp({ database: test.database, liveRail: anObligingRail(), banks })
})
afterAll(async () => {
  await other.app.close()
  await other.owner.close()
  await other.service.close()
  await test.close()
})
beforeEach(async () => (partner = await aPartner(test)))

const PATH = '/v1/payouts?limit=50'
interface Page {
  data: { id: string; status: string }[]
}
const idsIn = async (app: TestApp, of: TestPartner, path = PATH) =>
  (await get(app, of, path)).json<Page>().data.map(({ id }) => id)
const made = async (app: TestApp, of: TestPartner) => (await createPayout(app, of)).json<{ id: string }>().id

/** What is asked of the database for lists while something is done. */
async function asked(app: TestApp, work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(app.deps.reports, 'query')
  try {
    await work()
    return spy.mock.calls.map(([{ name }]) => name).filter((name) => /^(list_payouts|payout_versions)/.test(name))
  } finally {
    spy.mockRestore()
  }
}

describe('a page that is asked for again', () => {
  it('is not read again while it is the same, with and without payouts', async () => {
    for (const _ of [0, 1]) {
      const first = await get(test, partner, PATH)
      let again = first
      expect(await asked(test, async () => (again = await get(test, partner, PATH)))).toEqual(['payout_versions'])
      expect([again.body, again.headers['etag']]).toEqual([first.body, first.headers['etag']])
      await made(test, partner)
    }
  })

  it('is told as unchanged to who knows it, from what is kept', async () => {
    await made(test, partner)
    const { headers } = await get(test, partner, PATH)
    const known = { authorization: `Bearer ${partner.key}`, 'if-none-match': headers['etag'] as string }
    let status = 0
    const statements = await asked(test, async () => {
      status = (await test.request({ url: PATH, headers: known })).statusCode
    })
    expect([status, statements]).toEqual([304, ['payout_versions']])
    await made(other, partner)
    expect((await test.request({ url: PATH, headers: known })).statusCode).toBe(200)
  })

  it('shows at once what another process has made, and what has become of it', async () => {
    const ids: string[] = []
    for (let nth = 0; nth < 5; nth++) {
      ids.unshift(await made(nth % 2 === 0 ? other : test, partner))
      expect(await idsIn(test, partner)).toEqual(ids)
      expect(await idsIn(other, partner)).toEqual(ids)
    }
    await sql(test, `update payouts set reference = reference where id = $1`, [ids[2]])
    expect(await asked(test, () => get(test, partner, PATH))).toEqual(['payout_versions', 'list_payouts'])
    const before = (await get(other, partner, PATH)).json<Page>()
    expect(before.data.map(({ status }) => status)).toContain('processing')
    test.clock.advance(5_000)
    await test.follow()
    const after = (await get(other, partner, PATH)).json<Page>()
    expect(after.data.map(({ status }) => status)).not.toContain('processing')
    expect(after).toEqual((await get(test, partner, PATH)).json())
  })

  it('is each address’s own: of another size, from another place, with a filter', async () => {
    const ids = [await made(test, partner), await made(test, partner), await made(test, partner)].toReversed()
    for (const _ of [0, 1]) {
      expect(await idsIn(test, partner)).toEqual(ids)
      expect(await idsIn(test, partner, '/v1/payouts?limit=2')).toEqual(ids.slice(0, 2))
      const { next_cursor: cursor } = (await get(test, partner, '/v1/payouts?limit=1')).json<{ next_cursor: string }>()
      expect(await idsIn(test, partner, `/v1/payouts?limit=1&cursor=${cursor}`)).toEqual(ids.slice(1, 2))
      expect(await idsIn(test, partner, '/v1/payouts?status=returned')).toEqual([])
    }
    // Another after the last of a page is part of what it says.
    expect((await get(test, partner, '/v1/payouts?limit=3')).json()).toMatchObject({ has_more: false })
    await made(test, partner)
    expect((await get(test, partner, '/v1/payouts?limit=3')).json()).toMatchObject({ has_more: true })
  })
})

describe('nobody is given', () => {
  it('the page of another business, or of the other environment', async () => {
    const [neighbour, live] = [await aPartner(test), await inLive(test, partner, '500.00')]
    const [own, ofNeighbour, inTheirLive] = [
      await made(test, partner),
      await made(test, neighbour),
      await made(test, live),
    ]
    for (const _ of [0, 1, 2]) {
      expect(await idsIn(test, partner)).toEqual([own])
      expect(await idsIn(test, neighbour)).toEqual([ofNeighbour])
      expect(await idsIn(test, live)).toEqual([inTheirLive])
    }
  })

  it('a page that is kept with a key that was revoked in another process', async () => {
    await made(test, partner)
    for (const _ of [0, 1]) expect((await get(test, partner, PATH)).statusCode).toBe(200)
    await sql(other, 'update api_keys set revoked_at = now() where partner_id = $1', [partner.id])
    expect((await get(test, partner, PATH)).statusCode).toBe(401)
  })
})
