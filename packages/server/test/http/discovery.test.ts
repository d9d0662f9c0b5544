import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, PUBLIC_URL, startTestApp } from '../support/app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const DISCOVERY = { name: 'Kestrel Payouts', version: '1.3.0', docs: `${PUBLIC_URL}/docs` }

describe.each(['/', '/v1'])('GET %s, 200', (url) => {
  it('says what the service is, its release and where it is described, to anybody', async () => {
    const reply = await test.request({ url })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual(DISCOVERY)
  })

  it.each([
    { authorization: 'Bearer kp_sandbox_nonsense', why: 'no key' },
    { authorization: `Bearer kp_sandbox_${'0'.repeat(48)}`, why: 'a key that nobody has' },
  ])('does not look at credentials: $why', async ({ authorization }) => {
    const reply = await test.request({ url, headers: { authorization } })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual(DISCOVERY)
  })

  it('carries the release of the published description', async () => {
    const document = await test.request({ url: '/openapi.json' })
    const reply = await test.request({ url })
    expect(reply.json().version).toBe(document.json().info.version)
  })
})

describe('GET /v1/, 200', () => {
  it('is the same address as /v1', async () => {
    const reply = await test.request({ url: '/v1/' })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual(DISCOVERY)
  })
})
