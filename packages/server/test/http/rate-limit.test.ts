import { EventEmitter, once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { RateLimiter } from '../../src/http/limits/rate-limit.ts'
import { Shares } from '../../src/http/limits/shares.ts'
import { statement } from '../../src/storage/sql.ts'
import { PUBLIC_URL, type TestApp, startTestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  aRecipient,
  balanceOf,
  createPayout,
  get,
  inLive,
  post,
  sql,
} from '../support/fixtures.ts'
import { plainPng } from '../support/images.ts'
import { signedIn } from '../support/sessions.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ rateLimitPerSecond: 5 })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await test.close()
})

/** Stops the limiter's own clock; the returned function moves it on. */
function stopTheClock(): (milliseconds: number) => void {
  let now = Math.round(performance.now())
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  return (milliseconds) => (now += milliseconds)
}

async function spend(partner: Pick<TestPartner, 'key'>, requests: number): Promise<number[]> {
  const statuses: number[] = []
  for (let count = 0; count < requests; count++) statuses.push((await get(test, partner, '/v1/account')).statusCode)
  return statuses
}

describe('more requests than a key may make, 429', () => {
  it('come after a burst of twice the rate, and say when to try again', async () => {
    stopTheClock()
    const partner = await aPartner(test)
    expect(await spend(partner, 10)).toEqual(Array.from({ length: 10 }, () => 200))
    const reply = await get(test, partner, '/v1/account')
    expect(reply.statusCode).toBe(429)
    expect(reply.json().error.code).toBe('rate_limited')
    expect(reply.headers['retry-after']).toBe('1')
  })

  it('are announced: the headers count down', async () => {
    stopTheClock()
    const partner = await aPartner(test)
    const seen: unknown[] = []
    for (let count = 0; count < 12; count++) {
      const { headers } = await get(test, partner, '/v1/account')
      seen.push([headers['ratelimit-limit'], headers['ratelimit-remaining'], headers['ratelimit-reset']])
    }
    expect(seen).toEqual([
      ...[9, 8, 7, 6, 5].map((left) => ['10', String(left), '1']),
      ...[4, 3, 2, 1, 0].map((left) => ['10', String(left), '2']),
      ['10', '0', '2'],
      ['10', '0', '2'],
    ])
  })

  it('are allowed again one by one as time goes by', async () => {
    const advance = stopTheClock()
    const partner = await aPartner(test)
    await spend(partner, 10)
    expect(await spend(partner, 1)).toEqual([429])
    advance(200)
    expect(await spend(partner, 2)).toEqual([200, 429])
    advance(1_000)
    expect(await spend(partner, 6)).toEqual([200, 200, 200, 200, 200, 429])
  })

  it('are counted for each key alone', async () => {
    stopTheClock()
    const partner = await aPartner(test)
    const live = await inLive(test, partner)
    await spend(partner, 10)
    expect(await spend(partner, 1)).toEqual([429])
    expect(await spend(live, 1)).toEqual([200])
    expect(await spend(await aPartner(test), 1)).toEqual([200])
  })

  it('create nothing: a payout beyond the limit moves no money', async () => {
    stopTheClock()
    const partner = await aPartner(test)
    await spend(partner, 10)
    const before = await balanceOf(test, partner)
    const reply = await createPayout(test, partner)
    expect(reply.statusCode).toBe(429)
    expect(await balanceOf(test, partner)).toBe(before)
  })

  it('are recorded in activity', async () => {
    stopTheClock()
    const partner = await aPartner(test)
    await spend(partner, 11)
    await test.deps.activity.flush()
    const text = 'select status, detail from activity where partner_id = $1 and status = 429'
    expect(await sql(test, text, [partner.id])).toEqual([{ status: 429, detail: 'rate_limited' }])
  })

  it('leave one entry per minute for a caller and what it asked, however many they are', async () => {
    const advance = stopTheClock()
    const partner = await aPartner(test)
    await spend(partner, 10)
    expect(new Set(await spend(partner, 300))).toEqual(new Set([429]))
    await test.deps.activity.flush()
    const refused = 'select action, detail from activity where partner_id = $1 and status = 429'
    expect(await sql(test, refused, [partner.id])).toEqual([
      { action: 'account.read', detail: 'rate_limited, 300 requests within a minute' },
    ])
    advance(3_000)
    const { data } = (await get(test, partner, '/v1/activity?status_class=4xx')).json()
    expect(data).toMatchObject([{ status: 429, detail: 'rate_limited, 300 requests within a minute' }])
  })

  it('leave one entry again in the same minute for whoever reads in between, and none is counted twice', async () => {
    const advance = stopTheClock()
    const partner = await aPartner(test)
    await spend(partner, 17)
    await test.deps.activity.flush()
    await spend(partner, 3)
    await test.deps.activity.flush()
    await test.deps.activity.flush()
    expect(await refusals(partner)).toEqual([
      { status: 429, detail: 'rate_limited, 3 requests within a minute', entries: 1 },
      { status: 429, detail: 'rate_limited, 7 requests within a minute', entries: 1 },
    ])
    advance(3_000)
    expect(await spend(partner, 1)).toEqual([200])
  })

  it('come before 403: a suspended partner is limited too', async () => {
    stopTheClock()
    const partner = await aPartner(test)
    await sql(test, `update partners set status = 'suspended' where id = $1`, [partner.id])
    expect(await spend(partner, 11)).toEqual([...Array.from({ length: 10 }, () => 403), 429])
  })

  it('do not exist where no key is needed', async () => {
    stopTheClock()
    for (let count = 0; count < 15; count++) {
      const reply = await test.request({ url: '/v1' })
      expect(reply.statusCode).toBe(200)
      expect(reply.headers['ratelimit-limit']).toBe(undefined)
    }
  })

  it('do not exist when the rate is 0', async () => {
    const unlimited = await startTestApp({ rateLimitPerSecond: 0 })
    const partner = await aPartner(unlimited)
    const replies = await Promise.all(Array.from({ length: 250 }, () => get(unlimited, partner, '/v1/account')))
    await unlimited.close()
    expect(new Set(replies.map((reply) => reply.statusCode))).toEqual(new Set([200]))
    expect(replies.filter((reply) => reply.headers['ratelimit-limit'] !== undefined)).toEqual([])
  })
})

