// The switch that stops all payouts of an account: what it stops, what goes on, and who may set it and take it back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { findPartner } from '../../src/domain/partners/find-partner.ts'
import { pausePayouts } from '../../src/domain/partners/pause-payouts.ts'
import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
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
  post,
  sql,
} from '../support/fixtures.ts'
import { type TestMember, aDoorCode, ask, signedIn } from '../support/sessions.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ liveRail: anObligingRail() })
})
afterAll(() => test.close())

const pauseBy = (member: TestMember, environment = 'sandbox') =>
  ask(test, member, { method: 'POST', url: `/v1/payouts/pause?environment=${environment}` })
const resumeBy = (member: TestMember, environment = 'sandbox', code?: string) =>
  ask(test, member, {
    method: 'POST',
    url: `/v1/payouts/resume?environment=${environment}`,
    headers: code === undefined ? {} : { 'confirm-code': code },
  })
const countOf = async ({ id }: TestPartner) =>
  (await sql<{ count: number }>(test, 'select count(*)::int as count from payouts where partner_id = $1', [id]))[0]!
    .count
const subjectsTo = async (email: string) =>
  (await readMailbox(test.deps)).filter(({ to }) => to === email).map(({ subject }) => subject)

describe('an account whose payouts are paused', () => {
  it('makes no payout, and says since when and who; nothing moves', async () => {
    const partner = await aPartner(test)
    const admin = await signedIn(test, partner)
    const paused = await pauseBy(admin)
    const { paused_at } = paused.json()
    expect(paused.json()).toEqual({
      object: 'payout_pause',
      environment: 'sandbox',
      paused: true,
      paused_at: expect.any(String),
      paused_by: admin.email,
    })
    const before = await balanceOf(test, partner)
    const byKey = await createPayout(test, partner)
    expect([byKey.statusCode, byKey.json().error.code]).toEqual([403, 'payouts_paused'])
    expect(byKey.json().error.details).toEqual({ paused_at, paused_by: 'an admin' })
    expect(byKey.json().error.message).toContain('Nothing was sent.')
    expect(byKey.body).not.toContain(admin.email)
    const headers = { 'idempotency-key': anIdempotencyKey() }
    const byMember = await ask(test, admin, { method: 'POST', url: '/v1/payouts', payload: aPayoutBody(), headers })
    expect(byMember.json().error).toMatchObject({ code: 'payouts_paused', details: { paused_by: admin.email } })
    expect([await countOf(partner), await balanceOf(test, partner)]).toEqual([0, before])
  })

  it('answers a repeated request as ever, quotes and shows, and finishes what was under way', async () => {
    const partner = await aPartner(test)
    const admin = await signedIn(test, partner)
    const key = { 'idempotency-key': anIdempotencyKey() }
    const made = await createPayout(test, partner, {}, key)
    await pauseBy(admin)
    const again = await createPayout(test, partner, {}, key)
    expect([again.statusCode, again.headers['idempotent-replayed'], again.json().id]).toEqual([
      200,
      'true',
      made.json().id,
    ])
    expect((await post(test, partner, '/v1/quotes', { amount_gbp: '25.00' })).statusCode).toBe(200)
    test.clock.advance(5_000)
    await test.follow()
    expect((await get(test, partner, `/v1/payouts/${made.json().id}`)).json().status).toBe('completed')
  })

  it('is shown with the account, to a key without the address of the admin', async () => {
    const partner = await aPartner(test)
    const admin = await signedIn(test, partner)
    const shown = async () => [
      (await get(test, partner, '/v1/account')).json().payouts_pause,
      (await ask(test, admin, { url: '/v1/account' })).json().payouts_pause,
    ]
    expect(await shown()).toEqual([null, null])
    const { paused_at } = (await pauseBy(admin)).json()
    expect(await shown()).toEqual([
      { paused_at, paused_by: 'an admin' },
      { paused_at, paused_by: admin.email },
    ])
    expect((await ask(test, admin, { url: '/v1/account?environment=live' })).json().payouts_pause).toBeNull()
  })

  it('pays again once an admin has resumed, with the same key', async () => {
    const partner = await aPartner(test)
    const admin = await signedIn(test, partner)
    await pauseBy(admin)
    const key = { 'idempotency-key': anIdempotencyKey() }
    expect((await createPayout(test, partner, {}, key)).statusCode).toBe(403)
    expect((await resumeBy(admin)).json()).toMatchObject({ paused: false, paused_at: null, paused_by: null })
    expect((await createPayout(test, partner, {}, key)).statusCode).toBe(201)
  })

  it('keeps the first of two pauses, and is resumed twice without harm', async () => {
    const partner = await aPartner(test)
    const [admin, second] = [await signedIn(test, partner), await signedIn(test, partner)]
    const first = (await pauseBy(admin)).json()
    test.clock.advance(1_000)
    expect((await pauseBy(second)).json()).toEqual(first)
    expect([(await resumeBy(admin)).statusCode, (await resumeBy(second)).statusCode]).toEqual([200, 200])
  })
})

