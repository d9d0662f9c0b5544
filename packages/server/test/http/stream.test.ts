import type { Event } from '@kestrel/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { revokeKey } from '../../src/domain/api-keys/revoke-key.ts'
import { changePartnerStatus } from '../../src/domain/partners/change-partner.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, inLive, setBalance, sql } from '../support/fixtures.ts'
import { type Listener, listen } from '../support/listener.ts'
import { type TestMember, ask, signedIn } from '../support/sessions.ts'
import { followStream } from '../support/stream-follower.ts'

let test: TestApp
let url: string
const listeners: Listener[] = []
beforeAll(async () => {
  test = await startTestApp()
  url = `${await test.app.listen({ host: '127.0.0.1', port: 0 })}/v1/stream`
})
afterEach(async () => {
  vi.useRealTimers()
  for (const listener of listeners.splice(0)) listener.leave()
})
afterAll(() => test.close())

async function open(headers: Record<string, string>, query = ''): Promise<Listener> {
  const listener = await listen(`${url}${query}`, headers)
  listeners.push(listener)
  return listener
}

const inOrder = 'select id from events where partner_id = $1 order by position'
const idsIn = (text: string) => [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id)
const withKey = ({ key }: Pick<TestPartner, 'key'>) => ({ authorization: `Bearer ${key}` })
const inSession = ({ cookie }: Pick<TestMember, 'cookie'>) => ({ cookie })
const about = (id: string, status: string) => (heard: { data: Record<string, unknown> }) =>
  heard.data['id'] === id && heard.data['status'] === status

