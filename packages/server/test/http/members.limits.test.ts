// Members with limits: what they may pay in the dashboard at once, per day and per month in London.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  aPayoutBody,
  anIdempotencyKey,
  anObligingRail,
  balanceOf,
  createPayout,
  get,
  inLive,
  sql,
} from '../support/fixtures.ts'
import { type TestMember, aDoorCode, ask, codeIn, latestMail, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
let admin: TestMember
let payer: TestMember
beforeAll(async () => {
  test = await startTestApp({ liveRail: anObligingRail() })
})
afterAll(() => test.close())
beforeEach(async () => {
  test.clock.set('2026-11-02T10:00:00Z')
  await sql(test, 'delete from allowances')
  partner = await aPartner(test)
  admin = await signedIn(test, partner)
  payer = await signedIn(test, partner)
})

type Environment = 'sandbox' | 'live'
const limit = (payload: object, options: { of?: TestMember; by?: TestMember; environment?: Environment } = {}) => {
  const { of = payer, by = admin, environment = 'sandbox' } = options
  return ask(test, by, { method: 'PATCH', url: `/v1/members/${of.memberId}?environment=${environment}`, payload })
}
const pay = (by: TestMember, body: Parameters<typeof aPayoutBody>[0] = {}, environment: Environment = 'sandbox') =>
  ask(test, by, {
    method: 'POST',
    url: `/v1/payouts?environment=${environment}`,
    payload: aPayoutBody(body),
    headers: { 'idempotency-key': anIdempotencyKey() },
  })
const shown = async (member: TestMember, environment: Environment = 'sandbox') =>
  (await ask(test, member, { url: `/v1/members?environment=${environment}` }))
    .json()
    .data.find(({ id }: { id: string }) => id === member.memberId)

describe('a member with limits', () => {
  it('pays up to what they may at once, and nothing moves beyond', async () => {
    expect((await limit({ max_per_payout_gbp: '25.00' })).json()).toMatchObject({
      id: payer.memberId,
      max_per_payout_gbp: '25.00',
      daily_gbp: null,
      spent_today_gbp: '0.00',
    })
    expect((await pay(payer)).statusCode).toBe(201)
    const before = await balanceOf(test, partner)
    const refused = await pay(payer, { amount_gbp: '25.01' })
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'spending_limit_reached'])
    expect(refused.json().error.details).toEqual({
      limit: 'max_per_payout_gbp',
      limit_gbp: '25.00',
      used_gbp: '0.00',
      remaining_gbp: '25.00',
      resets_at: null,
    })
    expect(refused.json().error.message).toBe('You may pay 25.00 GBP at once. This payout is 25.01. Nothing was sent.')
    expect(await balanceOf(test, partner)).toBe(before)
    // Neither another admin nor a key is held by it.
    expect((await pay(admin, { amount_gbp: '25.01' })).statusCode).toBe(201)
    expect((await createPayout(test, partner, { amount_gbp: '25.01' })).statusCode).toBe(201)
  })

  it('pays so much per day and month in London, and sees what is used', async () => {
    test.clock.set('2026-10-30T12:00:00Z')
    await limit({ daily_gbp: '60.00', monthly_gbp: '75.00' })
    expect([(await pay(payer)).statusCode, (await pay(payer)).statusCode]).toEqual([201, 201])
    expect((await pay(payer)).json().error.details).toEqual({
      limit: 'daily_gbp',
      limit_gbp: '60.00',
      used_gbp: '50.00',
      remaining_gbp: '10.00',
      resets_at: '2026-10-31T00:00:00.000Z',
    })
    test.clock.set('2026-10-31T12:00:00Z')
    expect((await pay(payer)).statusCode).toBe(201)
    expect((await pay(payer, { amount_gbp: '1.00' })).json().error.details).toMatchObject({
      limit: 'monthly_gbp',
      remaining_gbp: '0.00',
      resets_at: '2026-11-01T00:00:00.000Z',
    })
    expect(await shown(payer)).toMatchObject({ spent_today_gbp: '25.00', spent_this_month_gbp: '75.00' })
    test.clock.set('2026-11-01T00:00:00Z')
    expect((await pay(payer)).statusCode).toBe(201)
  })

  it('gets the room of a payout back that comes to nothing', async () => {
    await limit({ daily_gbp: '25.00' })
    expect((await pay(payer, { reference: 'sandbox:cancel' })).statusCode).toBe(201)
    expect((await shown(payer)).spent_today_gbp).toBe('25.00')
    test.clock.advance(5_000)
    await test.follow()
    expect((await shown(payer)).spent_today_gbp).toBe('0.00')
    expect((await pay(payer)).statusCode).toBe(201)
  })

  it('has limits per environment, which their role does not change', async () => {
    await limit({ daily_gbp: '25.00' })
    expect(await shown(payer, 'live')).toMatchObject({ daily_gbp: null, spent_today_gbp: null })
    const viewer = await signedIn(test, partner, { role: 'viewer' })
    expect((await limit({ daily_gbp: '10.00' }, { of: viewer })).statusCode).toBe(200)
    const role = { action: 'member.change', member_id: viewer.memberId, role: 'admin' }
    await limit({ role: 'admin', confirm_code: await aDoorCode(test, admin, role) }, { of: viewer })
    expect((await pay(viewer)).json().error.details).toMatchObject({ limit: 'daily_gbp', limit_gbp: '10.00' })
    expect((await get(test, partner, '/v1/members')).json().data.at(-1)).toMatchObject({ daily_gbp: '10.00' })
  })
})

