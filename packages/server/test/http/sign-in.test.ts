// Codes: mailed to members only, five tries, used once, and nobody can tell who is a member.
import { createHash } from 'node:crypto'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, sql } from '../support/fixtures.ts'
import { aSignInCode, ask, codeIn, latestMail, signedIn } from '../support/sessions.ts'

const MINUTE = 60_000

let test: TestApp
let partner: TestPartner
let email: string
let made = 0
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
})
afterAll(() => test.close())
beforeEach(async () => {
  await sql(test, 'delete from allowances')
  email = `person-${made++}@thistle.test`
  await signedIn(test, partner, { email })
})

const askFor = (address: string, headers: Record<string, string> = {}) =>
  test.request({ method: 'POST', url: '/v1/auth/code', payload: { email: address }, headers })

const enter = (code: string, address = email, headers: Record<string, string> = {}, more: object = {}) =>
  test.request({
    method: 'POST',
    url: '/v1/auth/session',
    payload: { email: address, code, ...more },
    headers,
  })

const another = (code: string) => (code === '000000' ? '000001' : '000000')

describe('POST /v1/auth/code, 202', () => {
  it('mails six digits, and says which browser asked and from where', async () => {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
    const reply = await askFor(email, { 'user-agent': agent })
    expect(reply.statusCode).toBe(202)
    expect(reply.json()).toEqual({ object: 'code_sent', expires_in: 600, resend_after: 30 })
    const mail = await latestMail(test, email)
    expect(mail.subject).toMatch(/^\d{6} is your Kestrel code$/)
    expect(mail.text).toContain('Browser: Firefox on Linux')
    expect(mail.text).toContain('Address: 127.0.0.1')
  })

  it('answers the same for an address that nobody has, and mails nothing', async () => {
    const [known, unknown] = [await askFor(email), await askFor('nobody@elsewhere.test')]
    expect(unknown.statusCode).toBe(known.statusCode)
    expect(unknown.body).toBe(known.body)
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(known.headers))
    expect((await readMailbox(test.deps)).filter(({ to }) => to === 'nobody@elsewhere.test')).toEqual([])
  })

  it('does the same work for an address that nobody has: the same rows are written', async () => {
    const rows = async () => ({
      codes: (await sql(test, 'select 1 from sign_in_codes')).length,
      mails: (await sql(test, 'select 1 from mails')).length,
      allowances: (await sql(test, 'select 1 from allowances')).length,
    })
    const counts = [await rows()]
    await askFor(email)
    counts.push(await rows())
    await askFor(`unknown-${made}@elsewhere.test`)
    counts.push(await rows())
    expect(counts[1]).toEqual({ codes: counts[0]!.codes + 1, mails: counts[0]!.mails + 1, allowances: 9 })
    expect(counts[2]).toEqual({ codes: counts[1]!.codes + 1, mails: counts[1]!.mails + 1, allowances: 17 })
  })

  it('takes an address in capitals for the same', async () => {
    await askFor(email.toUpperCase())
    expect((await enter(codeIn(await latestMail(test, email)))).statusCode).toBe(201)
  })

  it('keeps no code that could be read or guessed from the database', async () => {
    const code = await aSignInCode(test, email)
    const [row] = await sql<{ hash: Buffer }>(test, 'select code_hash as hash from sign_in_codes where email = $1', [
      email,
    ])
    expect(row!.hash.equals(createHash('sha256').update(code).digest())).toBe(false)
    expect(row!.hash).toHaveLength(32)
  })
})

describe('POST /v1/auth/code, 422', () => {
  it.each([[{}], [{ email: 'nobody' }], [{ email: 5 }], [{ email: 'a@b.test', colour: 'blue' }]])(
    'refuses %j',
    async (payload) => {
      const reply = await test.request({ method: 'POST', url: '/v1/auth/code', payload })
      expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'invalid_request'])
    },
  )
})

