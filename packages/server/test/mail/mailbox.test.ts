// The mailbox holds codes: it is there without a mail server only, and for this machine only.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { queueMail } from '../../src/domain/mail/queue-mail.ts'
import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { apiOptions } from '../../src/serve/dashboard-options.ts'
import { readConfig } from '../../src/config/config.ts'
import { type TestApp, startTestApp } from '../support/app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ dashboard: { hasMailbox: true } })
  const mail = { to: 'amara@thistle.test', subject: '<b>042424</b> is it', text: 'a & b', html: '<p>In HTML</p>' }
  await test.deps.db.inTransaction(async (tx) => queueMail(tx, test.deps, { kind: 'test', mail, usefulUntil: null }))
})
afterAll(() => test.close())

const look = (options: { url?: string; headers?: Record<string, string>; remoteAddress?: string } = {}) =>
  test.app.inject({ url: '/mailbox', ...options, headers: { host: 'localhost:3000', ...options.headers } })

describe('GET /mailbox', () => {
  it('shows each mail, escaped, with its text, and its HTML in a frame', async () => {
    const reply = await look()
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toContain('&lt;b&gt;042424&lt;/b&gt; is it')
    expect(reply.body).toContain('a &amp; b')
    const [mail] = await readMailbox(test.deps)
    expect(reply.body).toContain(`src="/mailbox/${mail!.id}"`)
    const framed = await look({ url: `/mailbox/${mail!.id}` })
    expect(framed.body).toBe('<p>In HTML</p>')
    expect(framed.headers['content-security-policy']).toContain('sandbox')
    expect((await look({ url: '/mailbox/none' })).statusCode).toBe(404)
  })

  it.each([
    ['another machine', { remoteAddress: '192.0.2.7' }],
    ['a name that was made to point here', { headers: { host: 'evil.example:3000' } }],
    ['a proxy on this machine', { headers: { 'x-forwarded-for': '192.0.2.7' } }],
    ['another kind of proxy', { headers: { via: '1.1 squid' } }],
  ])('is not there for %s', async (_who, options) => {
    expect((await look(options)).statusCode).toBe(404)
  })

  it('is not there unless it is wanted', async () => {
    const own = await startTestApp()
    expect((await own.app.inject({ url: '/mailbox' })).statusCode).toBe(404)
    await own.close()
  })

  it.each([
    [true, {}, 'http://127.0.0.1:3000', true],
    [false, {}, 'http://127.0.0.1:3000', false],
    [true, { DATABASE_URL: 'postgres://db/kestrel' }, 'http://127.0.0.1:3000', false],
    [true, {}, 'https://pay.example.com', false],
    [true, {}, 'http://localhost.example.com', false],
  ])('exists for this machine’s own service only (%#)', (keepsMail, env, publicUrl, expected) => {
    expect(apiOptions(readConfig(env), publicUrl, keepsMail).dashboard?.hasMailbox).toBe(expected)
  })
})
