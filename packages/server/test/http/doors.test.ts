// The doors beside the payout: a stolen session opens none of them, and every admin hears of those that were opened.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { verifyPartner } from '../support/verified.ts'
import { tellHeldNotices } from '../../src/domain/notices/notify-admins.ts'
import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, sql } from '../support/fixtures.ts'
import { type TestMember, aDoorCode, ask, latestMail, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
let admin: TestMember
let second: TestMember
let viewer: TestMember
let liveKey: string
let made = 0
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  await sql(test, 'delete from allowances')
  partner = await aPartner(test)
  await sql(test, 'delete from members where partner_id = $1', [partner.id])
  await verifyPartner(test.deps, partner.slug)
  admin = await signedIn(test, partner)
  second = await signedIn(test, partner)
  viewer = await signedIn(test, partner, { role: 'viewer' })
  const confirm_code = await aDoorCode(test, admin, { action: 'key.create', environment: 'live' })
  const created = await ask(test, admin, {
    method: 'POST',
    url: '/v1/keys',
    payload: { environment: 'live', confirm_code },
  })
  liveKey = created.json().id
})

interface Opening {
  readonly door: object
  readonly send: (code?: string) => ReturnType<typeof ask>
}

const withBody = (method: 'POST' | 'PATCH', url: string, payload: object) => (code?: string) =>
  ask(test, admin, { method, url, payload: { ...payload, ...(code === undefined ? {} : { confirm_code: code }) } })

const email = () => `evil-${partner.slug}@elsewhere.test`

/** What needs a code, and what the mail with the code must name. */
const DOORS: readonly (readonly [what: string, open: () => Opening, named: () => string])[] = [
  [
    'creating a live key',
    () => ({
      door: { action: 'key.create', environment: 'live', label: 'orders' },
      send: withBody('POST', '/v1/keys', { environment: 'live', label: 'orders' }),
    }),
    () => 'Create a live API key',
  ],
  [
    'rotating a live key',
    () => ({
      door: { action: 'key.rotate', key_id: liveKey, grace_seconds: 3_600 },
      send: withBody('POST', `/v1/keys/${liveKey}/rotate`, { grace_seconds: 3_600 }),
    }),
    () => 'Rotate a live API key',
  ],
  [
    'inviting an admin',
    () => ({
      door: { action: 'member.invite', email: email(), role: 'admin' },
      send: withBody('POST', '/v1/members', { email: email(), role: 'admin' }),
    }),
    () => email(),
  ],
  [
    'making a viewer an admin',
    () => ({
      door: { action: 'member.change', member_id: viewer.memberId, role: 'admin' },
      send: withBody('PATCH', `/v1/members/${viewer.memberId}`, { role: 'admin' }),
    }),
    () => viewer.email,
  ],
  [
    'making an admin a viewer',
    () => ({
      door: { action: 'member.change', member_id: second.memberId, role: 'viewer' },
      send: withBody('PATCH', `/v1/members/${second.memberId}`, { role: 'viewer' }),
    }),
    () => second.email,
  ],
  [
    'removing an admin',
    () => ({
      door: { action: 'member.remove', member_id: second.memberId },
      send: (code) =>
        ask(test, admin, {
          method: 'DELETE',
          url: `/v1/members/${second.memberId}`,
          headers: code === undefined ? {} : { 'confirm-code': code },
        }),
    }),
    () => second.email,
  ],
  [
    'leaving as an admin',
    () => ({
      door: { action: 'member.remove', member_id: admin.memberId },
      send: (code) =>
        ask(test, admin, {
          method: 'DELETE',
          url: `/v1/members/${admin.memberId}`,
          headers: code === undefined ? {} : { 'confirm-code': code },
        }),
    }),
    () => admin.email,
  ],
  [
    'changing the billing address',
    () => ({
      door: { action: 'settings.change', billing_email: 'New@elsewhere.test' },
      send: withBody('PATCH', '/v1/settings', { billing_email: 'new@elsewhere.test' }),
    }),
    () => 'Billing email: new@elsewhere.test\nBilling email now: finance@thistle.test',
  ],
  [
    'changing the contact address',
    () => ({
      door: { action: 'settings.change', contact_email: 'new@elsewhere.test' },
      send: withBody('PATCH', '/v1/settings', { contact_email: 'new@elsewhere.test', name: 'Thistle Market' }),
    }),
    () => 'Contact email: new@elsewhere.test',
  ],
]

/** The values that a thief of the session would want to change, as they are now. */
const state = async () => ({
  keys: await sql(test, 'select id, expires_at, revoked_at from api_keys where partner_id = $1 order by id', [
    partner.id,
  ]),
  members: await sql(test, 'select email, role from members where partner_id = $1 order by email', [partner.id]),
  invitations: await sql(test, 'select email, role from invitations where partner_id = $1', [partner.id]),
  partner: await sql(test, 'select billing_email, contact_email from partners where id = $1', [partner.id]),
})