const refusals = (partner: TestPartner) =>
  sql(
    test,
    `select status, detail, count(*)::int as entries from activity
      where partner_id = $1 and status >= 400 group by 1, 2 order by 1, 2`,
    [partner.id],
  )

describe('any other refusal', () => {
  it('of a suspended partner leaves one entry per minute, however often it asks', async () => {
    const advance = stopTheClock()
    const partner = await aPartner(test)
    await sql(test, `update partners set status = 'suspended' where id = $1`, [partner.id])
    for (let second = 0; second < 30; second++) {
      expect(new Set(await spend(partner, 5))).toEqual(new Set([403]))
      advance(1_000)
    }
    await test.deps.activity.flush()
    expect(await refusals(partner)).toEqual([
      { status: 403, detail: 'partner_not_active, 150 requests within a minute', entries: 1 },
    ])
  })

  it('stands by itself twenty times per minute; more of the same kind are counted', async () => {
    const advance = stopTheClock()
    const partner = await aPartner(test)
    const unknown = '/v1/payouts/01a0f67a-3800-70ed-9995-31985d5d9dc9'
    for (let count = 0; count < 50; count++) {
      expect((await get(test, partner, unknown)).statusCode).toBe(404)
      advance(200)
    }
    expect((await get(test, partner, '/v1/payouts?limit=0')).statusCode).toBe(422)
    await test.deps.activity.flush()
    expect(await refusals(partner)).toEqual([
      { status: 404, detail: 'not_found', entries: 20 },
      { status: 404, detail: 'not_found, 30 requests within a minute', entries: 1 },
      { status: 422, detail: 'invalid_request', entries: 1 },
    ])
  })
})