describe('the switch', () => {
  it('is set by an admin or a key, and taken back by an admin alone', async () => {
    const partner = await aPartner(test)
    const [admin, viewer] = [await signedIn(test, partner), await signedIn(test, partner, { role: 'viewer' })]
    expect((await pauseBy(viewer)).statusCode).toBe(403)
    expect((await createPayout(test, partner)).statusCode).toBe(201)
    const byKey = await post(test, partner, '/v1/payouts/pause', '{}')
    expect(byKey.json()).toMatchObject({ paused: true, paused_by: partner.key.slice(0, 17) })
    expect((await post(test, partner, '/v1/payouts/resume', '{}')).statusCode).toBe(403)
    expect((await resumeBy(viewer)).statusCode).toBe(403)
    expect((await createPayout(test, partner)).statusCode).toBe(403)
    expect((await resumeBy(admin)).statusCode).toBe(200)
  })

  it('needs the mailed code to be taken back in live, which fits this pause alone', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner, '1000.00')
    const admin = await signedIn(test, partner)
    expect((await pauseBy(admin, 'live')).statusCode).toBe(200)
    expect((await createPayout(test, partner)).statusCode).toBe(201)
    const refused = await resumeBy(admin, 'live')
    expect([refused.statusCode, refused.json().error.code]).toEqual([422, 'confirm_code_required'])
    const code = await aDoorCode(test, admin, { action: 'payouts.resume', environment: 'live' })
    expect((await resumeBy(admin, 'live', code === '000000' ? '000001' : '000000')).statusCode).toBe(422)
    expect((await createPayout(test, live)).json().error.code).toBe('payouts_paused')
    expect((await resumeBy(admin, 'live', code)).statusCode).toBe(200)
    expect((await createPayout(test, live)).statusCode).toBe(201)
    test.clock.advance(1_000)
    await pauseBy(admin, 'live')
    expect((await resumeBy(admin, 'live', code)).json().error.code).toBe('code_not_accepted')
    expect((await createPayout(test, live)).json().error.code).toBe('payouts_paused')
  })

  it('is refused before a code is mailed for a payout that could not be made', async () => {
    const partner = await aPartner(test)
    await inLive(test, partner, '1000.00')
    const admin = await signedIn(test, partner)
    await pauseBy(admin, 'live')
    const url = '/v1/payouts/confirm-code?environment=live'
    const refused = await ask(test, admin, { method: 'POST', url, payload: aPayoutBody() })
    expect(refused.json().error).toMatchObject({ code: 'payouts_paused', details: { paused_by: admin.email } })
    expect((await subjectsTo(admin.email)).filter((subject) => /^\d{6} /.test(subject))).toEqual([])
  })

  it('is in the activity, and every admin gets a mail', async () => {
    const partner = await aPartner(test)
    const [admin, second] = [await signedIn(test, partner), await signedIn(test, partner)]
    await pauseBy(admin)
    await resumeBy(admin)
    const own = await findPartner(test.deps, partner.slug)
    await pausePayouts(test.deps, { partner: own, environment: 'sandbox', by: 'operator', url: 'https://pay.test' })
    for (const { email } of [admin, second]) {
      expect((await subjectsTo(email)).toSorted()).toEqual([
        'All sandbox payouts were paused: “Thistle Market”',
        'All sandbox payouts were paused: “Thistle Market”',
        'Sandbox payouts go out again: “Thistle Market”',
      ])
    }
    const { data } = (await ask(test, admin, { url: '/v1/activity' })).json()
    const seen = data.filter(({ action }: { action: string }) => action.startsWith('payouts.'))
    expect(seen.map(({ action, by }: { action: string; by: string }) => [action, by])).toEqual([
      ['payouts.pause', 'operator'],
      ['payouts.resume', admin.email],
      ['payouts.pause', admin.email],
    ])
    expect((await createPayout(test, partner)).json().error.details.paused_by).toBe('the operator of this service')
  })
})
