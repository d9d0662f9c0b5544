// Who may read the figures: this machine and nobody through it, or whoever has the token. And what they say of payouts
// whose answer does not come.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { UNKNOWN_REASON } from '../../src/domain/watch/read-watch.ts'
import { closeAlarm, listAlarms } from '../../src/storage/alarms.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout } from '../support/fixtures.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

interface Look {
  readonly headers?: Record<string, string>
  readonly remoteAddress?: string
}

const read = (options: Look = {}) =>
  test.app.inject({ url: '/metrics', ...options, headers: { host: '127.0.0.1:3000', ...options.headers } })

describe('GET /metrics without a token', () => {
  it('answers to this machine', async () => {
    const reply = await read()
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toContain('kestrel_http_request_seconds')
  })

  it.each([
    ['another machine', { remoteAddress: '203.0.113.9' }],
    ['a proxy on this machine', { headers: { 'x-forwarded-for': '203.0.113.9' } }],
    ['another kind of proxy', { headers: { forwarded: 'for=203.0.113.9' } }],
    ['a page whose name was made to point here', { headers: { host: 'evil.example:3000' } }],
    ['one whose name begins like this machine’s', { headers: { host: 'localhost.evil.example' } }],
  ])('is not there for %s', async (_who, options: Look) => {
    expect((await read(options)).statusCode).toBe(404)
  })

  it('is not there while all the world is listened to: then even a stranger may look like this machine', async () => {
    const own = await startTestApp()
    const url = await own.app.listen({ host: '0.0.0.0', port: 0 })
    const address = `http://127.0.0.1:${new URL(url).port}`
    expect((await fetch(`${address}/metrics`)).status).toBe(404)
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
    await own.close()
  })
})

describe('GET /metrics with a token', () => {
  it('wants it from everybody, and then answers through proxies too', async () => {
    const own = await startTestApp({ metricsToken: 'for-prometheus' })
    const ask = (authorization: string | undefined) =>
      own.app.inject({
        url: '/metrics',
        headers: {
          host: 'pay.example.com',
          'x-forwarded-for': '203.0.113.9',
          ...(authorization === undefined ? {} : { authorization }),
        },
      })
    for (const wrong of [undefined, 'Bearer', 'Bearer for-prometheu', 'Bearer for-prometheuss', 'for-prometheus']) {
      expect((await ask(wrong)).statusCode).toBe(401)
    }
    expect((await ask('Bearer for-prometheus')).statusCode).toBe(200)
    await own.close()
  })
})

describe('the figures of payouts that nobody has answered', () => {
  const MINUTE_MS = 60_000
  const figure = async (name: string) => {
    const line = `${name}{environment="sandbox",status="pending"} `
    const { body } = await read()
    return body
      .split('\n')
      .find((each) => each.startsWith(line))
      ?.slice(line.length)
  }
  const figures = async () => ({
    unfinished: await figure('kestrel_payouts_unfinished'),
    old: await figure('kestrel_payouts_over_15_minutes'),
  })

  const aPendingOne = async (partner: TestPartner) =>
    expect((await createPayout(test, partner, { reference: 'sandbox:late' })).json()).toMatchObject({
      status: 'pending',
    })

  it('count each of them at once, as old after 15 minutes, and none that has its answer', async () => {
    const partner = await aPartner(test)
    expect(await figures()).toEqual({ unfinished: undefined, old: undefined })
    await aPendingOne(partner)
    expect(await figures()).toEqual({ unfinished: '1', old: '0' })
    test.clock.advance(14 * MINUTE_MS)
    expect(await figures()).toEqual({ unfinished: '1', old: '0' })
    test.clock.advance(MINUTE_MS + 1_000)
    expect(await figures()).toEqual({ unfinished: '1', old: '1' })
    await aPendingOne(partner)
    expect(await figures()).toEqual({ unfinished: '2', old: '1' })
    test.clock.advance(MINUTE_MS)
    await test.follow()
    expect(await figures()).toEqual({ unfinished: undefined, old: undefined })
  })
})

describe('the figure of reasons that nobody knows', () => {
  const lines = async () =>
    (await read()).body.split('\n').filter((line) => line.startsWith('kestrel_bank_reasons_unknown'))
  const ring = (code: string) => test.deps.alarms.ring(UNKNOWN_REASON, { environment: 'live', code })

  it('counts payouts by the code, until somebody closes the alarm', async () => {
    expect(await lines()).toEqual([])
    for (const code of ['ZZ99', 'none', 'ZZ99']) ring(code)
    await test.deps.alarms.settled()
    expect((await lines()).toSorted()).toEqual([
      'kestrel_bank_reasons_unknown{environment="live",code="ZZ99"} 2',
      'kestrel_bank_reasons_unknown{environment="live",code="none"} 1',
    ])
    const open = await listAlarms(test.deps.db, { withClosed: false, most: 10 })
    const known = open.find(({ about }) => about['code'] === 'ZZ99')!
    await test.deps.db.inTransaction((tx) => closeAlarm(tx, known.id, test.clock.now()))
    expect(await lines()).toEqual(['kestrel_bank_reasons_unknown{environment="live",code="none"} 1'])
  })
})