describe('GET /v1/stream', () => {
  it('says when to come back, and what changes as it changes', async () => {
    const partner = await aPartner(test)
    const listener = await open(withKey(partner))
    expect(listener.status).toBe(200)
    expect(listener.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(listener.headers['cache-control']).toBe('no-store')
    const { id, updated_at: updatedAt } = (await createPayout(test, partner)).json()
    expect(await listener.until(about(id, 'processing'))).toEqual({
      event: 'payout',
      data: { id, status: 'processing', updated_at: updatedAt },
    })
    test.clock.advance(2_000)
    await test.follow()
    await listener.until(about(id, 'completed'))
    expect(listener.text().startsWith('retry: 3000\n\n')).toBe(true)
  })

  it('says when the wallet changed, and what it holds now', async () => {
    const partner = await aPartner(test, { usdc: '500.00' })
    const listener = await open(inSession(await signedIn(test, partner, { role: 'viewer' })))
    const { id } = (await createPayout(test, partner)).json()
    await listener.until(about(id, 'processing'))
    await setBalance(test, partner, '123.45')
    const { data } = await listener.until(({ event, data: said }) => event === 'balance' && said['usdc'] === '123.45')
    expect(data).toEqual({ usdc: '123.45' })
  })

  it('says when payouts are paused and when they go out again, to that environment alone', async () => {
    const partner = await aPartner(test)
    const admin = await signedIn(test, partner)
    const [page, live] = [await open(inSession(admin)), await open(inSession(admin), '?environment=live')]
    const { id } = (await createPayout(test, partner)).json()
    await page.until(about(id, 'processing'))
    const { paused_at } = (await ask(test, admin, { method: 'POST', url: '/v1/payouts/pause' })).json()
    const { data } = await page.until(({ event }) => event === 'pause')
    expect(data).toEqual({ paused_at })
    const late = await open(inSession(admin))
    // Its page may have read before the pause.
    expect((await late.until(({ event }) => event === 'pause')).data).toEqual({ paused_at })
    await ask(test, admin, { method: 'POST', url: '/v1/payouts/resume', payload: {} })
    for (const each of [page, late]) {
      await each.until(({ event, data: said }) => event === 'pause' && said['paused_at'] === null)
    }
    expect(live.text()).not.toContain('event: pause')
  })

  it('tells each change once, and everybody who listens', async () => {
    const partner = await aPartner(test)
    const [one, other] = [await open(withKey(partner)), await open(withKey(partner))]
    const first = (await createPayout(test, partner)).json().id as string
    for (const listener of [one, other]) await listener.until(about(first, 'processing'))
    const second = (await createPayout(test, partner)).json().id as string
    for (const listener of [one, other]) await listener.until(about(second, 'processing'))
    const hints = (text: string) => text.split('\n').filter((line) => line.startsWith(`data: {"id":"${first}"`))
    for (const listener of [one, other]) expect(hints(listener.text())).toHaveLength(1)
    const latecomer = await open(withKey(partner))
    await latecomer.until(about(first, 'processing'))
  })

  it('misses nothing that was decided long before it was committed, by a process whose clock is behind', async () => {
    const partner = await aPartner(test)
    const listener = await open(withKey(partner))
    const { id } = (await createPayout(test, partner, { reference: 'sandbox:hold' })).json()
    await listener.until(about(id, 'processing'))
    const late = (await createPayout(test, partner, { reference: 'sandbox:hold' })).json().id
    await listener.until(about(late, 'processing'))
    test.clock.advance(-60_000)
    const behind = (await createPayout(test, partner, { reference: 'sandbox:hold' })).json().id
    expect(await listener.until(about(behind, 'processing'))).toMatchObject({ event: 'payout' })
    test.clock.advance(60_000)
  })

  it("never tells of another partner's payouts, nor of the other environment's", async () => {
    const [partner, other] = [await aPartner(test), await aPartner(test)]
    const live = await open(withKey(await inLive(test, partner)))
    const [listener, foreign] = [await open(withKey(partner)), await open(withKey(other))]
    const ids = [(await createPayout(test, partner)).json().id, (await createPayout(test, other)).json().id]
    await listener.until(about(ids[0], 'processing'))
    await foreign.until(about(ids[1], 'processing'))
    expect(listener.text()).not.toContain(ids[1])
    expect(foreign.text()).not.toContain(ids[0])
    expect(live.text()).toBe('retry: 3000\n\n')
  })

  it('tells a key of each event, with its id, and a session only if it asks for them', async () => {
    const partner = await aPartner(test)
    const { cookie } = await signedIn(test, partner, { role: 'viewer' })
    const [listener, page] = [await open(withKey(partner)), await open({ cookie })]
    const asking = await open({ cookie }, '?events=all')
    const { id } = (await createPayout(test, partner)).json()
    const { data } = await get(test, partner, `/v1/events?subject=${id}`).then((reply) => reply.json())
    for (const each of [listener, asking]) {
      await each.until(({ event }) => event === 'payout.processing')
      const told = each
        .text()
        .split('\n\n')
        .filter((block) => block.startsWith('id: '))
      expect(told).toEqual(
        data
          .toReversed()
          .map((event: Event) => `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}`),
      )
    }
    await page.until(about(id, 'processing'))
    expect(page.text()).not.toContain('id: ')
  })

  it('goes on after the event that a listener has, and refuses one that is not the wallet’s', async () => {
    const [partner, other] = [await aPartner(test), await aPartner(test)]
    for (let count = 0; count < 60; count++) await createPayout(test, partner)
    const all = (await sql<{ id: string }>(test, inOrder, [partner.id])).map(({ id }) => id)
    const listener = await open({ ...withKey(partner), 'last-event-id': all[2]! })
    const byQuery = await open(withKey(partner), `?last_event_id=${all[2]!}`)
    for (const each of [listener, byQuery]) {
      await expect.poll(() => idsIn(each.text()), { timeout: 10_000 }).toEqual(all.slice(3))
    }
    for (const lastId of [(await sql<{ id: string }>(test, inOrder, [other.id]))[0]!.id, 'nonsense']) {
      expect((await open({ ...withKey(partner), 'last-event-id': lastId })).status).toBe(404)
    }
  })

  it('loses nothing and repeats nothing over twenty restarts with payouts going on', async () => {
    const partner = await aPartner(test)
    const [first] = (await sql<{ id: string }>(test, inOrder, [partner.id])).map(({ id }) => id)
    let current = await test.service.api({ publicUrl: 'http://localhost:3000', rateLimitPerSecond: 0 })
    let address = await current.listen({ host: '127.0.0.1', port: 0 })
    const follower = followStream(() => `${address}/v1/stream`, withKey(partner), first!)
    for (let restart = 0; restart < 20; restart++) {
      const paying = Array.from({ length: 6 }, () => createPayout(test, partner))
      await expect.poll(() => follower.breaks(), { timeout: 10_000 }).toBeGreaterThanOrEqual(restart)
      await current.close()
      current = await test.service.api({ publicUrl: 'http://localhost:3000', rateLimitPerSecond: 0 })
      address = await current.listen({ host: '127.0.0.1', port: 0 })
      await Promise.all(paying)
      test.clock.advance(2_000)
      await test.follow()
    }
    const all = (await sql<{ id: string }>(test, inOrder, [partner.id])).map(({ id }) => id)
    expect(all).toHaveLength(1 + 20 * 6 * 3)
    await expect.poll(() => follower.ids.length, { timeout: 20_000 }).toBe(all.length - 1)
    expect(follower.ids).toEqual(all.slice(1))
    follower.leave()
    await current.close()
  }, 120_000)

  /** Where an array that is sent as bytes says how many are in it. */
  const COUNT_AT = 12

  it('asks once a second for everybody, and not at all while nobody listens', async () => {
    const own = await startTestApp()
    const ownUrl = `${await own.app.listen({ host: '127.0.0.1', port: 0 })}/v1/stream`
    const partners = [await aPartner(own), await aPartner(own), await aPartner(own)]
    const asked: number[] = []
    const query = own.deps.db.query.bind(own.deps.db)
    vi.spyOn(own.deps.db, 'query').mockImplementation((statement, values = []) => {
      if (statement.name === 'list_changes') asked.push((values[0] as Buffer).readInt32BE(COUNT_AT))
      return query(statement, values)
    })
    const open3 = await Promise.all(partners.map((partner) => listen(ownUrl, withKey(partner))))
    await vi.waitUntil(() => asked.at(-1) === 3, { timeout: 10_000 })
    for (const listener of open3) listener.leave()
    expect((await own.app.inject({ url: '/healthz' })).statusCode).toBe(200)
    const id = (await createPayout(own, partners[0]!)).json().id as string
    const later = await listen(ownUrl, withKey(partners[0]!))
    await later.until(about(id, 'processing'))
    expect(asked.at(-1)).toBe(1)
    later.leave()
    await own.close()
  })

  it('is kept alive by a comment', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const listener = await open(withKey(await aPartner(test)))
    vi.advanceTimersByTime(20_000)
    await expect.poll(() => listener.text(), { timeout: 10_000 }).toContain(': still here\n\n')
  })
})

