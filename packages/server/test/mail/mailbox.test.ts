// The mailbox holds codes: it is there without a mail server only, for this machine only, and for whoever was shown its
// token.
import { randomBytes } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { queueMail } from '../../src/domain/mail/queue-mail.ts'
import { type KeptMail, readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { apiOptions } from '../../src/serve/dashboard-options.ts'
import { readConfig } from '../../src/config/config.ts'
import { type TestApp, startTestApp } from '../support/app.ts'

const TOKEN = 'b1f0c2'.repeat(8)
const PDF = Buffer.from('%PDF-1.7 of a test')

let test: TestApp
let unescaped: KeptMail
beforeAll(async () => {
  test = await startTestApp({ dashboard: { mailboxToken: TOKEN } })
  const mail = {
    to: 'amara@thistle.test',
    subject: '<b>042424</b> is it',
    text: 'a & b',
    html: '<p>In HTML</p>',
    attachments: [
      { fileName: 'KP-2026-000001.pdf', contentType: 'application/pdf', base64: PDF.toString('base64') },
      { fileName: 'page "of" a.html', contentType: 'text/html', base64: Buffer.from('<script>').toString('base64') },
    ],
  }
  await test.deps.db.inTransaction(async (tx) => queueMail(tx, test.deps, { kind: 'test', mail, usefulUntil: null }))
  unescaped = (await readMailbox(test.deps))[0]!
})
afterAll(() => test.close())

interface Look {
  readonly url?: string
  readonly headers?: Record<string, string>
  readonly remoteAddress?: string
}

const lookWithout = (options: Look = {}) =>
  test.app.inject({ url: '/mailbox', ...options, headers: { host: 'localhost:3000', ...options.headers } })
/** As a browser that has come by the printed address. */
const look = (options: Look = {}) =>
  lookWithout({ ...options, headers: { cookie: `a=b; kestrel_mailbox=${TOKEN}`, ...options.headers } })

describe('a mail that was sealed with a key that is gone', () => {
  it('hides no other', async () => {
    const others = { ...test.deps, secrets: { ...test.deps.secrets, sealKey: randomBytes(32) } }
    const mail = { to: 'amara@thistle.test', subject: 'Lost', text: 'a', html: 'b' }
    await test.deps.db.inTransaction(async (tx) => queueMail(tx, others, { kind: 'test', mail, usefulUntil: null }))
    expect((await readMailbox(test.deps)).map(({ id }) => id)).toEqual([unescaped.id])
    expect((await look()).body).toContain('042424')
  })
})

describe('the address that is printed', () => {
  it('opens the mailbox: the token goes into a cookie and out of the address', async () => {
    const reply = await lookWithout({ url: `/mailbox?token=${TOKEN}` })
    expect([reply.statusCode, reply.headers.location]).toEqual([303, '/mailbox'])
    expect(reply.body).toBe('')
    const cookie = String(reply.headers['set-cookie'])
    expect(cookie).toMatch(/^kestrel_mailbox=[^;]+; Path=\/mailbox; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
    const [pair = ''] = cookie.split(';')
    expect((await lookWithout({ headers: { cookie: pair } })).body).toContain('042424')
  })

  it.each([
    ['no token', {}],
    ['an empty one', { url: '/mailbox?token=' }],
    ['another one', { url: `/mailbox?token=${TOKEN.slice(1)}0` }],
    ['two, one of them right', { url: `/mailbox?token=${TOKEN}&token=x` }],
    ['another cookie', { headers: { cookie: 'kestrel_mailbox=x' } }],
    ['two cookies, one of them right', { headers: { cookie: `kestrel_mailbox=x; kestrel_mailbox=${TOKEN}` } }],
    ['a right cookie and a wrong token', { url: '/mailbox?token=x', headers: { cookie: `kestrel_mailbox=${TOKEN}` } }],
  ])('is needed: with %s there is no mail, and how to come by it', async (_what, options: Look) => {
    const reply = await lookWithout(options)
    expect(reply.statusCode).toBe(403)
    expect(reply.body).toContain('npx kestrel mailbox')
    expect(reply.body).not.toMatch(/042424|amara/)
    expect(reply.body).not.toContain(TOKEN)
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it.each(['', '/attachments/0'])('is needed for a mail and what is attached to it: /mailbox/id%s', async (rest) => {
    expect((await lookWithout({ url: `/mailbox/${unescaped.id}${rest}` })).statusCode).toBe(403)
  })

  it('is told to nobody who asks the API', async () => {
    const options = await lookWithout({ url: '/v1/auth/options' })
    expect(options.json().mailbox_url).toBe('http://localhost:3000/mailbox')
  })
})

describe('GET /mailbox', () => {
  it('shows each mail, escaped, with its text, and its HTML in a frame', async () => {
    const reply = await look()
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toContain('&lt;b&gt;042424&lt;/b&gt; is it')
    expect(reply.body).toContain('a &amp; b')
    expect(reply.body).toContain(`src="/mailbox/${unescaped.id}"`)
    const framed = await look({ url: `/mailbox/${unescaped.id}` })
    expect(framed.body).toBe('<p>In HTML</p>')
    expect(framed.headers['content-security-policy']).toContain('sandbox')
    expect((await look({ url: '/mailbox/none' })).statusCode).toBe(404)
  })

  it('opens a PDF that came with a mail, and hands out any other file without opening it', async () => {
    const files = `/mailbox/${unescaped.id}/attachments`
    expect((await look()).body).toContain(`<a href="${files}/0"`)
    const pdf = await look({ url: `${files}/0` })
    expect(pdf.rawPayload.equals(PDF)).toBe(true)
    expect([pdf.headers['content-type'], pdf.headers['content-disposition']]).toEqual([
      'application/pdf',
      'inline; filename="KP-2026-000001.pdf"',
    ])
    const page = await look({ url: `${files}/1` })
    expect([page.headers['content-type'], page.headers['content-disposition']]).toEqual([
      'application/octet-stream',
      'attachment; filename="page _of_ a.html"',
    ])
    for (const nth of ['2', '-1', 'length', '0x0'])
      expect((await look({ url: `${files}/${nth}` })).statusCode).toBe(404)
  })

  it.each([
    ['another machine', { remoteAddress: '192.0.2.7' }],
    ['a name that was made to point here', { headers: { host: 'evil.example:3000' } }],
    ['a proxy on this machine', { headers: { 'x-forwarded-for': '192.0.2.7' } }],
    ['another kind of proxy', { headers: { via: '1.1 squid' } }],
  ])('is not there for %s, whatever they know', async (_who, options: Look) => {
    expect((await look(options)).statusCode).toBe(404)
    expect((await look({ ...options, url: `/mailbox?token=${TOKEN}` })).statusCode).toBe(404)
  })

  it('is not there unless it is wanted', async () => {
    const own = await startTestApp()
    expect((await own.app.inject({ url: '/mailbox' })).statusCode).toBe(404)
    await own.close()
  })

  it.each([
    [TOKEN, {}, 'http://127.0.0.1:3000', TOKEN],
    [null, {}, 'http://127.0.0.1:3000', null],
    [TOKEN, { DATABASE_URL: 'postgres://db/kestrel' }, 'http://127.0.0.1:3000', null],
    [TOKEN, {}, 'https://pay.example.com', null],
    [TOKEN, {}, 'http://localhost.example.com', null],
  ])('exists for this machine’s own service only (%#)', (token, env, publicUrl, expected) => {
    expect(apiOptions(readConfig(env), publicUrl, token).dashboard?.mailboxToken).toBe(expected)
  })
})
