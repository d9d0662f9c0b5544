// Nobody is a member before accepting, only the invited person accepts, and an invitation carries no text of its sender's.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, sql } from '../support/fixtures.ts'
import { type TestMember, aDoorCode, aSignInCode, ask, latestMail, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
let admin: TestMember
let email: string
let made = 0
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  await sql(test, 'delete from allowances')
  partner = await aPartner(test)
  await sql(test, 'delete from members where partner_id = $1', [partner.id])
  admin = await signedIn(test, partner)
  email = `invited-${made++}@elsewhere.test`
})

const invite = async (who = email, role = 'viewer', by = admin) => {
  const confirm_code =
    role === 'admin' ? await aDoorCode(test, by, { action: 'member.invite', email: who, role }) : null
  const payload = { email: who, role, ...(confirm_code === null ? {} : { confirm_code }) }
  return ask(test, by, { method: 'POST', url: '/v1/members', payload })
}
const enter = (code: string, more: object = {}, who = email) =>
  test.request({ method: 'POST', url: '/v1/auth/session', payload: { email: who, code, ...more } })
const pending = async (of = admin) => (await ask(test, of, { url: '/v1/invitations' })).json().data
const team = async (of = admin) =>
  (await ask(test, of, { url: '/v1/members' })).json().data.map((each: { email: string }) => each.email)
const mailsTo = async (address: string) => (await readMailbox(test.deps)).filter(({ to }) => to === address)
const answer = (member: Pick<TestMember, 'cookie'>, id: string, what: 'accept' | 'decline') =>
  ask(test, member, { method: 'POST', url: `/v1/auth/invitations/${id}/${what}` })