describe('POST /v1/auth/code, 429', () => {
  it('refuses a second code within thirty seconds, and says when to ask again', async () => {
    for (const address of [email, 'nobody@elsewhere.test']) {
      await askFor(address)
      const reply = await askFor(address)
      expect([reply.statusCode, reply.json().error.code]).toEqual([429, 'rate_limited'])
      expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(29)
      expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(30)
    }
    test.clock.advance(31_000)
    expect((await askFor(email)).statusCode).toBe(202)
  })

  it('keeps nobody out for as long as the clock was ahead, once it is right again', async () => {
    const right = test.clock.now().toISOString()
    test.clock.advance(30 * 24 * 60 * MINUTE)
    expect((await askFor(email)).statusCode).toBe(202)
    expect((await askFor(email)).statusCode).toBe(429)
    test.clock.set(right)
    expect((await askFor(email)).statusCode).toBe(202)
    expect((await askFor(email)).statusCode).toBe(429)
  })

  it('refuses the sixth code of an hour', async () => {
    for (let count = 0; count < 5; count++) {
      expect((await askFor(email)).statusCode).toBe(202)
      test.clock.advance(31_000)
    }
    const reply = await askFor(email)
    expect(reply.statusCode).toBe(429)
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(500)
    test.clock.advance(12 * MINUTE)
    expect((await askFor(email)).statusCode).toBe(202)
  })

  it('counts address after address against the network, whatever forwarded headers say', async () => {
    const spoofed = (count: number) => ({
      'x-forwarded-for': `198.51.100.${count}`,
      forwarded: `for=198.51.100.${count}`,
    })
    const statuses: number[] = []
    for (let count = 0; count < 62; count++) {
      statuses.push((await askFor(`p${count}-${made}@elsewhere.test`, spoofed(count))).statusCode)
    }
    expect(statuses.slice(0, 60).every((status) => status === 202)).toBe(true)
    expect(statuses.slice(61)).toEqual([429])
  })

  it('believes forwarded addresses of a proxy that is named, and of no other', async () => {
    const own = await startTestApp({ trustProxy: ['127.0.0.1'] })
    const visitor = await signedIn(own, await aPartner(own), { email: 'visitor@thistle.test' })
    await own.app.inject({
      method: 'POST',
      url: '/v1/auth/code',
      payload: { email: visitor.email },
      headers: { 'x-forwarded-for': '203.0.113.7' },
    })
    expect((await latestMail(own, visitor.email)).text).toContain('Address: 203.0.113.7')
    await sql(own, 'delete from allowances')
    await own.app.inject({
      method: 'POST',
      url: '/v1/auth/code',
      payload: { email: visitor.email },
      headers: { 'x-forwarded-for': '203.0.113.7' },
      remoteAddress: '192.0.2.1',
    })
    expect((await latestMail(own, visitor.email)).text).toContain('Address: 192.0.2.1')
    await own.close()
  })
})

describe('POST /v1/auth/session, 201', () => {
  it('gives a session for the code, in a cookie that scripts cannot read', async () => {
    const reply = await enter(await aSignInCode(test, email))
    expect(reply.statusCode).toBe(201)
    expect(reply.json()).toMatchObject({
      object: 'session',
      email,
      role: 'admin',
      partner: { id: partner.id, slug: partner.slug, status: 'active', verification_status: 'not_started' },
      partners: [{ slug: partner.slug, name: 'Thistle Market', role: 'admin' }],
    })
    expect(reply.json()).not.toHaveProperty('sandbox_key')
    expect(reply.headers['set-cookie']).toMatch(
      /^kestrel_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
    )
    const cookie = String(reply.headers['set-cookie']).split(';')[0]!
    expect((await ask(test, { cookie }, { url: '/v1/account' })).statusCode).toBe(200)
  })

  it('over https gives the cookie that no other host can set', async () => {
    const own = await startTestApp({ publicUrl: 'https://pay.example.com' })
    await signedIn(own, await aPartner(own), { email })
    const code = await aSignInCode(own, email)
    const reply = await own.request({ method: 'POST', url: '/v1/auth/session', payload: { email, code } })
    expect(reply.headers['set-cookie']).toMatch(/^__Host-kestrel_session=.{43}; Path=\/; .*; SameSite=Lax; Secure$/)
    const cookie = String(reply.headers['set-cookie']).split(';')[0]!
    expect((await own.request({ url: '/v1/account', headers: { cookie } })).statusCode).toBe(200)
    const plain = cookie.replace('__Host-', '')
    expect((await own.request({ url: '/v1/account', headers: { cookie: plain } })).statusCode).toBe(401)
    await own.close()
  })

  it('keeps no token that could be used from the database', async () => {
    const reply = await enter(await aSignInCode(test, email))
    const token = /=([^;]+)/.exec(String(reply.headers['set-cookie']))![1]!
    const [{ found } = { found: true }] = await sql<{ found: boolean }>(
      test,
      `select bool_or(position($1 in s::text) > 0) as found from sessions s`,
      [token],
    )
    expect(found).toBe(false)
  })

  it('opens the business that is asked for, if it is one of theirs, and else the one used last', async () => {
    const other = await aPartner(test)
    await signedIn(test, other, { email, role: 'viewer' })
    const wanted = await enter(await aSignInCode(test, email), email, {}, { partner: other.slug })
    expect(wanted.json().partner.slug).toBe(other.slug)
    expect(wanted.json().role).toBe('viewer')
    const foreign = await aPartner(test)
    const fallback = await enter(await aSignInCode(test, email), email, {}, { partner: foreign.slug })
    expect(fallback.json().partner.slug).toBe(other.slug)
    expect(fallback.json().partners).toHaveLength(2)
  })

  it('ends the session that the browser had before', async () => {
    const before = await signedIn(test, partner, { email })
    await enter(await aSignInCode(test, email), email, { cookie: before.cookie })
    expect((await ask(test, before, { url: '/v1/account' })).statusCode).toBe(401)
  })

  it('stands in the activity of the business, and in the list of members as the last login', async () => {
    const own = await aPartner(test)
    await signedIn(test, own, { email: 'activity@thistle.test' })
    await enter(await aSignInCode(test, 'activity@thistle.test'), 'activity@thistle.test')
    await test.deps.activity.flush()
    const [row] = await sql<{ action: string; by: string }>(
      test,
      'select action, by from activity where partner_id = $1 order by at desc limit 1',
      [own.id],
    )
    expect(row).toEqual({ action: 'session.create', by: 'activity@thistle.test' })
    const [member] = await sql<{ at: Date | null }>(
      test,
      'select last_login_at as at from members where partner_id = $1 and email = $2',
      [own.id, 'activity@thistle.test'],
    )
    expect(member!.at).not.toBeNull()
  })

  it('lets a code be asked for again at once: who has entered one owns the address', async () => {
    await enter(await aSignInCode(test, email))
    expect((await askFor(email)).statusCode).toBe(202)
  })
})

