import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, get, sql } from '../support/fixtures.ts'
import { type TestMember, aDoorCode, ask, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
let admin: TestMember
let viewer: TestMember
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  await sql(test, 'delete from allowances')
  partner = await aPartner(test)
  admin = await signedIn(test, partner)
  viewer = await signedIn(test, partner, { role: 'viewer' })
})

const url = '/v1/members'
const invite = (payload: object, by = admin) => ask(test, by, { method: 'POST', url, payload })
const change = (id: string, payload: object, by = admin) =>
  ask(test, by, { method: 'PATCH', url: `${url}/${id}`, payload })
const remove = (id: string, by = admin, headers: Record<string, string> = {}) =>
  ask(test, by, { method: 'DELETE', url: `${url}/${id}`, headers })
/** With the mailed code. */
const changeRole = async (member_id: string, role: string, by = admin) =>
  change(member_id, { role, confirm_code: await aDoorCode(test, by, { action: 'member.change', member_id, role }) }, by)
const removeAdmin = async (member_id: string, by = admin) =>
  remove(member_id, by, { 'confirm-code': await aDoorCode(test, by, { action: 'member.remove', member_id }) })

describe('GET /v1/members', () => {
  it('shows the team to its members and to a key, and nobody of another', async () => {
    await signedIn(test, await aPartner(test))
    for (const reply of [await ask(test, viewer, { url }), await get(test, partner, url)]) {
      expect(reply.statusCode).toBe(200)
      const { data } = reply.json()
      expect(data.map(({ email }: { email: string }) => email).toSorted()).toEqual(
        [admin.email, viewer.email, 'finance@thistle.test'].toSorted(),
      )
      expect(data[0]).toMatchObject({ email: 'finance@thistle.test', role: 'admin', invited_by: null, name: null })
    }
  })
})

describe('POST /v1/members', () => {
  it('is 409 for somebody who is in the team, in whatever capitals', async () => {
    const reply = await invite({ email: viewer.email.toUpperCase(), role: 'viewer' })
    expect([reply.statusCode, reply.json().error.code]).toEqual([409, 'member_exists'])
  })

  it('is 429 after thirty invitations', async () => {
    for (let count = 0; count < 30; count++) {
      expect((await invite({ email: `guest-${count}@okafor.test`, role: 'viewer' })).statusCode).toBe(201)
    }
    const reply = await invite({ email: 'guest-31@okafor.test', role: 'viewer' })
    expect([reply.statusCode, reply.json().error.code]).toEqual([429, 'rate_limited'])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(500)
  })

  it.each([
    [{ email: 'amara@okafor.test' }],
    [{ email: 'amara@okafor.test', role: 'owner' }],
    [{ email: 'amara', role: 'viewer' }],
    [{ role: 'viewer' }],
    [{ email: 'a@b.test', role: 'viewer', name: '' }],
  ])('is 422 for %j', async (payload) => {
    const reply = await invite(payload)
    expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'invalid_request'])
  })
})

describe('PATCH /v1/members/{id}', () => {
  it('changes role and name, and the role counts at the next request', async () => {
    expect((await change(viewer.memberId, { name: 'Vera' })).json()).toMatchObject({ role: 'viewer', name: 'Vera' })
    const reply = await changeRole(viewer.memberId, 'admin')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ id: viewer.memberId, role: 'admin', name: 'Vera' })
    expect((await changeRole(admin.memberId, 'viewer', viewer)).statusCode).toBe(200)
    expect((await change(viewer.memberId, { role: 'viewer' })).statusCode).toBe(403)
  })

  it('is 409 for the last admin, who stays one', async () => {
    await sql(test, `delete from members where partner_id = $1 and email = 'finance@thistle.test'`, [partner.id])
    const reply = await change(admin.memberId, { role: 'viewer' })
    expect([reply.statusCode, reply.json().error.code]).toEqual([409, 'last_admin'])
    expect((await change(admin.memberId, { name: 'Still admin' })).json().role).toBe('admin')
  })
})

describe('DELETE /v1/members/{id}', () => {
  it('removes somebody, whose sessions for this business end and for others go on', async () => {
    const other = await aPartner(test)
    const elsewhere = await signedIn(test, other, { email: viewer.email })
    const reply = await remove(viewer.memberId)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ id: viewer.memberId, removed: true })
    expect((await ask(test, viewer, { url: '/v1/account' })).statusCode).toBe(401)
    expect((await ask(test, elsewhere, { url: '/v1/account' })).statusCode).toBe(200)
  })

  it('lets an admin leave while another stays', async () => {
    expect((await removeAdmin(admin.memberId)).statusCode).toBe(200)
    expect((await ask(test, admin, { url: '/v1/account' })).statusCode).toBe(401)
  })

  it('is 409 for the last admin', async () => {
    await sql(test, `delete from members where partner_id = $1 and email = 'finance@thistle.test'`, [partner.id])
    const reply = await remove(admin.memberId)
    expect([reply.statusCode, reply.json().error.code]).toEqual([409, 'last_admin'])
  })
})

describe('changing the team', () => {
  it('is 404 for members of another team, as for those that nobody knows', async () => {
    const stranger = await signedIn(test, await aPartner(test))
    for (const id of [stranger.memberId, '019a8a00-0000-7000-8000-000000000000', 'nonsense']) {
      for (const reply of [await change(id, { role: 'viewer' }), await remove(id)]) {
        expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'not_found'])
      }
    }
  })

  it('is 403 for viewers and for API keys', async () => {
    const asViewer = [
      await invite({ email: 'amara@okafor.test', role: 'viewer' }, viewer),
      await change(admin.memberId, { role: 'viewer' }, viewer),
      await remove(admin.memberId, viewer),
    ]
    for (const reply of asViewer) {
      expect([reply.statusCode, reply.json().error.code]).toEqual([403, 'api_key_required'])
      expect(reply.json().error.message).toMatch(/^Only admins can .+\. Ask an admin of Thistle Market\./)
    }
    const headers = { authorization: `Bearer ${partner.key}` }
    const withKey = await test.request({ method: 'DELETE', url: `${url}/${admin.memberId}`, headers })
    expect(withKey.json().error).toMatchObject({
      code: 'api_key_required',
      message: 'Sign in to the dashboard to do this.',
    })
  })

  it('stands in activity with the member’s id', async () => {
    await change(viewer.memberId, { name: 'Vera' })
    const [newest] = (await ask(test, admin, { url: '/v1/activity' })).json().data
    expect(newest).toMatchObject({ action: 'member.change', by: admin.email, detail: viewer.memberId })
  })
})