describe('an invitation', () => {
  it('makes nobody a member, and says in our own words by whom, into what and as what', async () => {
    const reply = await invite(email.toUpperCase())
    expect(reply.statusCode).toBe(201)
    expect(reply.json()).toMatchObject({ email, role: 'viewer', invited_by: admin.email, last_login_at: null })
    expect(await team()).toEqual([admin.email])
    expect(await pending()).toEqual([reply.json()])
    const mail = await latestMail(test, email)
    expect(mail.subject).toBe('You are invited to a business on Kestrel Payouts')
    for (const fact of [admin.email, '“Thistle Market”', partner.slug, 'a viewer', '/dashboard/choose']) {
      expect(mail.text).toContain(fact)
    }
    expect((await invite()).json().error.code).toBe('member_exists')
  })

  it('is shown to whoever signs in, who becomes a member by accepting it with the same code', async () => {
    const { id } = (await invite(email, 'admin')).json()
    const code = await aSignInCode(test, email)
    for (let look = 0; look < 6; look++) {
      const choice = await enter(code)
      expect([choice.statusCode, choice.json().error.code]).toEqual([409, 'choice_needed'])
      expect(choice.json().error.details).toMatchObject({
        partners: [],
        invitations: [{ id, slug: partner.slug, name: 'Thistle Market', role: 'admin', invited_by: admin.email }],
      })
      expect(choice.headers['set-cookie']).toBeUndefined()
    }
    expect(await team()).toEqual([admin.email])
    const session = await enter(code, { accept: id })
    expect(session.json()).toMatchObject({ role: 'admin', partner: { slug: partner.slug }, invitations: [] })
    expect((await team()).toSorted()).toEqual([email, admin.email].toSorted())
    expect(await pending()).toEqual([])
    expect((await latestMail(test, admin.email)).subject).toBe('An admin joined the team: “Thistle Market”')
    expect((await enter(code)).json().error.code).toBe('code_not_accepted')
  })

  it('that is declined on the way in is gone, and leads nowhere', async () => {
    const { id } = (await invite()).json()
    const code = await aSignInCode(test, email)
    expect((await enter(code, { decline: id })).json().error.details).toEqual({ partners: [], invitations: [] })
    expect(await pending()).toEqual([])
    expect((await enter(code, { accept: id })).statusCode).toBe(404)
    expect(await team()).toEqual([admin.email])
  })

  it('is accepted or declined with a code, and never both: nothing happens, and the code is still good', async () => {
    const elsewhere = await signedIn(test, await aPartner(test))
    const [id, another] = [(await invite()).json().id, (await invite(email, 'viewer', elsewhere)).json().id]
    const code = await aSignInCode(test, email)
    for (const decline of [id, another, 'nonsense']) {
      const both = await enter(code, { accept: id, decline })
      expect([both.statusCode, both.json().error]).toMatchObject([
        422,
        { code: 'invalid_request', details: { fields: ['decline (only without accept)'] } },
      ])
      expect(both.headers['set-cookie']).toBeUndefined()
    }
    expect([await team(), (await pending()).length, (await pending(elsewhere)).length]).toEqual([[admin.email], 1, 1])
    expect((await enter(code, { accept: id })).statusCode).toBe(201)
  })

  it('is accepted or declined by somebody who is signed in, and by nobody else', async () => {
    const other = await signedIn(test, await aPartner(test), { email })
    const [first, second] = [(await invite()).json().id, (await invite(`second-${email}`)).json().id]
    const stranger = await signedIn(test, await aPartner(test))
    for (const [who, id] of [
      [stranger, first],
      [other, second],
      [other, 'nonsense'],
    ] as const) {
      expect((await answer(who, id, 'accept')).statusCode).toBe(404)
      expect((await answer(who, id, 'decline')).statusCode).toBe(404)
    }
    const before = (await ask(test, other, { url: '/v1/auth/session' })).json()
    expect(before.invitations).toMatchObject([{ id: first, slug: partner.slug, invited_by: admin.email }])
    const after = await answer(other, first, 'accept')
    expect(after.json()).toMatchObject({ role: 'viewer', partner: { slug: partner.slug }, invitations: [] })
    expect((await ask(test, other, { url: '/v1/account' })).json().id).toBe(partner.id)
    const third = await signedIn(test, await aPartner(test), { email: `second-${email}` })
    expect((await answer(third, second, 'decline')).json()).toEqual({ id: second, declined: true })
    expect((await ask(test, third, { url: '/v1/auth/session' })).json().invitations).toEqual([])
  })

  it('makes one member when it is accepted ten times at once, and none when it was withdrawn', async () => {
    const other = await signedIn(test, await aPartner(test), { email })
    const { id } = (await invite()).json()
    const replies = await Promise.all(Array.from({ length: 10 }, () => answer(other, id, 'accept')))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect((await team()).filter((each: string) => each === email)).toHaveLength(1)
    const late = await signedIn(test, await aPartner(test), { email: `late-${email}` })
    const withdrawn = (await invite(`late-${email}`)).json().id
    const removal = { method: 'DELETE', url: `/v1/invitations/${withdrawn}` } as const
    expect((await ask(test, admin, removal)).json()).toEqual({ id: withdrawn, withdrawn: true })
    expect((await ask(test, admin, removal)).statusCode).toBe(404)
    expect((await answer(late, withdrawn, 'accept')).statusCode).toBe(404)
  })

  it('of an admin keeps its term when it is sent again: a longer one wants a new invitation, and a code', async () => {
    const { id, expires_at } = (await invite(email, 'admin')).json()
    test.clock.advance(13 * 24 * 60 * 60_000)
    admin = await signedIn(test, partner, { email: admin.email })
    const again = await ask(test, admin, { method: 'POST', url: `/v1/invitations/${id}/send` })
    expect([again.statusCode, again.json().expires_at]).toEqual([200, expires_at])
    expect(await mailsTo(email)).toHaveLength(2)
    test.clock.advance(24 * 60 * 60_000 + 1)
    admin = await signedIn(test, partner, { email: admin.email })
    expect(await pending()).toEqual([])
    expect((await invite(email, 'admin')).statusCode).toBe(201)
  })

  it('runs out after fourteen days, unless it is sent again', async () => {
    const { id } = (await invite()).json()
    test.clock.advance(13 * 24 * 60 * 60_000)
    admin = await signedIn(test, partner, { email: admin.email })
    const again = await ask(test, admin, { method: 'POST', url: `/v1/invitations/${id}/send` })
    expect(again.statusCode).toBe(200)
    expect(await mailsTo(email)).toHaveLength(2)
    test.clock.advance(13 * 24 * 60 * 60_000)
    admin = await signedIn(test, partner, { email: admin.email })
    expect(await pending()).toHaveLength(1)
    test.clock.advance(24 * 60 * 60_000 + 1)
    admin = await signedIn(test, partner, { email: admin.email })
    expect(await pending()).toEqual([])
    expect((await invite()).statusCode).toBe(201)
  })

  it('of somebody who is an admin no longer is withdrawn', async () => {
    const second = await signedIn(test, partner)
    await invite(email, 'viewer', second)
    const member_id = second.memberId
    const code = await aDoorCode(test, admin, { action: 'member.remove', member_id })
    await ask(test, admin, { method: 'DELETE', url: `/v1/members/${member_id}`, headers: { 'confirm-code': code } })
    expect(await pending()).toEqual([])
  })
})

