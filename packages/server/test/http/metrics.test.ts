// Who may read the figures: this machine and nobody through it, or whoever has the token.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'

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