describe('a stream ends', () => {
  it.each<[string, (partner: TestPartner, member: TestMember) => Promise<unknown>]>([
    ['with the session', (_, member) => sql(test, 'delete from sessions where id = $1', [member.sessionId])],
    [
      'with the membership',
      (partner, { email }) =>
        sql(test, 'delete from members where partner_id = $1 and email = $2', [partner.id, email]),
    ],
    ['when the partner is suspended', ({ slug }) => changePartnerStatus(test.deps, slug, 'suspended')],
    [
      'when the session turns to another business',
      async (_, member) => {
        const other = await aPartner(test)
        await signedIn(test, other, { email: member.email })
        await ask(test, member, { method: 'PATCH', url: '/v1/auth/session', payload: { partner: other.slug } })
      },
    ],
  ])('within ten seconds, %s', async (_why, happens) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const partner = await aPartner(test)
    const member = await signedIn(test, partner)
    const listener = await open(inSession(member))
    const looks = vi.spyOn(test.deps.db.lookup, 'query')
    await vi.advanceTimersByTimeAsync(10_000)
    // The first look has to be over: on a busy machine it would see what happens only now.
    expect(looks).toHaveBeenCalledOnce()
    await looks.mock.results[0]?.value
    looks.mockRestore()
    await happens(partner, member)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await listener.ended).toBe('ended')
    expect(listener.text()).toContain('still here')
  })

  it.each<[string, (partner: TestPartner) => Promise<unknown>]>([
    ['once its key is revoked', ({ keyId }) => revokeKey(test.deps, keyId)],
    [
      'once its key may no longer be used from there',
      ({ keyId }) => sql(test, `update api_keys set allowed_ips = '{203.0.113.0/24}' where id = $1`, [keyId]),
    ],
    ['once the partner is suspended', ({ slug }) => changePartnerStatus(test.deps, slug, 'suspended')],
  ])('before it tells of anything more, %s', async (_why, happens) => {
    // Nobody looks while nothing is told.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const partner = await aPartner(test)
    const streams = [await open(withKey(partner)), await open(withKey(partner), '?events=none')]
    const { id } = (await createPayout(test, partner)).json()
    for (const stream of streams) await stream.until(about(id, 'processing'))
    await streams[0]!.until(({ event }) => event === 'payout.processing')
    await happens(partner)
    const told = streams.map((stream) => stream.text())
    test.clock.advance(2_000)
    await test.follow()
    for (const stream of streams) expect(await stream.ended).toBe('ended')
    expect(streams.map((stream) => stream.text())).toEqual(told)
  })

  it('before it tells of anything more, once its session has ended', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const partner = await aPartner(test)
    const member = await signedIn(test, partner)
    const page = await open(inSession(member))
    await sql(test, 'delete from sessions where id = $1', [member.sessionId])
    await createPayout(test, partner)
    expect(await page.ended).toBe('ended')
    expect(page.text()).toBe('retry: 3000\n\n')
  })

  it('within ten seconds, with the key', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const partner = await aPartner(test)
    const listener = await open(withKey(partner))
    await revokeKey(test.deps, partner.keyId)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await listener.ended).toBe('ended')
  })

  it('within ten seconds, with a key that may no longer be used from there', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const partner = await aPartner(test)
    const listener = await open(withKey(partner))
    await sql(test, `update api_keys set allowed_ips = '{203.0.113.0/24}' where id = $1`, [partner.keyId])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await listener.ended).toBe('ended')
  })

  it('and does not keep the session of a page that was left open alive', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const own = await startTestApp()
    const ownUrl = `${await own.app.listen({ host: '127.0.0.1', port: 0 })}/v1/stream`
    const member = await signedIn(own, await aPartner(own))
    const listener = await listen(ownUrl, inSession(member))
    const HOUR = 60 * 60 * 1_000
    own.clock.advance(11 * HOUR)
    await vi.advanceTimersByTimeAsync(10_000)
    own.clock.advance(2 * HOUR)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await listener.ended).toBe('ended')
    await own.close()
  })

  it('at once when the service stops', async () => {
    const own = await startTestApp()
    const ownUrl = `${await own.app.listen({ host: '127.0.0.1', port: 0 })}/v1/stream`
    const listener = await listen(ownUrl, withKey(await aPartner(own)))
    await own.app.close()
    expect(await listener.ended).toBe('ended')
    await own.close()
  })
})

