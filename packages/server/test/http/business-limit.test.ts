// What a business may take with all of its keys and sessions together.
import { request } from 'node:http'

import type { LightMyRequestResponse } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { createKey } from '../../src/domain/api-keys/create-key.ts'
import { findPartnerBySlug } from '../../src/storage/partners.ts'
import { statement } from '../../src/storage/sql.ts'
import { PUBLIC_URL, type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, balanceOf, createPayout, get, inLive } from '../support/fixtures.ts'
import { ask, signedIn } from '../support/sessions.ts'

/** A key may make 5 requests per second and 10 at once, so a business 10 and 20. */
let test: TestApp
/** Nothing is made too often here; what counts is how much is under way. */
let busy: TestApp
beforeAll(async () => {
  test = await startTestApp({ rateLimitPerSecond: 5 })
  busy = await startTestApp({ rateLimitPerSecond: 10_000 })
  await busy.app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  await test.close()
  await busy.close()
})

function stopTheClock(): void {
  const now = Math.round(performance.now())
  vi.spyOn(performance, 'now').mockReturnValue(now)
}

/** The partner through five keys of its environment, which are as many as there can be. */
async function withFiveKeys(on: TestApp, partner: TestPartner): Promise<TestPartner[]> {
  const found = await findPartnerBySlug(on.deps.db, partner.slug)
  const all = [partner]
  while (all.length < 5) {
    const key = await createKey(on.deps, { partner: found!, environment: partner.environment, label: null })
    all.push({ ...partner, key: key.secret, keyId: key.id })
  }
  return all
}

async function spend(callers: readonly TestPartner[], each: number): Promise<LightMyRequestResponse[]> {
  const replies: LightMyRequestResponse[] = []
  for (const caller of callers) {
    for (let count = 0; count < each; count++) replies.push(await get(test, caller, '/v1/account'))
  }
  return replies
}

const allowed = (replies: readonly LightMyRequestResponse[]) =>
  replies.filter(({ statusCode }) => statusCode === 200).length

const limitMet = (reply: LightMyRequestResponse) => {
  const { error } = reply.json<{ error: { code: string; message: string; details: unknown } }>()
  return { status: reply.statusCode, code: error.code, details: error.details, retry: reply.headers['retry-after'] }
}

describe('the requests of a business', () => {
  it('are as many with five keys as two may make, and the refusal says that it is the business', async () => {
    stopTheClock()
    const keys = await withFiveKeys(test, await aPartner(test))
    const replies = await spend(keys, 10)
    expect(allowed(replies)).toBe(20)
    const refused = replies.at(-1)!
    expect(limitMet(refused)).toEqual({ status: 429, code: 'rate_limited', details: { limit: 'business' }, retry: '1' })
    expect(refused.json().error.message).toContain('Your business has made too many requests')
    expect([refused.headers['ratelimit-limit'], refused.headers['ratelimit-remaining']]).toEqual(['20', '0'])
  })

  it('are for one key alone what they were, and the refusal says that it is the key', async () => {
    stopTheClock()
    const replies = await spend([await aPartner(test)], 11)
    expect(allowed(replies)).toBe(10)
    expect(limitMet(replies.at(-1)!)).toMatchObject({ details: { limit: 'key' } })
  })

  it('beyond that create nothing: a payout with a key of its own moves no money', async () => {
    stopTheClock()
    const keys = await withFiveKeys(test, await aPartner(test))
    await spend(keys.slice(0, 4), 10)
    const before = await balanceOf(test, keys[4]!)
    expect(limitMet(await createPayout(test, keys[4]!))).toMatchObject({ status: 429, details: { limit: 'business' } })
    expect(await balanceOf(test, keys[4]!)).toBe(before)
  })

  it('in sandbox take nothing from live, nor from its members, nor from another business', async () => {
    stopTheClock()
    const partner = await aPartner(test)
    const [live, member] = [await inLive(test, partner), await signedIn(test, partner)]
    await spend(await withFiveKeys(test, partner), 10)
    expect(allowed(await spend([live], 10))).toBe(10)
    expect(allowed(await spend([await aPartner(test)], 10))).toBe(10)
    for (let count = 0; count < 10; count++) {
      expect((await ask(test, member, { url: '/v1/account' })).statusCode).toBe(200)
    }
  })

  it('by one member are counted over all sessions, so that signing in again gives nothing', async () => {
    stopTheClock()
    const partner = await aPartner(test)
    const email = 'often@thistle.test'
    const sessions = [await signedIn(test, partner, { email }), await signedIn(test, partner, { email })]
    const replies: LightMyRequestResponse[] = []
    for (let count = 0; count < 6; count++) {
      for (const session of sessions) replies.push(await ask(test, session, { url: '/v1/account?environment=live' }))
    }
    expect(allowed(replies)).toBe(10)
    expect(limitMet(replies.at(-1)!)).toMatchObject({ status: 429, details: { limit: 'member' } })
    const colleague = await signedIn(test, partner)
    expect((await ask(test, colleague, { url: '/v1/account' })).statusCode).toBe(200)
  })
})