describe('POST /v1/auth/session, 422', () => {
  const refused = (reply: { statusCode: number; json: () => { error: { code: string; details: unknown } } }) => {
    expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'code_not_accepted'])
    return reply.json().error.details
  }

  it('counts down five tries, and then not even the right code is judged', async () => {
    const code = await aSignInCode(test, email)
    const left = []
    for (let count = 0; count < 6; count++) left.push(refused(await enter(another(code))))
    expect(left).toEqual([
      { tries_left: 4, reason: 'wrong' },
      { tries_left: 3, reason: 'wrong' },
      { tries_left: 2, reason: 'wrong' },
      { tries_left: 1, reason: 'wrong' },
      { tries_left: 0, reason: 'used_up' },
      { tries_left: 0, reason: 'used_up' },
    ])
    refused(await enter(code))
  })

  it('refuses a code that was used, that has expired, or that a newer one replaced', async () => {
    const used = await aSignInCode(test, email)
    await enter(used)
    expect(refused(await enter(used))).toEqual({ tries_left: 0, reason: 'used_up' })
    const old = await aSignInCode(test, email)
    test.clock.advance(10 * MINUTE + 1)
    expect(refused(await enter(old))).toEqual({ tries_left: 0, reason: 'used_up' })
    await sql(test, 'delete from allowances')
    const first = await aSignInCode(test, email)
    test.clock.advance(31_000)
    const second = await aSignInCode(test, email)
    if (first !== second) refused(await enter(first))
    expect((await enter(second)).statusCode).toBe(201)
  })

  it('refuses the code of somebody else', async () => {
    const other = `other-${made}@thistle.test`
    await signedIn(test, partner, { email: other })
    const [mine, theirs] = [await aSignInCode(test, email), await aSignInCode(test, other)]
    expect(mine === theirs || refused(await enter(theirs))).toBeTruthy()
  })

  it('answers for an address that nobody has as for a wrong code, and for one that asked for none', async () => {
    const words = (body: string) => body.replaceAll(/"request_id":"[^"]+"/g, '')
    const code = await aSignInCode(test, email)
    await askFor('nobody@elsewhere.test')
    const [known, unknown] = [await enter(another(code)), await enter('123456', 'nobody@elsewhere.test')]
    expect(words(unknown.body)).toBe(words(known.body))
    expect(refused(await enter('123456', 'silent@elsewhere.test'))).toEqual({ tries_left: 0, reason: 'used_up' })
  })

  it('refuses a code of somebody who was removed meanwhile', async () => {
    const code = await aSignInCode(test, email)
    await sql(test, 'delete from members where email = $1', [email])
    expect(refused(await enter(code))).toEqual({ tries_left: 4, reason: 'wrong' })
  })

  it.each([[{ code: '12345' }], [{ code: 123456 }], [{ code: '1234567' }], [{}]])('refuses %j', async (payload) => {
    const reply = await test.request({ method: 'POST', url: '/v1/auth/session', payload: { email, ...payload } })
    expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'invalid_request'])
  })
})

