import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { readConfig } from '../../src/config/config.ts'
import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { apiOptions } from '../../src/serve/dashboard-options.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, get, sql } from '../support/fixtures.ts'
import { aSignInCode, ask, codeIn, latestMail, signedIn } from '../support/sessions.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
beforeEach(() => sql(test, 'delete from allowances'))

const signUp = (payload: object, own = test) => own.request({ method: 'POST', url: '/v1/auth/sign-up', payload })

async function opened(email: string, businessName: string) {
  await signUp({ email, business_name: businessName, name: 'Amara Okafor' })
  const code = codeIn(await latestMail(test, email))
  return test.request({ method: 'POST', url: '/v1/auth/session', payload: { email, code } })
}

describe('POST /v1/auth/sign-up, 202', () => {
  it('makes nothing until the code is entered', async () => {
    const reply = await signUp({ email: 'early@okafor.test', business_name: 'Early Bird' })
    expect(reply.statusCode).toBe(202)
    expect(reply.json()).toEqual({ object: 'code_sent', expires_in: 600, resend_after: 30 })
    expect(await sql(test, `select 1 from partners where name = 'Early Bird'`)).toEqual([])
    expect((await latestMail(test, 'early@okafor.test')).text).toContain('open an account')
  })

  it('then makes the business, its admin and a sandbox key that works and is shown once', async () => {
    const reply = await opened('amara@okafor.test', 'Okafor Pottery')
    expect(reply.statusCode).toBe(201)
    const session = reply.json()
    expect(session).toMatchObject({
      email: 'amara@okafor.test',
      name: 'Amara Okafor',
      role: 'admin',
      partner: { slug: 'okafor-pottery', name: 'Okafor Pottery', status: 'active' },
      partners: [{ slug: 'okafor-pottery', name: 'Okafor Pottery', role: 'admin' }],
    })
    const balance = await get(test, { key: session.sandbox_key }, '/v1/balance')
    expect(balance.json().usdc).toBe('10000.00')
    const cookie = String(reply.headers['set-cookie']).split(';')[0]!
    expect((await ask(test, { cookie }, { url: '/v1/auth/session' })).json()).not.toHaveProperty('sandbox_key')
    const welcome = await latestMail(test, 'amara@okafor.test')
    expect(welcome.subject).toBe('“Okafor Pottery” is ready on Kestrel Payouts')
    expect(welcome.text).not.toContain(session.sandbox_key)
  })

  it('gives a person several businesses, and a business whose name is taken a short name of its own', async () => {
    const first = (await opened('rowan@ellis.test', 'Ellis Joinery')).json()
    await sql(test, 'delete from allowances')
    const second = (await opened('rowan@ellis.test', 'Ellis Joinery')).json()
    expect([first.partner.slug, second.partner.slug]).toEqual(['ellis-joinery', 'ellis-joinery-2'])
    expect(second.partners).toHaveLength(2)
  })

  it('answers a member of another business as anybody else', async () => {
    const { email } = await signedIn(test, await aPartner(test))
    const [member, stranger] = [
      await signUp({ email, business_name: 'Second One' }),
      await signUp({ email: 'stranger@okafor.test', business_name: 'Third One' }),
    ]
    expect(member.body).toBe(stranger.body)
  })
})

describe('signing up with an address that has an account', () => {
  const BROWSER = { headers: { cookie: `kestrel_browser=${'e'.repeat(43)}` }, remoteAddress: '198.51.100.44' }
  const elsewhere = (url: string, payload: object) => test.request({ method: 'POST', url, payload, ...BROWSER })

  it('is a sign-in from a new browser, and told like one to the person and to the admins of their businesses', async () => {
    const partner = await aPartner(test)
    const colleague = await signedIn(test, partner)
    const { email } = await signedIn(test, partner, { role: 'viewer' })
    const code = await aSignInCode(test, email)
    await test.request({ method: 'POST', url: '/v1/auth/session', payload: { email, code } })
    await elsewhere('/v1/auth/sign-up', { email, business_name: 'A Door of My Own' })
    const entered = await elsewhere('/v1/auth/session', { email, code: codeIn(await latestMail(test, email)) })
    expect(entered.statusCode).toBe(201)
    for (const reader of [email, colleague.email]) {
      const told = (await readMailbox(test.deps)).filter(({ to, kind }) => to === reader && kind === 'new_browser')
      expect(told.map(({ subject }) => subject)).toEqual(['A sign-in from a new browser: “Thistle Market”'])
      expect(told[0]!.text).toContain('Address: 198.51.100.44')
    }
  })

  it('is told in the mail with the code, and to nobody else: the answers are the same', async () => {
    const { email } = await signedIn(test, await aPartner(test))
    const payload = { business_name: 'Second One' }
    const [member, stranger] = [
      await signUp({ email, ...payload }),
      await signUp({ email: 'new@okafor.test', ...payload }),
    ]
    expect(member.body).toBe(stranger.body)
    expect(Object.keys(member.headers)).toEqual(Object.keys(stranger.headers))
    const mail = await latestMail(test, email)
    expect(mail.text).toContain('This address has an account already.')
    expect(mail.text).toContain('signed in as you, to the businesses that you have too')
    expect((await latestMail(test, 'new@okafor.test')).text).not.toContain('account already')
  })
})