describe('a member with limits in live', () => {
  beforeEach(async () => {
    await inLive(test, partner, '1000.00')
  })
  const live = { environment: 'live' } as const

  it('is refused before a code is mailed for more', async () => {
    await limit({ daily_gbp: '20.00' }, live)
    const body = aPayoutBody({})
    const refused = await ask(test, payer, {
      method: 'POST',
      url: '/v1/payouts/confirm-code?environment=live',
      payload: body,
    })
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'spending_limit_reached'])
    expect(refused.json().error.message).toContain('Nothing was sent.')
  })

  it('is let pay more by another admin’s mailed code, which fits exactly that; lowering needs none', async () => {
    expect((await limit({ daily_gbp: '20.00' }, live)).statusCode).toBe(200)
    for (const payload of [{ daily_gbp: '20.01' }, { daily_gbp: null }]) {
      expect((await limit(payload, live)).json().error.code).toBe('confirm_code_required')
    }
    const door = { action: 'member.change', member_id: payer.memberId, environment: 'live', daily_gbp: '30.00' }
    const code = await aDoorCode(test, admin, door)
    const mail = await latestMail(test, admin.email)
    expect(mail.text).toContain(payer.email)
    expect(mail.text).toContain('30.00 GBP')
    const other = await limit({ daily_gbp: '31.00', confirm_code: code }, live)
    expect(other.json().error.details).toMatchObject({ reason: 'changed' })
    expect((await limit({ daily_gbp: '30.00', confirm_code: code }, live)).json().daily_gbp).toBe('30.00')
    const asked = await ask(test, payer, {
      method: 'POST',
      url: '/v1/payouts/confirm-code?environment=live',
      payload: aPayoutBody({}),
    })
    expect(asked.statusCode).toBe(202)
    const confirm_code = codeIn(await latestMail(test, payer.email))
    expect((await pay(payer, { ...aPayoutBody({}), confirm_code }, 'live')).statusCode).toBe(201)
  })

  it('is told in the mail with the code, also when the role changes with the limits', async () => {
    const door = { action: 'member.change', member_id: payer.memberId, role: 'viewer', daily_gbp: '30.00' }
    for (const environment of ['sandbox', 'live']) {
      await aDoorCode(test, admin, { ...door, environment })
      expect((await latestMail(test, admin.email)).text).toMatch(new RegExp(`Environment:? +${environment}`))
    }
  })

  it('asks for a code that says which environment the limit is for', async () => {
    const door = { action: 'member.change', member_id: payer.memberId, daily_gbp: '30.00' }
    const reply = await ask(test, admin, { method: 'POST', url: '/v1/confirm-codes', payload: door })
    expect(reply.json().error.details.fields).toEqual(['environment (needed for member.change)'])
  })
})

