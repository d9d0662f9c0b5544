// A caller without a valid key costs us little, however fast they ask, and never slows anybody else down.
import { once } from 'node:events'
import { type IncomingMessage, get } from 'node:http'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { revokeKey } from '../../src/domain/api-keys/revoke-key.ts'
import { RateLimiter } from '../../src/http/limits/rate-limit.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, sql } from '../support/fixtures.ts'
import { aSignInCode, signedIn } from '../support/sessions.ts'

const PROXY = '10.9.8.7'
let test: TestApp
let partner: TestPartner
let now = 0
let networks = 0

beforeAll(async () => {
  test = await startTestApp({ rateLimitPerSecond: 1_000, networkLimitPerSecond: 2, trustProxy: [PROXY] })
  partner = await aPartner(test)
})
beforeEach(() => {
  now = Math.round(performance.now())
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => test.close())

const aNetwork = () => `203.0.113.${++networks}`
const unknownKey = (n: number) => `kp_sandbox_${n.toString(16).padStart(48, '0')}`

function ask(remoteAddress: string, url = '/v1', headers: Record<string, string> = {}) {
  return test.request({ url, remoteAddress, headers })
}

const withKey = (remoteAddress: string, key: string) =>
  ask(remoteAddress, '/v1/account', { authorization: `Bearer ${key}` })

async function statuses(count: number, each: (n: number) => Promise<{ statusCode: number }>): Promise<number[]> {
  const seen: number[] = []
  for (let n = 0; n < count; n++) seen.push((await each(n)).statusCode)
  return seen
}

/** Ten times the rate at once. */
const BURST = 20

describe('requests without a key or a session', () => {
  it('are refused beyond a burst, with when to try again, and then let in at the rate', async () => {
    const from = aNetwork()
    expect(new Set(await statuses(BURST, () => ask(from)))).toEqual(new Set([200]))
    const refused = await ask(from)
    expect(refused.statusCode).toBe(429)
    expect(refused.json().error).toMatchObject({
      code: 'rate_limited',
      message: 'Too many requests without a key or a session came from your network. Wait as long as Retry-After says.',
    })
    expect(refused.headers['retry-after']).toBe('1')
    expect(refused.headers['x-request-id']).toBe(refused.json().error.request_id)
    now += 1_000
    expect(await statuses(3, () => ask(from))).toEqual([200, 200, 429])
  })

  it('are refused before anything of the body is read', async () => {
    const from = aNetwork()
    const send = () =>
      test.app.inject({
        method: 'POST',
        url: '/v1/auth/session',
        remoteAddress: from,
        headers: { 'content-type': 'application/json' },
        payload: '{',
      })
    expect(new Set(await statuses(BURST, send))).toEqual(new Set([400]))
    expect((await send()).statusCode).toBe(429)
  })

  it('count wherever they go: to addresses that do not exist, with other methods, without a key', async () => {
    const from = aNetwork()
    const urls = ['/nowhere', '/v1/payouts', '/docs/errors', '/v1/public/partners/nobody']
    await statuses(BURST, (n) => ask(from, urls[n % urls.length]))
    const refused = await statuses(urls.length, (n) => ask(from, urls[n]))
    expect(refused).toEqual([429, 429, 429, 429])
  })

  it('are counted for each network alone, which in IPv6 is a /64', async () => {
    await statuses(BURST, (n) => ask(`2001:db8:1:2::${n}`))
    expect((await ask('2001:db8:1:2:ffff::1')).statusCode).toBe(429)
    expect((await ask('2001:db8:1:3::1')).statusCode).toBe(200)
  })

  it('cost a key of the same network nothing, nor a session', async () => {
    const from = aNetwork()
    const { cookie } = await signedIn(test, partner)
    await statuses(BURST + 5, () => ask(from))
    expect((await withKey(from, partner.key)).statusCode).toBe(200)
    expect((await ask(from, '/v1/account', { cookie })).statusCode).toBe(200)
  })

  it('may always ask whether the service is there', async () => {
    const from = aNetwork()
    expect(new Set(await statuses(BURST * 2, () => ask(from, '/healthz')))).toEqual(new Set([200]))
  })
})

describe('requests with two keys', () => {
  it('count as those without one: they name nobody', async () => {
    const own = await startTestApp({ rateLimitPerSecond: 1_000, networkLimitPerSecond: 2 })
    const { port } = new URL(await own.app.listen({ port: 0, host: '127.0.0.1' }))
    const keys = [1, 2].flatMap((nth) => ['Authorization', `Bearer ${unknownKey(nth)}`])
    const headers = ['Host', 'x', ...keys]
    const send = async () => {
      const [answer] = (await once(get({ port, path: '/v1/account', headers }), 'response')) as [IncomingMessage]
      answer.resume()
      return { statusCode: answer.statusCode! }
    }
    expect(new Set(await statuses(BURST, send))).toEqual(new Set([401]))
    expect((await send()).statusCode).toBe(429)
    await own.close()
  })
})

describe('keys and sessions that nobody has', () => {
  it('are looked up thirty times a minute for one network, and no more', async () => {
    const from = aNetwork()
    expect(new Set(await statuses(30, (n) => withKey(from, unknownKey(n))))).toEqual(new Set([401]))
    const refused = await withKey(from, unknownKey(99))
    expect(refused.statusCode).toBe(429)
    expect(refused.json().error.message).toBe(
      'Too many keys or sessions that are not known came from your network. Wait as long as Retry-After says.',
    )
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(2)
    const cookie = `kestrel_session=${'x'.repeat(43)}`
    expect((await ask(from, '/v1/account', { cookie })).statusCode).toBe(429)
    now += 2_000
    expect(await statuses(2, (n) => withKey(from, unknownKey(n)))).toEqual([401, 429])
  })

  it('do not keep out a key of the same network that has been used before', async () => {
    const from = aNetwork()
    expect((await withKey(aNetwork(), partner.key)).statusCode).toBe(200)
    await statuses(31, (n) => withKey(from, unknownKey(n)))
    expect(new Set(await statuses(50, () => withKey(from, partner.key)))).toEqual(new Set([200]))
  })

  it('are also those that were revoked since', async () => {
    const from = aNetwork()
    const other = await aPartner(test)
    expect((await withKey(from, other.key)).statusCode).toBe(200)
    await revokeKey(test.deps, other.keyId)
    const seen = await statuses(32, () => withKey(from, other.key))
    expect(seen).toEqual([...Array.from({ length: 30 }, () => 401), 429, 429])
  })

  it('are not those that cannot be keys at all: looking at them costs nothing', async () => {
    const from = aNetwork()
    const seen = await statuses(BURST, () => withKey(from, 'nonsense'))
    expect(new Set(seen)).toEqual(new Set([401]))
    expect((await withKey(from, unknownKey(1))).statusCode).toBe(401)
  })

  it('are counted before they are looked up, so asking for many at once gets no more looked at one by one', async () => {
    const from = aNetwork()
    const singly = vi.spyOn(test.deps.db.lookup, 'query')
    const replies = await Promise.all(Array.from({ length: 200 }, (_, n) => withKey(from, unknownKey(n))))
    const seen = replies.map(({ statusCode }) => statusCode)
    expect(seen.filter((status) => status === 401)).toHaveLength(30)
    expect(seen.filter((status) => status === 429)).toHaveLength(170)
    const hashes = singly.mock.calls
      .filter(([{ name }]) => name === 'key_holder' || name === 'key_holders')
      .flatMap(([, values]) => values![0])
    expect(hashes).toHaveLength(30)
  })

  it('never keep out a key or a session that is somebody’s, although this process has never seen it', async () => {
    const from = aNetwork()
    await statuses(31, (n) => withKey(from, unknownKey(n)))
    const others = await Promise.all(Array.from({ length: 5 }, () => aPartner(test)))
    const { cookie } = await signedIn(test, partner)
    const asked = vi.spyOn(test.deps.db, 'query')
    const replies = await Promise.all([
      ...others.map(({ key }) => withKey(from, key)),
      ...Array.from({ length: 100 }, (_, n) => withKey(from, unknownKey(n))),
      ask(from, '/v1/account', { cookie }),
    ])
    const seen = replies.map(({ statusCode }) => statusCode)
    expect(seen).toEqual([...others.map(() => 200), ...Array.from({ length: 100 }, () => 429), 200])
    // They are looked up together, not one by one.
    expect(asked.mock.calls.filter(([{ name }]) => name === 'valid_credentials').length).toBeLessThan(5)
    expect((await withKey(from, unknownKey(1))).statusCode).toBe(429)
  })

  it('do not count against a network whose keys and sessions are found', async () => {
    const from = aNetwork()
    const sessions = await Promise.all(Array.from({ length: 40 }, () => signedIn(test, partner)))
    const asked = vi.spyOn(test.deps.db, 'query')
    for (const { cookie } of sessions) expect((await ask(from, '/v1/account', { cookie })).statusCode).toBe(200)
    expect(asked.mock.calls.filter(([{ name }]) => name === 'valid_credentials')).toEqual([])
    expect(new Set(await statuses(30, (n) => withKey(from, unknownKey(n))))).toEqual(new Set([401]))
  })

  it('are not the session of somebody who has just signed in: nobody has to ask about it', async () => {
    const from = aNetwork()
    await statuses(31, (n) => withKey(from, unknownKey(n)))
    const { email } = await signedIn(test, partner)
    const code = await aSignInCode(test, email)
    const payload = { email, code }
    const entered = await test.request({ method: 'POST', url: '/v1/auth/session', payload, remoteAddress: from })
    expect(entered.statusCode).toBe(201)
    const cookie = String(entered.headers['set-cookie']).split(';')[0]!
    const asked = vi.spyOn(test.deps.db, 'query')
    expect((await ask(from, '/v1/account', { cookie })).statusCode).toBe(200)
    expect(asked.mock.calls.filter(([{ name }]) => name === 'valid_credentials')).toEqual([])
  })

  it('are, for the bank, messages with a signature that is not the bank’s', async () => {
    const from = aNetwork()
    const send = () =>
      test.app.inject({ method: 'POST', url: '/v1/bank/webhooks/sandbox', remoteAddress: from, payload: 'x' })
    expect(await statuses(31, send)).toEqual([...Array.from({ length: 30 }, () => 401), 429])
    now += 60_000
    const atOnce = await Promise.all(Array.from({ length: 60 }, send))
    expect(atOnce.filter(({ statusCode }) => statusCode === 401)).toHaveLength(30)
  })

  it('keep out no message of a bank in the same network, nor do wrong signatures keep out keys', async () => {
    const from = aNetwork()
    const send = () =>
      test.app.inject({ method: 'POST', url: '/v1/bank/webhooks/sandbox', remoteAddress: from, payload: 'x' })
    expect(await statuses(31, (n) => withKey(from, unknownKey(n)))).toContain(429)
    // Looked at, and found to be nobody's: it was not turned away before.
    expect(await statuses(31, send)).toEqual([...Array.from({ length: 30 }, () => 401), 429])
    expect((await send()).json().error.message).toBe(
      'Too many messages came from your network whose signature is wrong or still being checked. Wait as long as Retry-After says.',
    )
    const other = aNetwork()
    await statuses(31, () =>
      test.app.inject({ method: 'POST', url: '/v1/bank/webhooks/sandbox', remoteAddress: other, payload: 'x' }),
    )
    expect(await statuses(31, (n) => withKey(other, unknownKey(n)))).toEqual([
      ...Array.from({ length: 30 }, () => 401),
      429,
    ])
  })

  it('leave no trace on the account of anybody', async () => {
    const from = aNetwork()
    await statuses(31, (n) => withKey(from, unknownKey(n)))
    await test.deps.activity.flush()
    expect(await sql(test, 'select 1 from activity where ip = $1', [from])).toEqual([])
  })
})

describe('behind a proxy', () => {
  const through = (forwarded: string) => ask(PROXY, '/v1', { 'x-forwarded-for': forwarded })

  it('the network is the caller’s, whether or not the proxy names a port with it', async () => {
    const from = aNetwork()
    await statuses(BURST, (n) => through(`${from}:${40_000 + n}`))
    expect((await through(from)).statusCode).toBe(429)
    expect((await through(aNetwork())).statusCode).toBe(200)
    await statuses(BURST, (n) => through(`[2001:db8:7:7::${n}]:443`))
    expect((await through('2001:db8:7:7::ffff')).statusCode).toBe(429)
  })

  it('what is no address is one network, however it is written', async () => {
    await statuses(BURST, (n) => through(`unknown-${n}`))
    expect((await through('_hidden')).statusCode).toBe(429)
  })

  it('a key’s activity has the address without the port', async () => {
    const headers = { authorization: `Bearer ${partner.key}`, 'x-forwarded-for': '198.51.100.77:50123' }
    await ask(PROXY, '/v1/account', headers)
    await test.deps.activity.flush()
    expect(await sql(test, `select ip from activity where ip like '198.51.100.%'`)).toEqual([{ ip: '198.51.100.77' }])
  })
})

describe('the limit per network', () => {
  it.each([{ rateLimitPerSecond: 0 }, { rateLimitPerSecond: 5, networkLimitPerSecond: 0 }])(
    'does not exist with %o',
    async (options) => {
      const unlimited = await startTestApp(options)
      const seen = await statuses(600, () => unlimited.request({ url: '/v1' }))
      const keys = await statuses(40, (n) =>
        unlimited.request({ url: '/v1/account', headers: { authorization: `Bearer ${unknownKey(n)}` } }),
      )
      await unlimited.close()
      expect([new Set(seen), new Set(keys)]).toEqual([new Set([200]), new Set([401])])
    },
  )

  it('remembers ten thousand networks and no more, the latest', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1, now: () => 0 })
    for (let n = 0; n < 25_000; n++) limiter.take(`network-${n}`)
    expect(limiter.size).toBe(10_000)
    expect(limiter.take('network-24999').isAllowed).toBe(false)
    expect(limiter.take('network-0').isAllowed).toBe(true)
  })
})
