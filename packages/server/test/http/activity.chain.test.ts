import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { signHeads } from '../../src/domain/audit/sign-heads.ts'
import { headAttachments } from '../../src/domain/audit/head-file.ts'
import { aSealedLog, addEntries, seal } from '../audit/a-log.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, get, inLive } from '../support/fixtures.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

describe('GET /v1/activity/chain', () => {
  it('is empty before anything is sealed', async () => {
    const partner = await aPartner(test)
    const reply = await get(test, partner, '/v1/activity/chain?chain=account')
    expect(reply.json()).toEqual({
      object: 'list',
      partner_id: partner.id,
      chain: 'account',
      start: { position: 0, hash: '0'.repeat(64) },
      data: [],
      has_more: false,
      head: null,
    })
  })

  it('goes on from any position, with the hash before it, and the end is signed for each answer', async () => {
    const partner = await aSealedLog(test, 5)
    const page = async (query: string) => (await get(test, partner, `/v1/activity/chain?${query}`)).json()
    const [first, second] = [await page('limit=3'), await page('after=3&limit=3')]
    expect(first).toMatchObject({ has_more: true, start: { position: 0 }, head: { position: 5, form: 1 } })
    expect(second).toMatchObject({ has_more: false, start: { position: 3, hash: first.data[2].hash } })
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(partner.ids)
    expect(second.data[1].hash).toBe(second.head.hash)
    expect(first.data[0].entry).toMatchObject({ by_name: 'Ada Lovelace', changes: [{ field: 'daily_gbp' }] })
    expect(await page('after=5')).toMatchObject({ data: [], has_more: false, start: { position: 5 } })
  })

  it('is the chain of the key’s environment unless one is named', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner)
    expect((await get(test, partner, '/v1/activity/chain')).json().chain).toBe('sandbox')
    expect((await get(test, live, '/v1/activity/chain')).json().chain).toBe('live')
    expect((await get(test, live, '/v1/activity/chain?chain=sandbox')).json().chain).toBe('sandbox')
  })

  it('does not go on after a position that there is not, nor show another’s', async () => {
    const [partner, other] = [await aSealedLog(test, 2), await aPartner(test)]
    const reply = await get(test, partner, '/v1/activity/chain?after=3')
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({
      code: 'invalid_request',
      details: { fields: ['after (a position of the chain)'] },
    })
    expect((await get(test, other, '/v1/activity/chain')).json().data).toEqual([])
    for (const query of ['chain=other', 'after=-1', 'after=1.5', 'limit=0', 'limit=1001', 'after=9007199254740993']) {
      expect((await get(test, partner, `/v1/activity/chain?${query}`)).statusCode).toBe(422)
    }
  })
})

describe('GET /v1/activity/heads', () => {
  it('has one per day on which the chain had grown, which is what an invoice’s mail has attached', async () => {
    const partner = await aSealedLog(test, 2)
    await signHeads(test.deps)
    test.clock.advance(86_400_000)
    await addEntries(test, partner.id, 1)
    await seal(test)
    await signHeads(test.deps)
    const { data } = (await get(test, partner, '/v1/activity/heads')).json()
    expect(data.map(({ position }: { position: number }) => position)).toEqual([3, 2])
    const before = data[0].signed_at.slice(0, 10)
    expect((await get(test, partner, `/v1/activity/heads?before=${before}&limit=1`)).json().data).toEqual([data[1]])
    const [file] = await headAttachments(test.deps.db, partner.id)
    expect(JSON.parse(Buffer.from(file!.base64, 'base64').toString())).toEqual({ object: 'list', data: [data[0]] })
    for (const day of ['2026-02-30', '0000-01-01']) {
      expect((await get(test, partner, `/v1/activity/heads?before=${day}`)).statusCode).toBe(422)
    }
    expect(await headAttachments(test.deps.db, (await aPartner(test)).id)).toEqual([])
  })
})

describe('GET /.well-known/kestrel-signing-keys', () => {
  it('is for everybody: each key once, the one that signs now first', async () => {
    await signHeads(test.deps)
    const reply = await test.request({ method: 'GET', url: '/.well-known/kestrel-signing-keys' })
    expect(reply.headers['cache-control']).toBe('public, max-age=300')
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(reply.json().data).toEqual([
      expect.objectContaining({
        algorithm: 'ed25519',
        signs_now: true,
        public_key: expect.stringMatching(/^kspk_/) as string,
      }),
    ])
  })
})