describe('what costs more than a plain read', () => {
  it.each([
    { url: '/v1/payouts/export.csv', cost: 50 },
    { url: '/v1/activity/export.csv', cost: 50 },
    { url: '/v1/statement.csv', cost: 50 },
    { url: '/v1/payouts/{id}/receipt.pdf', cost: 25 },
    { url: '/v1/payouts/summary', cost: 10 },
    { url: '/v1/payouts/daily', cost: 10 },
    { url: '/v1/recipients', cost: 10 },
    { url: '/v1/statement', cost: 10 },
    { url: '/v1/activity', cost: 5 },
    { url: '/v1/payouts?limit=200', cost: 8 },
    { url: '/v1/payouts?limit=26', cost: 2 },
    { url: '/v1/payouts?limit=25', cost: 1 },
    { url: '/v1/payouts', cost: 2 },
  ])('is counted as such, and the headers say so: $url as $cost', async ({ url, cost }) => {
    stopTheClock()
    const usual = await startTestApp({ rateLimitPerSecond: 100 })
    const partner = await aPartner(usual)
    const { id } = (await createPayout(usual, partner)).json<{ id: string }>()
    const { headers, statusCode } = await get(usual, partner, url.replace('{id}', id))
    expect([statusCode, headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([
      200,
      '200',
      String(200 - 1 - cost),
    ])
    await usual.close()
  })

  it('can always be asked for once, however low the limit is', async () => {
    stopTheClock()
    const partner = await aPartner(test)
    expect((await get(test, partner, '/v1/payouts/export.csv')).statusCode).toBe(200)
    const refused = await get(test, partner, '/v1/account')
    expect([refused.statusCode, refused.headers['ratelimit-remaining']]).toEqual([429, '0'])
  })

  it('is a quote that asks what was paid before: 25, where a quote alone is one', async () => {
    const usual = await startTestApp({ rateLimitPerSecond: 100 })
    stopTheClock()
    const partner = await aPartner(usual)
    const quote = (body: object) => post(usual, partner, '/v1/quotes', { amount_gbp: '25.00', ...body })
    expect((await quote({})).headers['ratelimit-remaining']).toBe('199')
    const recipient = aRecipient()
    expect((await quote({ recipient })).headers['ratelimit-remaining']).toBe('174')
    const statuses: number[] = []
    for (let count = 0; count < 7; count++) statuses.push((await quote({ recipient })).statusCode)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
    await usual.close()
    const small = await aPartner(test)
    expect((await post(test, small, '/v1/quotes', { amount_gbp: '25.00', recipient })).statusCode).toBe(200)
  })

  it('is under way twice for one partner, with all of its keys, and no more: exports', async () => {
    const usual = await startTestApp({ rateLimitPerSecond: 10_000 })
    const [partner, other] = [await aPartner(usual), await aPartner(usual)]
    const live = await inLive(usual, partner)
    const replies: Promise<{ statusCode: number; body: string }>[] = []
    await usual.deps.db.inTransaction(async (tx) => {
      // Nobody reads a payout while this is open, so every export that was let in is under way.
      await tx.query(statement('', 'lock table payouts in access exclusive mode'))
      for (const who of [partner, live, partner, live, partner]) replies.push(get(usual, who, '/v1/payouts/export.csv'))
      const refused: number[] = []
      await new Promise<void>((resolve) => {
        for (const reply of replies) void reply.then(() => refused.push(429) === 3 && resolve())
      })
      replies.push(get(usual, other, '/v1/payouts/export.csv'))
    })
    const all = await Promise.all(replies)
    expect(all.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429, 429])
    expect(all.find(({ statusCode }) => statusCode === 429)?.body).toContain(
      'There are 2 exports of this business under way already.',
    )
    expect((await get(usual, partner, '/v1/payouts/export.csv')).statusCode).toBe(200)
    await usual.close()
  })

  it('gives its share back when the work is over and the answer written, or nobody there to read it', () => {
    const shares = new Shares()
    const answers = Array.from({ length: 3 }, () => new EventEmitter())
    const [first, second, third] = answers.map((answer) => shares.take('documents', 'partner', answer))
    const another = () => shares.take('documents', 'partner', new EventEmitter())
    expect(another).toThrow('There are 3 documents')
    expect(() => shares.take('exports', 'partner', new EventEmitter())).not.toThrow()
    expect(() => shares.take('documents', 'other', new EventEmitter())).not.toThrow()
    answers[0]!.emit('finish')
    answers[0]!.emit('close')
    expect(another).toThrow('under way already')
    first!()
    first!()
    expect(another).not.toThrow()
    expect(another).toThrow('under way already')
    second!()
    third!()
    expect(another).toThrow('under way already')
    answers[1]!.emit('close')
    expect(another).not.toThrow()
    const gone = Object.assign(new EventEmitter(), { destroyed: true })
    for (let count = 0; count < 10; count++) shares.take('pictures', 'partner', gone)()
    expect(() => shares.take('pictures', 'partner', new EventEmitter())).not.toThrow()
  })

  it('is still under way when whoever asked for it has hung up: documents and pictures', async () => {
    const usual = await startTestApp({ rateLimitPerSecond: 10_000 })
    await usual.app.listen({ port: 0, host: '127.0.0.1' })
    const address = usual.app.listeningOrigin
    const [partner, other] = [await aPartner(usual), await aPartner(usual)]
    const [paid, others] = [await createPayout(usual, partner), await createPayout(usual, other)]
    const { cookie } = await signedIn(usual, partner)
    const receipt = {
      path: `/v1/payouts/${paid.json().id}/receipt.pdf`,
      headers: { authorization: `Bearer ${partner.key}` },
    }
    const headers = { cookie, origin: PUBLIC_URL, 'content-type': 'image/png' }
    const logo = { path: '/v1/settings/logo', method: 'PUT', headers }
    const ask = (wanted: typeof receipt | typeof logo) =>
      request(`${address}${wanted.path}`, { ...wanted, agent: false })
        .on('error', () => undefined)
        .end('method' in wanted ? plainPng(20, 10) : undefined)
    const statusOf = async (asked: ClientRequest) => {
      const [reply] = (await once(asked, 'response')) as [IncomingMessage]
      reply.resume()
      return reply.statusCode
    }
    const draw = usual.deps.studio.receipt
    let open = () => {}
    const gate = new Promise<void>((resolve) => (open = resolve))
    const receiptLater: typeof draw = (...given) => gate.then(() => draw(...given))
    Object.assign(usual.deps.studio, { receipt: receiptLater })
    await usual.owner.inTransaction(async (tx) => {
      // Nobody draws a receipt or changes this partner while this is open, so whatever was let in is under way.
      await tx.query(statement('', 'select 1 from partners where id = $1 for update'), [partner.id])
      const asked = [receipt, receipt, receipt, receipt, logo, logo, logo].map(ask)
      const statuses: unknown[] = []
      for (const each of asked) {
        void statusOf(each).then(
          (status) => statuses.push(status),
          () => undefined,
        )
      }
      await vi.waitFor(() => expect(statuses).toEqual([429, 429]), { timeout: 30_000 })
      for (const each of asked) each.destroy()
      await vi.waitFor(async () => expect(await connectionsOf(usual)).toBe(0), { timeout: 30_000 })
      // The service has seen that they are gone, and is making what they asked for.
      expect(await Promise.all([receipt, logo].map((each) => statusOf(ask(each))))).toEqual([429, 429])
      open()
    })
    await vi.waitFor(
      async () => expect(await Promise.all([receipt, logo].map((each) => statusOf(ask(each))))).toEqual([200, 200]),
      { timeout: 30_000 },
    )
    expect((await get(usual, other, `/v1/payouts/${others.json().id}/receipt.pdf`)).statusCode).toBe(200)
    await usual.close()
  })

  it('is not kept by an upload that breaks off in the middle', async () => {
    const usual = await startTestApp({ rateLimitPerSecond: 10_000 })
    await usual.app.listen({ port: 0, host: '127.0.0.1' })
    const { cookie } = await signedIn(usual, await aPartner(usual))
    const headers = { cookie, origin: PUBLIC_URL, 'content-type': 'image/png' }
    const url = `${usual.app.listeningOrigin}/v1/settings/logo`
    const begin = () => {
      const upload = request(url, { method: 'PUT', agent: false, headers: { ...headers, 'content-length': '5000' } })
      upload.on('error', () => undefined).write('half of a picture')
      return upload
    }
    const logo = () => usual.request({ method: 'PUT', url: '/v1/settings/logo', headers, payload: plainPng(20, 10) })
    const uploads = [begin(), begin(), begin()]
    // One of three is refused: the other two have been let in.
    await Promise.race(uploads.map((upload) => once(upload, 'response')))
    expect((await logo()).statusCode).toBe(429)
    for (const upload of uploads) upload.destroy()
    await vi.waitFor(async () => expect((await logo()).statusCode).toBe(200), { timeout: 30_000 })
    await usual.close()
  })
})

function connectionsOf({ app }: TestApp): Promise<number> {
  return new Promise((resolve, reject) =>
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  )
}

describe('RateLimiter', () => {
  function aLimiter(options: { perSecond: number; burst: number; start?: number }) {
    let now = options.start ?? 0
    const limiter = new RateLimiter({ ...options, now: () => now })
    return {
      take: (key = 'key', cost = 1) => limiter.take(key, cost),
      advance: (milliseconds: number) => (now += milliseconds),
    }
  }

  it('allows a burst and then says how long to wait', () => {
    const { take } = aLimiter({ perSecond: 1, burst: 3 })
    expect(take()).toEqual({ isAllowed: true, limit: 3, remaining: 2, resetSeconds: 1, retryAfterSeconds: 0 })
    expect(take()).toEqual({ isAllowed: true, limit: 3, remaining: 1, resetSeconds: 2, retryAfterSeconds: 0 })
    expect(take()).toEqual({ isAllowed: true, limit: 3, remaining: 0, resetSeconds: 3, retryAfterSeconds: 0 })
    expect(take()).toEqual({ isAllowed: false, limit: 3, remaining: 0, resetSeconds: 3, retryAfterSeconds: 1 })
  })

  it('counts what costs more as so many, and says how long to wait for it', () => {
    const { take, advance } = aLimiter({ perSecond: 1, burst: 10 })
    expect(take('key', 4)).toMatchObject({ isAllowed: true, remaining: 6 })
    expect(take('key', 7)).toMatchObject({ isAllowed: false, remaining: 6, retryAfterSeconds: 1 })
    expect(take('key', 6)).toMatchObject({ isAllowed: true, remaining: 0 })
    expect(take('key', 5)).toMatchObject({ isAllowed: false, remaining: 0, retryAfterSeconds: 5 })
    advance(5_000)
    expect(take('key', 5)).toMatchObject({ isAllowed: true, remaining: 0 })
    expect(take('other', 500)).toMatchObject({ isAllowed: true, remaining: 0 })
  })

  it('does not make the wait longer for whoever keeps asking', () => {
    const { take, advance } = aLimiter({ perSecond: 1, burst: 1 })
    take()
    for (let count = 0; count < 100; count++) expect(take().isAllowed).toBe(false)
    advance(1_000)
    expect(take().isAllowed).toBe(true)
  })

  it('gives the whole burst back after a rest, and never more', () => {
    const { take, advance } = aLimiter({ perSecond: 10, burst: 20 })
    for (let count = 0; count < 20; count++) take()
    advance(3_600_000)
    const verdicts = Array.from({ length: 21 }, () => take().isAllowed)
    expect(verdicts.filter(Boolean).length).toBe(20)
  })

  it('counts each key alone', () => {
    const { take } = aLimiter({ perSecond: 1, burst: 1 })
    expect([take('a'), take('a'), take('b')].map(({ isAllowed }) => isAllowed)).toEqual([true, false, true])
  })

  it('forgets keys that rest, and none that are limited', () => {
    const { take, advance } = aLimiter({ perSecond: 1, burst: 1 })
    for (let count = 0; count < 10_000; count++) take(`idle-${count}`)
    advance(900)
    take('busy')
    advance(200)
    take('one more')
    expect(take('busy').isAllowed).toBe(false)
    expect(take('idle-0').isAllowed).toBe(true)
  })

  it('allows exactly the burst at one moment, whatever the rate and the moment', () => {
    const moments = fc.double({ min: 0, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 1, max: 50 }),
        moments,
        (perSecond, burst, start) => {
          const { take } = aLimiter({ perSecond, burst, start })
          const verdicts = Array.from({ length: burst + 2 }, () => take())
          expect(verdicts.map(({ isAllowed }) => isAllowed)).toEqual(verdicts.map((_, index) => index < burst))
          expect(verdicts.map(({ remaining }) => remaining)).toEqual(
            verdicts.map((_, index) => Math.max(0, burst - index - 1)),
          )
        },
      ),
      { examples: [[21, 8, 0]] },
    )
  })

  it('keeps its word: whoever waits as long as it says is allowed', () => {
    const moments = fc.double({ min: 0, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 1, max: 50 }),
        moments,
        (perSecond, burst, start) => {
          const { take, advance } = aLimiter({ perSecond, burst, start })
          let verdict = take()
          while (verdict.isAllowed) verdict = take()
          expect(verdict.retryAfterSeconds).toBeGreaterThanOrEqual(1)
          advance(verdict.retryAfterSeconds * 1_000)
          expect(take().isAllowed).toBe(true)
        },
      ),
      { examples: [[9, 4, 0]] },
    )
  })

  it('never allows more than the burst and the rate together, over any while', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        gaps,
        (perSecond, burst, pauses) => {
          const { take, advance } = aLimiter({ perSecond, burst })
          let allowed = 0
          let elapsed = 0
          for (const pause of pauses) {
            advance(pause)
            elapsed += pause
            if (take().isAllowed) allowed++
          }
          expect(allowed).toBeLessThanOrEqual(burst + Math.ceil((elapsed * perSecond) / 1_000))
        },
      ),
    )
  })
})