describe('where somebody lands', () => {
  it('is their own business, whoever has invited them since', async () => {
    const stranger = await signedIn(test, await aPartner(test))
    await signedIn(test, partner, { email })
    await sql(test, 'delete from sessions where email = $1', [email])
    await invite(email, 'admin', stranger)
    const session = (await enter(await aSignInCode(test, email))).json()
    expect(session.partner.slug).toBe(partner.slug)
    expect(session.partners).toHaveLength(1)
    expect(session.invitations).toMatchObject([{ invited_by: stranger.email, role: 'admin' }])
  })

  it('is theirs to say when they have several and have used none, and the one used last after that', async () => {
    const other = await aPartner(test)
    for (const each of [partner, other]) await signedIn(test, each, { email })
    const code = await aSignInCode(test, email)
    const choice = await enter(code)
    expect(choice.statusCode).toBe(409)
    expect(
      choice
        .json()
        .error.details.partners.map(({ slug }: { slug: string }) => slug)
        .toSorted(),
    ).toEqual([partner.slug, other.slug].toSorted())
    expect((await enter(code, { partner: partner.slug })).json().partner.slug).toBe(partner.slug)
    const session = await enter(await aSignInCode(test, email))
    expect(session.json().partner.slug).toBe(partner.slug)
    const cookie = String(session.headers['set-cookie']).split(';')[0]!
    test.clock.advance(1_000)
    await ask(test, { cookie }, { method: 'PATCH', url: '/v1/auth/session', payload: { partner: other.slug } })
    expect((await enter(await aSignInCode(test, email))).json().partner.slug).toBe(other.slug)
  })
})

describe('mail to strangers', () => {
  const NAME = 'Your parcel is waiting: https://parcel.evil.example/pay'

  it('is one each, without the words of the business, however many keys it makes', async () => {
    await sql(test, 'update partners set name = $2 where id = $1', [partner.id, NAME])
    const strangers = [1, 2, 3].map((count) => `stranger-${count}-${email}`)
    for (const stranger of strangers) expect((await invite(stranger, 'admin')).statusCode).toBe(201)
    const before = (await mailsTo(admin.email)).length
    for (let count = 0; count < 60; count++) {
      const create = { method: 'POST', url: '/v1/keys', payload: { environment: 'sandbox' } } as const
      const { id } = (await ask(test, admin, create)).json()
      await ask(test, admin, { method: 'DELETE', url: `/v1/keys/${id}` })
    }
    for (const stranger of strangers) {
      const mails = await mailsTo(stranger)
      expect(mails).toHaveLength(1)
      expect(mails[0]!.subject).not.toContain('parcel')
      expect(mails[0]!.text).toContain('“Your parcel is waiting: https //parcel evil example/pay”')
      expect(`${mails[0]!.text}${mails[0]!.html}`).not.toMatch(/https?:\/\/parcel|parcel\.evil|evil\.example/)
    }
    expect((await mailsTo(admin.email)).length - before).toBe(4)
  })

  it('with invitations is three at once, however many businesses invite and however often', async () => {
    for (let count = 0; count < 5; count++) {
      const by = await signedIn(test, await aPartner(test))
      expect((await invite(email, 'viewer', by)).json().mailed_at === null).toBe(count >= 3)
    }
    for (let count = 0; count < 5; count++) {
      const { id } = (await invite()).json()
      expect((await ask(test, admin, { method: 'POST', url: `/v1/invitations/${id}/send` })).statusCode).toBe(429)
      await ask(test, admin, { method: 'DELETE', url: `/v1/invitations/${id}` })
    }
    expect(await mailsTo(email)).toHaveLength(3)
  })

  it('from signing up has nothing of what was typed', async () => {
    const payload = {
      email,
      business_name: 'your account is frozen, see https://evil.example',
      name: 'https://evil.test',
    }
    expect((await test.request({ method: 'POST', url: '/v1/auth/sign-up', payload })).statusCode).toBe(202)
    const { subject, text, html } = await latestMail(test, email)
    expect(`${subject}${text}${html}`).not.toMatch(/frozen|evil/)
    expect(text).toContain('Enter this code to open an account.')
  })
})

describe('invitations', () => {
  it('are for admins to send again and to withdraw, and nobody else’s', async () => {
    const { id } = (await invite()).json()
    const viewer = await signedIn(test, partner, { role: 'viewer' })
    const foreign = await signedIn(test, await aPartner(test))
    const both = (by: TestMember) => [
      ask(test, by, { method: 'POST', url: `/v1/invitations/${id}/send` }),
      ask(test, by, { method: 'DELETE', url: `/v1/invitations/${id}` }),
    ]
    for (const reply of await Promise.all(both(viewer))) expect(reply.json().error.code).toBe('api_key_required')
    for (const reply of await Promise.all(both(foreign))) expect(reply.json().error.code).toBe('not_found')
    expect(await pending(viewer)).toHaveLength(1)
    expect(await pending(foreign)).toEqual([])
  })
})
