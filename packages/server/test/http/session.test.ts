// The session that one has, and the others of the same person.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { changePartnerStatus } from '../../src/domain/partners/change-partner.ts'
import { statement } from '../../src/storage/sql.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, get, sql } from '../support/fixtures.ts'
import { ask, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
})
afterAll(() => test.close())

const url = '/v1/auth/session'

describe('GET /v1/auth/session', () => {
  it('says who is signed in, with which role, for which of their businesses', async () => {
    const member = await signedIn(test, partner, { role: 'viewer' })
    const reply = await ask(test, member, { url })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({
      id: member.sessionId,
      email: member.email,
      name: null,
      role: 'viewer',
      partner: { slug: partner.slug },
    })
  })

  it('works for a suspended business, which it shows to be so', async () => {
    const own = await aPartner(test)
    const member = await signedIn(test, own)
    await changePartnerStatus(test.deps, own.slug, 'suspended')
    const reply = await ask(test, member, { url })
    expect([reply.statusCode, reply.json().partner.status]).toEqual([200, 'suspended'])
  })

  it('is 401 for nobody, and 403 for an API key', async () => {
    const nobody = await test.request({ url })
    expect([nobody.statusCode, nobody.json().error.message]).toEqual([401, 'Sign in to the dashboard first.'])
    const key = await get(test, partner, url)
    expect(key.statusCode).toBe(403)
    expect(key.json().error).toMatchObject({
      code: 'api_key_required',
      message: 'Sign in to the dashboard to do this.',
    })
  })
})

describe('PATCH /v1/auth/session', () => {
  const turnTo = (member: { cookie: string }, slug: unknown) =>
    ask(test, member, { method: 'PATCH', url, payload: { partner: slug } })

  const waitingForLocks = async () =>
    (
      await sql<{ pid: number }>(
        test,
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).length

  it('turns to another of one’s businesses, with the role that one has there', async () => {
    const other = await aPartner(test)
    const member = await signedIn(test, partner)
    await signedIn(test, other, { email: member.email, role: 'viewer' })
    const reply = await turnTo(member, other.slug)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ id: member.sessionId, role: 'viewer', partner: { slug: other.slug } })
    expect((await ask(test, member, { url: '/v1/account' })).json().id).toBe(other.id)
  })

  it('is 404 for a business that is not one’s own, as for one that nobody has', async () => {
    const member = await signedIn(test, partner)
    for (const slug of [(await aPartner(test)).slug, 'nobodys-business']) {
      const reply = await turnTo(member, slug)
      expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'not_found'])
    }
    expect((await ask(test, member, { url: '/v1/account' })).json().id).toBe(partner.id)
  })

  it('is 404 when one is taken off the team in the same moment', async () => {
    const other = await aPartner(test)
    const member = await signedIn(test, partner)
    await signedIn(test, other, { email: member.email })
    let turning: ReturnType<typeof turnTo> | undefined
    await test.deps.db.inTransaction(async (tx) => {
      await tx.query(statement('', 'delete from members where partner_id = $1 and email = $2'), [
        other.id,
        member.email,
      ])
      turning = turnTo(member, other.slug)
      await vi.waitFor(async () => expect(await waitingForLocks()).toBe(1), { timeout: 20_000 })
    })
    expect((await turning!).statusCode).toBe(404)
    expect((await ask(test, member, { url: '/v1/account' })).json().id).toBe(partner.id)
  })

  it('is 422 for what is no short name', async () => {
    expect((await turnTo(await signedIn(test, partner), 'No Slug')).statusCode).toBe(422)
  })
})