const another = (code: string) => (code === '000000' ? '000001' : '000000')
const mailsTo = async (address: string) => (await readMailbox(test.deps)).filter(({ to }) => to === address)
/** Notices are about what was done; mails with codes begin with six digits. */
const noticesTo = async (address: string) => (await mailsTo(address)).filter(({ subject }) => !/^\d{6} /.test(subject))

describe.each(DOORS)('%s', (_what, open, named) => {
  it('needs a mailed code: without one, or with another, nothing is done', async () => {
    const { door, send } = open()
    const before = await state()
    const refused = await send()
    expect([refused.statusCode, refused.json().error.code]).toEqual([422, 'confirm_code_required'])
    const code = await aDoorCode(test, admin, door)
    const wrong = await send(another(code))
    expect(wrong.json().error).toMatchObject({ code: 'code_not_accepted', details: { tries_left: 4, reason: 'wrong' } })
    expect(await state()).toEqual(before)
    const told = (await noticesTo(second.email)).length
    const done = await send(code)
    expect([200, 201]).toContain(done.statusCode)
    expect(await state()).not.toEqual(before)
    expect((await noticesTo(second.email)).length).toBe(told + 1)
  })

  it('is confirmed by a mail that names it, to whoever asks and nobody else', async () => {
    const { door } = open()
    const [mine, theirs] = [(await mailsTo(admin.email)).length, (await mailsTo(second.email)).length]
    const reply = await ask(test, admin, { method: 'POST', url: '/v1/confirm-codes', payload: door })
    expect(reply.statusCode).toBe(202)
    expect(reply.json()).toMatchObject({ object: 'confirm_code', sent_to: expect.stringMatching(/^m•••@/) })
    const mail = await latestMail(test, admin.email)
    expect(mail.subject).toMatch(/^\d{6} confirms: /)
    expect(mail.text).toContain(reply.json().confirms)
    expect(mail.text).toContain(named())
    expect([(await mailsTo(admin.email)).length, (await mailsTo(second.email)).length]).toEqual([mine + 1, theirs])
  })
})

describe('a code', () => {
  const door = { action: 'key.create', environment: 'live', label: 'orders' }
  const create = (code: string, by = admin, label = 'orders') =>
    ask(test, by, { method: 'POST', url: '/v1/keys', payload: { environment: 'live', label, confirm_code: code } })

  it('fits only what it was mailed for', async () => {
    const code = await aDoorCode(test, admin, door)
    expect((await create(code, admin, 'other')).json().error.details).toEqual({ tries_left: 4, reason: 'changed' })
    const reply = await ask(test, admin, {
      method: 'POST',
      url: '/v1/members',
      payload: { email: email(), role: 'admin', confirm_code: code },
    })
    expect(reply.json().error.details).toEqual({ tries_left: 3, reason: 'changed' })
    expect((await create(code)).statusCode).toBe(201)
  })

  it('works in the session that asked, and neither in another one of the same person nor for anybody else', async () => {
    const elsewhere = await signedIn(test, partner, { email: admin.email })
    const code = await aDoorCode(test, admin, door)
    for (const by of [elsewhere, second]) {
      expect((await create(code, by)).json().error.details).toEqual({ tries_left: 0, reason: 'used_up' })
    }
    const theirs = await aDoorCode(test, elsewhere, door)
    expect(code === theirs || (await create(theirs)).statusCode).not.toBe(201)
    expect((await create(code)).statusCode).toBe(201)
  })

  it('works once, also when it comes ten times at once', async () => {
    const code = await aDoorCode(test, admin, door)
    const replies = await Promise.all(Array.from({ length: 10 }, () => create(code)))
    expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
  })

  it('can be had by the owner although a stolen session asks for all it may, and a person gets only so many', async () => {
    const asks = (by: TestMember) => ask(test, by, { method: 'POST', url: '/v1/confirm-codes', payload: door })
    const elsewhere = []
    for (let count = 0; count < 4; count++) elsewhere.push(await signedIn(test, partner, { email: admin.email }))
    const statuses = async (by: TestMember, most: number) => {
      const seen = []
      for (let count = 0; count < most; count++) seen.push((await asks(by)).statusCode)
      return seen
    }
    const allOfThem = [...Array.from({ length: 10 }, () => 202), 429]
    await sql(test, 'delete from allowances')
    expect(await statuses(elsewhere[0]!, 11)).toEqual(allOfThem)
    expect(await statuses(admin, 11)).toEqual(allOfThem)
    expect(await statuses(elsewhere[1]!, 11)).toEqual(allOfThem)
    expect(await statuses(elsewhere[2]!, 11)).toEqual(allOfThem)
    expect((await asks(elsewhere[3]!)).statusCode).toBe(429)
  })

  it('has expired after five minutes', async () => {
    const code = await aDoorCode(test, admin, door)
    test.clock.advance(300_001)
    expect((await create(code)).json().error.details).toEqual({ tries_left: 0, reason: 'expired' })
  })

  it('is not to be had for what needs none, what is incomplete, or what would be refused anyway', async () => {
    const refused = async (payload: object) => {
      const reply = await ask(test, admin, { method: 'POST', url: '/v1/confirm-codes', payload })
      return [reply.statusCode, reply.json().error.code]
    }
    const before = (await mailsTo(admin.email)).length
    expect(await refused({ action: 'key.create', environment: 'sandbox' })).toEqual([422, 'invalid_request'])
    expect(await refused({ action: 'member.invite', email: email(), role: 'viewer' })).toEqual([422, 'invalid_request'])
    expect(await refused({ action: 'member.remove', member_id: viewer.memberId })).toEqual([422, 'invalid_request'])
    expect(await refused({ action: 'settings.change' })).toEqual([422, 'invalid_request'])
    expect(await refused({ action: 'key.rotate', key_id: liveKey })).toEqual([422, 'invalid_request'])
    expect(await refused({ action: 'payout.create' })).toEqual([422, 'invalid_request'])
    expect(await refused({ action: 'member.remove', member_id: partner.id })).toEqual([404, 'not_found'])
    const invitation = { action: 'member.invite', email: second.email, role: 'admin' }
    expect(await refused(invitation)).toEqual([409, 'member_exists'])
    expect((await mailsTo(admin.email)).length).toBe(before)
  })

  it('is not asked of what does nobody harm', async () => {
    const sandbox = { method: 'POST', url: '/v1/keys', payload: { environment: 'sandbox' } } as const
    expect((await ask(test, admin, sandbox)).statusCode).toBe(201)
    const same = { name: 'Thistle Market', billing_email: 'Finance@thistle.test' }
    expect((await ask(test, admin, { method: 'PATCH', url: '/v1/settings', payload: same })).statusCode).toBe(200)
    const removal = { method: 'DELETE', url: `/v1/members/${viewer.memberId}` } as const
    expect((await ask(test, admin, removal)).statusCode).toBe(200)
    expect((await ask(test, admin, { method: 'DELETE', url: `/v1/keys/${liveKey}` })).statusCode).toBe(200)
  })
})