describe('a stranger who knows an address', () => {
  /** Another browser, somewhere else. */
  const elsewhere = (count: number) => ({
    headers: { cookie: `kestrel_browser=${String(count).padStart(43, 's')}` },
    remoteAddress: `198.51.${count}.7`,
  })
  const strangerAsks = (count: number, url = '/v1/auth/code', more = {}) =>
    test.request({ method: 'POST', url, payload: { email, ...more }, ...elsewhere(count) })
  const strangerEnters = (code: string, count = 1) =>
    test.request({ method: 'POST', url: '/v1/auth/session', payload: { email, code }, ...elsewhere(count) })

  it('can neither try, spend nor replace the code of its owner', async () => {
    const code = await aSignInCode(test, email)
    for (let tries = 0; tries < 10; tries++) expect((await strangerEnters(another(code))).statusCode).toBe(422)
    expect((await strangerAsks(1)).statusCode).toBe(202)
    expect((await strangerAsks(2, '/v1/auth/sign-up', { business_name: 'Not yours' })).statusCode).toBe(202)
    for (let tries = 0; tries < 10; tries++) await strangerEnters(another(code), tries)
    const reply = await enter(code)
    expect(reply.statusCode).toBe(201)
    expect(reply.json().partner.slug).toBe(partner.slug)
  })

  it('who has read the code cannot use it elsewhere either', async () => {
    const code = await aSignInCode(test, email)
    expect((await strangerEnters(code)).json().error.details).toEqual({ tries_left: 0, reason: 'used_up' })
    expect((await enter(code)).statusCode).toBe(201)
  })

  it('sends few mails from however many browsers and networks, and the owner’s own browser is not counted with them', async () => {
    await enter(await aSignInCode(test, email))
    await sql(test, 'delete from allowances')
    const statuses: number[] = []
    for (let count = 0; count < 50; count++) statuses.push((await strangerAsks(count)).statusCode)
    expect(statuses.filter((status) => status === 202)).toHaveLength(40)
    const fromOne = []
    for (let count = 0; count < 5; count++) {
      const request = { method: 'POST', url: '/v1/auth/code', payload: { email: `other-${email}` } } as const
      fromOne.push((await test.request({ ...request, ...elsewhere(count), remoteAddress: '203.0.113.7' })).statusCode)
    }
    expect(fromOne).toEqual([202, 429, 429, 429, 429])
    expect((await enter(await aSignInCode(test, email))).statusCode).toBe(201)
  })

  it('with a few networks, or one that has many small ones in it, keeps nobody from signing in in a new browser', async () => {
    const askFrom = async (remoteAddress: string, browser: string) => {
      const headers = { cookie: `kestrel_browser=${browser.padStart(43, 'n')}` }
      return (await test.request({ method: 'POST', url: '/v1/auth/code', payload: { email }, headers, remoteAddress }))
        .statusCode
    }
    for (let round = 0; round < 12; round++) {
      for (const network of ['198.51.100', '192.0.2']) await askFrom(`${network}.${round}`, `${round}${network[0]}`)
      for (let small = 0; small < 3; small++) await askFrom(`2001:db8:9:${round}${small}::1`, `${round}v${small}`)
      test.clock.advance(5 * MINUTE)
    }
    expect(await askFrom('203.0.113.77', 'owner')).toBe(202)
  })

  it('who gets in by the mailbox all the same is told of, and the owner’s own browser is not', async () => {
    await enter(await aSignInCode(test, email))
    await enter(await aSignInCode(test, email))
    const told = async () =>
      (await readMailbox(test.deps)).filter(({ to, subject }) => to === email && subject.startsWith('A sign-in from'))
    expect(await told()).toEqual([])
    await strangerAsks(7)
    expect((await strangerEnters(codeIn(await latestMail(test, email)), 7)).statusCode).toBe(201)
    expect((await told()).map(({ subject }) => subject)).toEqual(['A sign-in from a new browser: “Thistle Market”'])
    expect((await told())[0]!.text).toContain('Address: 198.51.7.7')
  })
})

describe('the cookie of a browser', () => {
  it('is set by asking, cannot be read by scripts, and stays the same', async () => {
    const askWith = (cookie: string) =>
      test.app.inject({ method: 'POST', url: '/v1/auth/code', payload: { email }, headers: { cookie } })
    const first = await askWith('')
    expect(first.headers['set-cookie']).toMatch(
      /^kestrel_browser=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Strict$/,
    )
    await sql(test, 'delete from allowances')
    const own = String(first.headers['set-cookie']).split(';')[0]!
    expect(String((await askWith(own)).headers['set-cookie'])).toContain(own)
    const [{ found } = { found: true }] = await sql<{ found: boolean }>(
      test,
      `select bool_or(position($1 in c::text) > 0) as found from sign_in_codes c`,
      [own.split('=')[1]],
    )
    expect(found).toBe(false)
  })
})

describe('signing in from another site, 403', () => {
  it.each(['/v1/auth/code', '/v1/auth/session', '/v1/auth/sign-up'])('is refused at %s', async (url) => {
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const reply = await test.request({ method: 'POST', url, payload: {}, headers })
      expect([reply.statusCode, reply.json().error.code]).toEqual([403, 'cross_site_request'])
    }
  })
})