describe('GET /v1/stream, refused', () => {
  it('is for five also when twenty come at once, and those who were refused take no place', async () => {
    const partner = await aPartner(test)
    const all = await Promise.all(Array.from({ length: 20 }, () => open(withKey(partner))))
    const statuses = all.map(({ status }) => status).toSorted((one, other) => one - other)
    expect(statuses).toEqual([...Array<number>(5).fill(200), ...Array<number>(15).fill(429)])
    for (const listener of all) listener.leave()
    const nowhere = async () => (await get(test, partner, '/v1/stream?last_event_id=x')).statusCode
    await expect.poll(nowhere, { timeout: 10_000 }).toBe(404)
    // One that begins nowhere has no place afterwards either.
    for (let count = 0; count < 6; count++) expect(await nowhere()).toBe(404)
  })

  it('is for five at a time, and has room again when one leaves', async () => {
    const partner = await aPartner(test)
    const five = await Promise.all(Array.from({ length: 5 }, () => open(withKey(partner))))
    const refused = await test.request({ url: '/v1/stream', headers: withKey(partner) })
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('5')
    expect(refused.json().error).toMatchObject({
      code: 'rate_limited',
      message: 'There are 5 streams open already. Close one of them first.',
    })
    expect((await open(inSession(await signedIn(test, partner)))).status).toBe(200)
    five[0]!.leave()
    await vi.waitUntil(async () => (await open(withKey(partner))).status === 200, { timeout: 10_000 })
  })

  it('is for a hundred of a business’s members, however often they sign in; its keys are not kept out', async () => {
    const partner = await aPartner(test)
    const sessions = await Promise.all(Array.from({ length: 20 }, () => signedIn(test, partner)))
    const streams = await Promise.all(sessions.flatMap((each) => [1, 2, 3, 4, 5].map(() => open(inSession(each)))))
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    const newcomer = inSession(await signedIn(test, partner))
    const refused = await test.request({ url: '/v1/stream', headers: newcomer })
    expect([refused.statusCode, refused.json().error.details]).toEqual([429, { limit: 'business' }])
    expect((await open(withKey(partner))).status).toBe(200)
    expect((await open(inSession(await signedIn(test, await aPartner(test))))).status).toBe(200)
    for (const stream of streams) stream.leave()
    await vi.waitUntil(async () => (await open(newcomer)).status === 200, { timeout: 10_000 })
  })

  it('wants a key or a session, and no parameters of its own', async () => {
    expect((await test.request({ url: '/v1/stream' })).statusCode).toBe(401)
    const partner = await aPartner(test)
    expect((await test.request({ url: '/v1/stream?since=1', headers: withKey(partner) })).statusCode).toBe(422)
  })
})