describe('a removed admin', () => {
  it('is told, and so is every other', async () => {
    const code = await aDoorCode(test, admin, { action: 'member.remove', member_id: second.memberId })
    const headers = { 'confirm-code': code }
    await ask(test, admin, { method: 'DELETE', url: `/v1/members/${second.memberId}`, headers })
    for (const address of [admin.email, second.email]) {
      const [notice] = await noticesTo(address)
      expect(notice?.subject).toBe('An admin was removed: “Thistle Market”')
      expect(notice?.text).toContain(`Member: ${second.email}`)
      expect(notice?.text).toContain(`By: ${admin.email}`)
    }
  })
})

describe('whoever guesses', () => {
  it('loses the session at the twentieth wrong code, over several codes, and every admin is told', async () => {
    const statuses: number[] = []
    while (statuses.length < 20) {
      await sql(test, 'delete from allowances')
      const label = `guess ${made++}`
      const code = await aDoorCode(test, admin, { action: 'key.create', environment: 'live', label })
      for (let tries = 0; tries < 5; tries++) {
        const payload = { environment: 'live', label, confirm_code: another(code) }
        statuses.push((await ask(test, admin, { method: 'POST', url: '/v1/keys', payload })).statusCode)
      }
    }
    expect(statuses).toEqual([...Array.from({ length: 19 }, () => 422), 401])
    expect((await ask(test, admin, { url: '/v1/account' })).statusCode).toBe(401)
    for (const { email: address } of [admin, second]) {
      const [notice] = await noticesTo(address)
      expect(notice?.subject).toBe('A session was ended after 20 wrong codes: “Thistle Market”')
      expect(notice?.text).toContain(`Session of: ${admin.email}`)
    }
    expect((await noticesTo(viewer.email)).length).toBe(0)
  })
})

describe('notices', () => {
  it('are a few an hour and the rest in one mail, and noise does not keep the grave ones back', async () => {
    const create = { method: 'POST', url: '/v1/keys', payload: { environment: 'sandbox' } } as const
    const before = (await noticesTo(second.email)).length
    for (let count = 0; count < 30; count++) {
      const { id } = (await ask(test, admin, create)).json()
      await ask(test, admin, { method: 'DELETE', url: `/v1/keys/${id}` })
    }
    expect((await noticesTo(second.email)).length).toBe(before + 4)
    const code = await aDoorCode(test, admin, { action: 'member.change', member_id: viewer.memberId, role: 'admin' })
    const payload = { role: 'admin', confirm_code: code }
    await ask(test, admin, { method: 'PATCH', url: `/v1/members/${viewer.memberId}`, payload })
    expect((await latestMail(test, second.email)).subject).toBe('A member is now an admin: “Thistle Market”')
    await tellHeldNotices(test.deps)
    expect((await noticesTo(second.email)).length).toBe(before + 5)
    test.clock.advance(60 * 60_000)
    await Promise.all([tellHeldNotices(test.deps), tellHeldNotices(test.deps)])
    const digest = await latestMail(test, second.email)
    expect(digest.subject).toBe('56 more things happened: “Thistle Market”')
    expect(digest.text).toContain('And 36 more before these.')
    expect((await noticesTo(second.email)).length).toBe(before + 6)
  })
})