describe('changing limits', () => {
  it('is for admins; nobody raises their own, in sandbox neither, and everybody may lower theirs', async () => {
    const viewer = await signedIn(test, partner, { role: 'viewer' })
    expect((await limit({ daily_gbp: '20.00' }, { by: viewer })).statusCode).toBe(403)
    expect((await limit({ daily_gbp: '20.00' }, { by: payer })).statusCode).toBe(200)
    expect((await limit({ daily_gbp: '10.00' }, { by: payer })).statusCode).toBe(200)
    for (const payload of [{ daily_gbp: '10.01' }, { daily_gbp: null }]) {
      const refused = await limit(payload, { by: payer })
      expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'api_key_required'])
      expect(refused.json().error.message).toContain('Nobody raises their own limits')
    }
    expect((await shown(payer)).daily_gbp).toBe('10.00')
    expect((await limit({ daily_gbp: null })).json().daily_gbp).toBeNull()
  })

  it('is refused to the only admin for themselves: nobody could take it back', async () => {
    await sql(test, 'delete from members where partner_id = $1 and email <> $2', [partner.id, admin.email])
    const refused = await limit({ daily_gbp: '10.00' }, { of: admin })
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'last_admin'])
    expect((await limit({ name: 'Ada', daily_gbp: null }, { of: admin })).json().name).toBe('Ada')
    expect(await sql(test, 'select 1 from spending_limits where partner_id = $1', [partner.id])).toEqual([])
  })

  it('leaves a limited admin who is the last one a way: another admin, who raises it', async () => {
    await limit({ daily_gbp: '10.00' })
    await sql(test, 'delete from members where partner_id = $1 and email <> $2', [partner.id, payer.email])
    expect((await limit({ daily_gbp: null }, { by: payer })).json().error.message).toContain('invite one')
    const next = await signedIn(test, partner)
    expect((await limit({ daily_gbp: null }, { by: next })).statusCode).toBe(200)
    expect((await pay(payer)).statusCode).toBe(201)
  })

  it('is 422 for values that make no sense, and 404 for somebody of another team', async () => {
    for (const payload of [
      { daily_gbp: '0.00' },
      { daily_gbp: 5 },
      { monthly_gbp: '1,000.00' },
      { weekly_gbp: '5.00' },
    ]) {
      expect([payload, (await limit(payload)).statusCode]).toEqual([payload, 422])
    }
    const stranger = await signedIn(test, await aPartner(test))
    expect((await limit({ daily_gbp: '5.00' }, { of: stranger })).statusCode).toBe(404)
    expect(await sql(test, 'select 1 from spending_limits where partner_id = $1', [partner.id])).toEqual([])
  })

  it('stands in activity, in a mail to the admins and to the member, and in an event', async () => {
    const changed = await limit({ daily_gbp: '60.00', max_per_payout_gbp: '40.00' })
    const [newest] = (await ask(test, admin, { url: '/v1/activity' })).json().data
    const detail = `${payer.memberId}: daily_gbp, max_per_payout_gbp`
    expect(newest).toMatchObject({ action: 'member.change', by: admin.email, detail })
    for (const email of [admin.email, payer.email]) {
      const mail = await latestMail(test, email)
      expect(mail.subject).toBe('What a member may pay was changed: “Thistle Market”')
      expect(mail.text).toContain('60.00 GBP')
    }
    // The same again changes nothing, and says nothing.
    await limit({ daily_gbp: '60.00' })
    const events = (await get(test, partner, `/v1/events?subject=${payer.memberId}`)).json().data
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      type: 'member.limits_changed',
      subject: { object: 'member', id: payer.memberId },
      sequence: 1,
    })
    expect(events[0].data).toEqual(changed.json())
    await sql(test, 'delete from members where partner_id = $1 and id = $2', [partner.id, payer.memberId])
    const after = (await get(test, partner, `/v1/events?subject=${payer.memberId}`)).json().data
    expect(after[0].data).toEqual(changed.json())
  })
})

describe('a limited member', () => {
  it('makes, rotates and widens no key that pays, which would be a way around; any other they may', async () => {
    const keys = (payload: object, by = payer) => ask(test, by, { method: 'POST', url: '/v1/keys', payload })
    const change = (payload: object) => ask(test, payer, { method: 'PATCH', url: `/v1/keys/${partner.keyId}`, payload })
    await limit({ daily_gbp: '20.00' })
    const rotate = { method: 'POST', url: `/v1/keys/${partner.keyId}/rotate`, payload: { grace_seconds: 0 } } as const
    expect((await change({ daily_gbp: '50.00' })).statusCode).toBe(200)
    for (const reply of [
      await keys({ environment: 'sandbox' }),
      await keys({ environment: 'sandbox', daily_gbp: '10.00' }),
      await ask(test, payer, rotate),
      await change({ daily_gbp: '51.00' }),
    ]) {
      expect([reply.statusCode, reply.json().error?.code]).toEqual([403, 'api_key_required'])
      expect(reply.json().error.message).toContain('Your own sandbox payouts are limited')
    }
    expect((await keys({ environment: 'sandbox', scopes: ['read'] })).statusCode).toBe(201)
    expect((await keys({ environment: 'sandbox' }, admin)).statusCode).toBe(201)
    await limit({ daily_gbp: null })
    expect((await ask(test, payer, rotate)).statusCode).toBe(201)
  })

  it('is not mailed a code for a live key that pays', async () => {
    await inLive(test, partner, '1000.00')
    await limit({ daily_gbp: '20.00' }, { environment: 'live' })
    const door = { action: 'key.create', environment: 'live', label: 'mine' }
    const reply = await ask(test, payer, { method: 'POST', url: '/v1/confirm-codes', payload: door })
    expect([reply.statusCode, reply.json().error.code]).toEqual([403, 'api_key_required'])
  })
})
