// Requests through a proxy that TRUST_PROXY does not name share one network's limits: the operator is told of it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { proxyFinding } from '../../src/cli/watch-findings.ts'
import { readUnnamedProxies } from '../../src/domain/watch/proxy-book.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { sql } from '../support/fixtures.ts'

const NAMED = '10.9.8.7'
const MINUTE_MS = 60_000
let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ trustProxy: [NAMED] })
})
afterAll(() => test.close())
beforeEach(async () => {
  await sql(test, 'delete from unnamed_proxies')
  // What is seen is written at most every five minutes.
  test.clock.advance(5 * MINUTE_MS)
})

const through = (remoteAddress: string, forwarded: string) =>
  test.app.inject({ url: '/v1', remoteAddress, headers: { 'x-forwarded-for': forwarded } })
const seen = async () => {
  await expect.poll(() => readUnnamedProxies(test.deps)).not.toEqual([])
  return (await readUnnamedProxies(test.deps)).map(({ network }) => network)
}
const counted = async () => {
  const { body } = await test.app.inject({ url: '/metrics', headers: { host: '127.0.0.1' } })
  return Number(/^kestrel_http_requests_forwarded_unnamed_total (\d+)$/m.exec(body)![1])
}

describe('a proxy that is not named', () => {
  it('is told of by doctor, with what to name, and no longer once it is named', async () => {
    const before = await counted()
    for (const caller of ['203.0.113.1', '203.0.113.2', '2001:db8::1']) await through('10.1.1.1', caller)
    expect(await seen()).toEqual(['10.1.1.1'])
    expect(await counted()).toBe(before + 3)
    const [rows, none] = [await readUnnamedProxies(test.deps), { status: 'ok', name: 'Proxies' }]
    expect(proxyFinding(rows, { trustProxy: [NAMED] })).toEqual({
      name: 'Proxies',
      status: 'warning',
      detail:
        '10.1.1.1 forwards requests of several callers, who share the limits of one network. If it is a proxy of yours, name it in TRUST_PROXY',
    })
    expect(proxyFinding(rows, { trustProxy: ['10.1.0.0/16'] })).toMatchObject(none)
    expect(proxyFinding([{ network: '2001:db8:0:1::/64' }], { trustProxy: ['2001:db8:0:1::5'] })).toMatchObject(none)
    expect(proxyFinding([], { trustProxy: [] })).toMatchObject(none)
    test.clock.advance(25 * 60 * MINUTE_MS)
    expect(await readUnnamedProxies(test.deps)).toEqual([])
  })

  it('is the one before those that are named, and is found behind them', async () => {
    for (const caller of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) await through(NAMED, `${caller}, 10.1.1.2`)
    expect(await seen()).toEqual(['10.1.1.2'])
  })

  it('is not a caller who says one other address, nor a proxy that is named, nor what is no address', async () => {
    const before = await counted()
    for (let time = 0; time < 5; time++) {
      await through('203.0.113.9', '198.51.100.1')
      await through(NAMED, `203.0.113.${time}`)
      await through('203.0.113.8', `unknown, _hidden${time}`)
    }
    expect(await counted()).toBe(before + 5)
    for (const caller of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) await through('10.1.1.3', caller)
    expect(await seen()).toEqual(['10.1.1.3'])
  })

  it('is not hidden by a thousand callers who say that they forward', async () => {
    const real = '10.1.1.4'
    for (let round = 0; round < 8; round++) {
      test.clock.advance(5 * MINUTE_MS)
      for (let caller = 0; caller < 12; caller++) await through(real, `203.0.113.${caller}`)
      for (let liar = 0; liar < 10; liar++) {
        for (let claim = 0; claim < 3; claim++) await through(`198.51.${round}.${liar}`, `203.0.${claim}.1`)
      }
    }
    test.clock.advance(5 * MINUTE_MS)
    await through(real, '203.0.113.1')
    await expect.poll(async () => (await seen())[0]).toBe(real)
    expect((await seen()).length).toBeLessThanOrEqual(20)
  })
})