/** Nobody reads a payout while the given work goes on. */
function whilePayoutsAreLocked(work: () => Promise<void>): Promise<void> {
  return busy.owner.inTransaction(async (tx) => {
    await tx.query(statement('', 'lock table payouts in access exclusive mode'))
    await work()
  })
}

/** How many statements are under way and wait for that. */
async function underWay(): Promise<number> {
  const text = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const [row] = await busy.owner.query<{ count: number }>(statement('', text))
  return row!.count
}

const connections = () =>
  new Promise<number>((resolve, reject) =>
    busy.app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  )

const PATIENT = { timeout: 30_000 }

describe('the work of a business that is under way', () => {
  it('is one page of payouts, whichever keys ask, and a neighbour’s page does not wait for the others', async () => {
    const [partner, neighbour] = [await aPartner(busy), await aPartner(busy)]
    const keys = await withFiveKeys(busy, partner)
    const pages: Promise<LightMyRequestResponse>[] = []
    const refused: LightMyRequestResponse[] = []
    await whilePayoutsAreLocked(async () => {
      for (let count = 0; count < 205; count++) {
        const reply = get(busy, keys[count % 5]!, '/v1/payouts?limit=200')
        pages.push(reply)
        void reply.then((each) => each.statusCode === 429 && refused.push(each))
      }
      // One is under way and two hundred wait, so four have been refused: all have arrived.
      await vi.waitFor(() => expect(refused).toHaveLength(4), PATIENT)
      // The one may still be on its way to the database.
      await vi.waitFor(async () => expect(await underWay()).toBe(1), PATIENT)
      expect(limitMet(refused[0]!)).toEqual({
        status: 429,
        code: 'rate_limited',
        details: { limit: 'business' },
        retry: '1',
      })
      expect(refused[0]!.json().error.message).toContain('under way at once')
      pages.push(get(busy, neighbour, '/v1/payouts?limit=200'))
      await vi.waitFor(async () => expect(await underWay()).toBe(2), PATIENT)
      expect((await get(busy, partner, '/v1/account')).statusCode).toBe(200)
    })
    const replies = await Promise.all(pages)
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(202)
  })

  it('leaves the dashboard its own places', async () => {
    const partner = await aPartner(busy)
    const member = await signedIn(busy, partner)
    const pages: Promise<LightMyRequestResponse>[] = []
    await whilePayoutsAreLocked(async () => {
      for (let count = 0; count < 20; count++) pages.push(get(busy, partner, '/v1/payouts'))
      await vi.waitFor(async () => expect(await underWay()).toBe(1), PATIENT)
      pages.push(ask(busy, member, { url: '/v1/payouts' }))
      await vi.waitFor(async () => expect(await underWay()).toBe(2), PATIENT)
    })
    expect(new Set((await Promise.all(pages)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  })

  it('costs nothing where it is refused: exports beyond the second', async () => {
    stopTheClock()
    const partner = await aPartner(busy)
    const exports: Promise<LightMyRequestResponse>[] = []
    await whilePayoutsAreLocked(async () => {
      for (let count = 0; count < 5; count++) exports.push(get(busy, partner, '/v1/payouts/export.csv'))
      const { headers, statusCode } = await Promise.race(exports)
      expect([statusCode, headers['ratelimit-remaining']]).toEqual([429, '19900'])
    })
    await Promise.all(exports)
    expect((await get(busy, partner, '/v1/account')).headers['ratelimit-remaining']).toBe('19899')
  })

  it.each([
    { path: '/v1/payouts/export.csv', most: 2 },
    { path: '/v1/stream', most: 5 },
  ])('is not kept by whoever has hung up before it is known who asks: $path', async ({ path, most }) => {
    const partner = await aPartner(busy)
    const url = `${busy.app.listeningOrigin}${path}`
    const headers = { authorization: `Bearer ${partner.key}` }
    await busy.owner.inTransaction(async (tx) => {
      // Nobody's key is found while this is open.
      await tx.query(statement('', 'lock table api_keys in access exclusive mode'))
      const asked = Array.from({ length: most }, () =>
        request(url, { agent: false, headers })
          .on('error', () => {})
          .end(),
      )
      await vi.waitFor(async () => expect(await underWay()).toBeGreaterThan(0), PATIENT)
      await vi.waitFor(async () => expect(await connections()).toBe(most), PATIENT)
      for (const each of asked) each.destroy()
      await vi.waitFor(async () => expect(await connections()).toBe(0), PATIENT)
    })
    const isOpen = () =>
      new Promise<boolean>((resolve) => {
        const asked = request(url, { agent: false, headers }, (reply) => {
          resolve(reply.statusCode === 200)
          asked.destroy()
        })
        asked.on('error', () => {}).end()
      })
    await vi.waitFor(async () => expect(await isOpen()).toBe(true), PATIENT)
  })

  it.each([
    { when: 'in the middle of a picture', length: 100 },
    { when: 'behind a picture that had arrived whole', length: 'the beginning'.length },
  ])('is not kept by whoever has hung up before it is known who asks, $when', async ({ length }) => {
    const member = await signedIn(busy, await aPartner(busy))
    const url = `${busy.app.listeningOrigin}/v1/settings/logo`
    const headers = { cookie: member.cookie, origin: PUBLIC_URL, 'content-type': 'image/png' }
    const sent = () =>
      request(url, { method: 'PUT', agent: false, headers: { ...headers, 'content-length': length } }).on(
        'error',
        () => {},
      )
    await busy.owner.inTransaction(async (tx) => {
      // Nobody's session is found while this is open.
      await tx.query(statement('', 'lock table sessions in access exclusive mode'))
      const asked = Array.from({ length: 2 }, sent)
      for (const each of asked) each.write('the beginning')
      await vi.waitFor(async () => expect(await underWay()).toBeGreaterThan(0), PATIENT)
      await vi.waitFor(async () => expect(await connections()).toBe(2), PATIENT)
      for (const each of asked) each.destroy()
      await vi.waitFor(async () => expect(await connections()).toBe(0), PATIENT)
    })
    const whole = () =>
      ask(busy, member, { method: 'PUT', url: '/v1/settings/logo', payload: Buffer.from('no picture'), headers })
    await vi.waitFor(async () => expect((await whole()).statusCode).toBe(422), PATIENT)
  })

  it('is not kept by whoever hangs up, waiting or under way', async () => {
    const partner = await aPartner(busy)
    const url = `${busy.app.listeningOrigin}/v1/payouts`
    const headers = { authorization: `Bearer ${partner.key}` }
    await whilePayoutsAreLocked(async () => {
      const asked = Array.from({ length: 3 }, () =>
        request(url, { agent: false, headers })
          .on('error', () => {})
          .end(),
      )
      await vi.waitFor(async () => expect(await underWay()).toBe(1), PATIENT)
      for (const each of asked) each.destroy()
      // The service has seen that they are gone.
      await vi.waitFor(async () => expect(await connections()).toBe(0), PATIENT)
    })
    expect((await get(busy, partner, '/v1/payouts')).statusCode).toBe(200)
  })
})