describe('DELETE /v1/auth/session', () => {
  it('signs out at once and takes the cookie back, and the other sessions go on', async () => {
    const member = await signedIn(test, partner)
    const elsewhere = await signedIn(test, partner, { email: member.email })
    const reply = await ask(test, member, { method: 'DELETE', url })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ object: 'session', signed_out: true })
    expect(reply.headers['set-cookie']).toMatch(/^kestrel_session=; Path=\/; Max-Age=0/)
    expect((await ask(test, member, { url: '/v1/account' })).statusCode).toBe(401)
    expect((await ask(test, elsewhere, { url: '/v1/account' })).statusCode).toBe(200)
  })

  it('works for a suspended business too', async () => {
    const own = await aPartner(test)
    const member = await signedIn(test, own)
    await changePartnerStatus(test.deps, own.slug, 'suspended')
    expect((await ask(test, member, { method: 'DELETE', url })).statusCode).toBe(200)
  })

  it('is refused from another site', async () => {
    const member = await signedIn(test, partner)
    const reply = await ask(test, member, { method: 'DELETE', url, headers: { origin: 'https://evil.example' } })
    expect(reply.json().error.code).toBe('cross_site_request')
    expect((await ask(test, member, { url: '/v1/account' })).statusCode).toBe(200)
  })
})

describe('a person’s sessions', () => {
  it('are listed, with the one that asks marked, and nobody else’s', async () => {
    const member = await signedIn(test, partner)
    const elsewhere = await signedIn(test, partner, { email: member.email })
    await signedIn(test, partner)
    const { data } = (await ask(test, member, { url: '/v1/auth/sessions' })).json()
    expect(data).toHaveLength(2)
    expect(data.map(({ id, is_current }: { id: string; is_current: boolean }) => [id, is_current])).toEqual(
      expect.arrayContaining([
        [member.sessionId, true],
        [elsewhere.sessionId, false],
      ]),
    )
    expect(data[0]).toMatchObject({ user_agent: 'vitest', ip: '127.0.0.1' })
  })

  it('can be ended one by one, at once, from one that signed in later', async () => {
    const elsewhere = await signedIn(test, partner)
    test.clock.advance(1)
    const member = await signedIn(test, partner, { email: elsewhere.email })
    const { data } = (await ask(test, member, { url: '/v1/auth/sessions' })).json()
    expect(data.map(({ can_end }: { can_end: boolean }) => can_end)).toEqual([true, true])
    const reply = await ask(test, member, { method: 'DELETE', url: `/v1/auth/sessions/${elsewhere.sessionId}` })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ id: elsewhere.sessionId, revoked: true })
    expect((await ask(test, elsewhere, { url: '/v1/account' })).statusCode).toBe(401)
  })

  it('are not ended by one that signed in before them, so a stolen one cannot keep its owner out', async () => {
    const stolen = await signedIn(test, partner, { role: 'viewer' })
    const sameMoment = await signedIn(test, partner, { email: stolen.email })
    test.clock.advance(1)
    const owner = await signedIn(test, partner, { email: stolen.email })
    for (const { sessionId } of [sameMoment, owner]) {
      const reply = await ask(test, stolen, { method: 'DELETE', url: `/v1/auth/sessions/${sessionId}` })
      expect([reply.statusCode, reply.json().error.code]).toEqual([409, 'session_is_newer'])
    }
    expect((await ask(test, owner, { url: '/v1/account' })).statusCode).toBe(200)
    const { data } = (await ask(test, stolen, { url: '/v1/auth/sessions' })).json()
    const canEnd = data.map(({ id, can_end }: { id: string; can_end: boolean }) => [id, can_end])
    expect(Object.fromEntries(canEnd)).toEqual({
      [stolen.sessionId]: true,
      [sameMoment.sessionId]: false,
      [owner.sessionId]: false,
    })
    const ended = await ask(test, owner, { method: 'DELETE', url: `/v1/auth/sessions/${stolen.sessionId}` })
    expect(ended.statusCode).toBe(200)
    expect((await ask(test, stolen, { url: '/v1/account' })).statusCode).toBe(401)
  })

  it('are 404 to anybody else, as those that do not exist', async () => {
    const [member, other] = [await signedIn(test, partner), await signedIn(test, partner)]
    for (const id of [other.sessionId, '019a8a00-0000-7000-8000-000000000000', 'nonsense']) {
      const reply = await ask(test, member, { method: 'DELETE', url: `/v1/auth/sessions/${id}` })
      expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'not_found'])
    }
    expect((await ask(test, other, { url: '/v1/account' })).statusCode).toBe(200)
  })
})
