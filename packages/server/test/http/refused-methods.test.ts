// A method that an address does not have is counted, logged and traced under that address: 405s are seen where they come from.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { LOG_DIR } from '../support/log-dir.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

async function countedRoutes(): Promise<Set<string>> {
  const { body } = await test.app.inject({ url: '/metrics', headers: { host: '127.0.0.1:3000' } })
  const lines = body.split('\n').filter((line) => /^kestrel_http_request_seconds_count\{.*status="405"/.test(line))
  return new Set(lines.map((line) => /route="([^"]*)"/.exec(line)![1]!))
}

function loggedOf(requestId: unknown): unknown {
  const lines = readFileSync(join(LOG_DIR, `${process.pid}.log`), 'utf8').split('\n')
  return JSON.parse(lines.find((line) => line.includes(String(requestId))) ?? '{}')
}

describe('a method that an address does not have', () => {
  it('is counted under the address, on every published one', async () => {
    const { paths } = test.app.swagger() as unknown as { paths: Record<string, object> }
    for (const [path, own] of Object.entries(paths)) {
      const url = path.replaceAll(/\{[^}]+\}/g, 'some-id')
      for (const method of METHODS.filter((each) => !(each.toLowerCase() in own))) {
        expect((await test.request({ method, url })).statusCode).toBe(405)
      }
    }
    const counted = await countedRoutes()
    const published = Object.keys(paths).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1'))
    expect([...counted]).toEqual(expect.arrayContaining(published))
    expect(counted).not.toContain('unknown')
  })

  it.each([
    { url: '/v1/payouts/?limit=1', route: '/v1/payouts' },
    { url: '/v1/payouts/caf%C3%A9', route: '/v1/payouts/:id' },
    { url: '/v1/pay%6futs/some-id', route: '/v1/payouts/:id' },
    { url: '/v1/payouts/pause', route: '/v1/payouts/pause' },
    { url: '/dashboard/assets/x.js', route: '/dashboard/*' },
    { url: '/openapi.json', route: '/openapi.json' },
  ])('at $url is logged under $route', async ({ url, route }) => {
    const reply = await test.request({ method: 'DELETE', url })
    expect(reply.statusCode).toBe(405)
    expect(loggedOf(reply.headers['x-request-id'])).toMatchObject({ method: 'DELETE', route, status: 405 })
  })

  it('at no address of ours is logged under none', async () => {
    const reply = await test.request({ method: 'DELETE', url: '/v1/nowhere' })
    expect(loggedOf(reply.headers['x-request-id'])).toMatchObject({ route: 'unknown', status: 404 })
  })
})