describe('POST /v1/auth/sign-up, 403', () => {
  it('is refused when sign-up is closed, and the options say so', async () => {
    const own = await startTestApp({ dashboard: { isSignUpOpen: false } })
    const reply = await signUp({ email: 'amara@okafor.test', business_name: 'Okafor Pottery' }, own)
    expect([reply.statusCode, reply.json().error.code]).toEqual([403, 'sign_up_closed'])
    expect((await own.request({ url: '/v1/auth/options' })).json()).toEqual({
      object: 'auth_options',
      sign_up: false,
      mailbox_url: null,
      contact_email: null,
    })
    await own.close()
  })
})

describe('POST /v1/auth/sign-up, 422', () => {
  it.each([
    [{ email: 'amara@okafor.test' }],
    [{ email: 'amara@okafor.test', business_name: '  ' }],
    [{ email: 'amara@okafor.test', business_name: 'x'.repeat(121) }],
    [{ email: 'amara@okafor.test', business_name: 'Two\nlines' }],
    [{ email: 'amara', business_name: 'Okafor Pottery' }],
  ])('refuses %j', async (payload) => {
    const reply = await signUp(payload)
    expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'invalid_request'])
  })
})

describe('POST /v1/auth/sign-up, 429', () => {
  it('shares its limits with signing in', async () => {
    await signUp({ email: 'often@okafor.test', business_name: 'Often' })
    const again = await test.request({ method: 'POST', url: '/v1/auth/code', payload: { email: 'often@okafor.test' } })
    expect(again.statusCode).toBe(429)
  })
})

describe('POST /v1/auth/session after a sign-up, 429', () => {
  const businessesOf = async (name: string) =>
    (await sql(test, 'select 1 from partners where name like $1', [`${name}%`])).length

  it('is the sixth business of a person, though each code was right; four hours later there is one more', async () => {
    const email = 'often@okafor.test'
    for (let count = 1; count <= 5; count++) {
      expect((await opened(email, `Often ${count}`)).statusCode).toBe(201)
    }
    const refused = await opened(email, 'Often 6')
    expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'rate_limited'])
    expect(refused.json().error.message).toContain('Nothing was opened')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3 * 3_600)
    expect(await businessesOf('Often')).toBe(5)
    expect((await opened('somebody-else@okafor.test', 'Seldom')).statusCode).toBe(201)
    test.clock.advance(4 * 3_600_000)
    expect((await opened(email, 'Often 7')).statusCode).toBe(201)
    expect((await opened(email, 'Often 8')).statusCode).toBe(429)
  })

  it('is the twenty-first of a network, whatever the addresses; another network is not kept out', async () => {
    for (let count = 1; count <= 20; count++) {
      expect((await opened(`person-${count}@okafor.test`, `Crowd ${count}`)).statusCode).toBe(201)
    }
    const refused = await opened('person-21@okafor.test', 'Crowd 21')
    expect(refused.json().error).toMatchObject({ code: 'rate_limited' })
    expect(refused.json().error.message).toContain('from your network')
    expect(await businessesOf('Crowd')).toBe(20)
    const payload = { email: 'person-22@okafor.test', business_name: 'Elsewhere' }
    const from = { method: 'POST', remoteAddress: '198.51.100.77' } as const
    await test.request({ ...from, url: '/v1/auth/sign-up', payload })
    const code = codeIn(await latestMail(test, payload.email))
    const reply = await test.request({ ...from, url: '/v1/auth/session', payload: { email: payload.email, code } })
    expect(reply.statusCode).toBe(201)
  })
})

describe('GET /v1/auth/options, 200', () => {
  it('says where the mailbox is and where questions go, if there is such', async () => {
    const own = await startTestApp({ dashboard: { mailboxToken: 'a token', contactEmail: 'help@kestrel.test' } })
    expect((await own.request({ url: '/v1/auth/options' })).json()).toEqual({
      object: 'auth_options',
      sign_up: true,
      mailbox_url: 'http://localhost:3000/mailbox',
      contact_email: 'help@kestrel.test',
    })
    await own.close()
  })
  it('has the address that the operator is reached at', () => {
    const config = readConfig({ OPERATOR_EMAIL: 'help@kestrel.test' })
    expect(apiOptions(config, 'https://pay.kestrel.test', null).dashboard?.contactEmail).toBe('help@kestrel.test')
  })
})
