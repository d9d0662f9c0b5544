// The checklist for going live: every tick comes from what really happened, of this business alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createKey } from '../../src/domain/api-keys/create-key.ts'
import { findPartner } from '../../src/domain/partners/find-partner.ts'
import { deliverWebhooks } from '../../src/domain/webhooks/deliver-webhooks.ts'
import { PUBLIC_URL, type TestApp, startTestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  aRecipient,
  anObligingRail,
  createPayout,
  get,
  inLive,
  sql,
} from '../support/fixtures.ts'
import { startReceiver, withStatus } from '../support/receiver.ts'
import { ask, signedIn } from '../support/sessions.ts'
import { verifyPartner } from '../support/verified.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ liveRail: anObligingRail() })
})
afterAll(() => test.close())

type Step = { id: string; done: boolean; url: string }

const read = async (partner: TestPartner) =>
  (await get(test, partner, '/v1/go-live')).json() as { done: number; total: number; steps: Step[] }

const doneOf = async (partner: TestPartner) =>
  (await read(partner)).steps.filter(({ done }) => done).map(({ id }) => id)

const settle = async () => {
  test.clock.advance(5_000)
  await test.follow()
}

describe('GET /v1/go-live', () => {
  it('begins with nothing done, and says where each step is', async () => {
    const { done, total, steps } = await read(await aPartner(test))
    expect([done, total]).toEqual([0, steps.length])
    expect(steps.map(({ id }) => id)).toEqual([
      'first_payout',
      'failure_handled',
      'replay_seen',
      'webhook_verified',
      'two_admins',
      'verification',
      'funding',
      'low_balance_warning',
      'live_key',
      'limited_key',
      'first_live_payout',
    ])
    for (const { url } of steps) expect(url.startsWith(`${PUBLIC_URL}/`)).toBe(true)
  })

  it('ticks a payout once it has arrived, and not before', async () => {
    const partner = await aPartner(test)
    await createPayout(test, partner)
    expect(await doneOf(partner)).toEqual([])
    await settle()
    expect(await doneOf(partner)).toEqual(['first_payout'])
  })

  it('ticks a failure when the program reads it, not when it happens or a member looks', async () => {
    const partner = await aPartner(test)
    const recipient = aRecipient({ account_number: '12340000' })
    const { id } = (await createPayout(test, partner, { recipient })).json()
    await ask(test, await signedIn(test, partner), { method: 'GET', url: `/v1/payouts/${id}` })
    expect(await doneOf(partner)).toEqual([])
    await get(test, partner, `/v1/payouts/${id}`)
    await get(test, partner, `/v1/payouts/${id}`)
    expect(await doneOf(partner)).toEqual(['failure_handled'])
    expect(await doneOf(await aPartner(test))).toEqual([])
  })

  it('ticks a replay, also when two repeat at once, and not a refused repetition', async () => {
    const partner = await aPartner(test)
    const again = { 'idempotency-key': 'order-1042' }
    await createPayout(test, partner, {}, again)
    await createPayout(test, partner, { amount_gbp: '26.00' }, again)
    expect(await doneOf(partner)).toEqual([])
    const replies = await Promise.all([createPayout(test, partner, {}, again), createPayout(test, partner, {}, again)])
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await doneOf(partner)).toEqual(['replay_seen'])
    expect(await sql(test, 'select name from milestones where partner_id = $1', [partner.id])).toHaveLength(1)
  })

  it('ticks a webhook once a receiver has answered an event with 2xx, and neither a refusal nor a test', async () => {
    const partner = await aPartner(test)
    const receiver = await startReceiver()
    try {
      const headers = { authorization: `Bearer ${partner.key}` }
      const post = (url: string, payload: object) => test.request({ method: 'POST', url, headers, payload })
      const { id } = (await post('/v1/webhook-endpoints', { url: receiver.url })).json()
      expect((await post(`/v1/webhook-endpoints/${id}/test`, {})).json().delivered).toBe(true)
      receiver.answer(withStatus(500))
      await createPayout(test, partner)
      await deliverWebhooks(test.deps)
      expect(await doneOf(partner)).toEqual([])
      receiver.answer(withStatus(204))
      test.clock.advance(60_000)
      await deliverWebhooks(test.deps)
      expect(await doneOf(partner)).toEqual(['webhook_verified'])
    } finally {
      await receiver.close()
    }
  })

  it('ticks a key that can pay only so much, or only from somewhere, for as long as it works', async () => {
    const partner = await aPartner(test)
    const owner = await findPartner(test.deps, partner.slug)
    const made = async (rules: object) =>
      (await createKey(test.deps, { partner: owner, environment: 'sandbox', label: null, rules })).id
    await made({ scopes: ['read'] })
    expect(await doneOf(partner)).toEqual([])
    const capped = await made({ daily: 100_00n })
    expect(await doneOf(partner)).toEqual(['limited_key'])
    await sql(test, 'update api_keys set revoked_at = now() where id = $1', [capped])
    expect(await doneOf(partner)).toEqual([])
    await made({ allowedIps: ['203.0.113.0/24'] })
    expect(await doneOf(partner)).toEqual(['limited_key'])
  })

  it('ticks no limit of a sandbox key once there is a live key, which guards the money', async () => {
    const partner = await aPartner(test)
    const owner = await verifyPartner(test.deps, partner.slug)
    const made = (environment: 'sandbox' | 'live', rules: object) =>
      createKey(test.deps, { partner: owner, environment, label: null, rules })
    await made('sandbox', { daily: 100_00n })
    expect(await doneOf(partner)).toContain('limited_key')
    await made('live', {})
    expect(await doneOf(partner)).not.toContain('limited_key')
    await made('live', { daily: 100_00n })
    expect(await doneOf(partner)).toContain('limited_key')
  })

  it('counts admins who have signed in, a threshold and a live key', async () => {
    const partner = await aPartner(test)
    const admin = await signedIn(test, partner)
    await signedIn(test, partner, { role: 'viewer' })
    expect(await doneOf(partner)).toEqual([])
    await signedIn(test, partner, { email: `second-${partner.slug}@thistle.test` })
    const isThere = 'update members set last_login_at = now() where partner_id = $1'
    await sql(test, `${isThere} and email = $2`, [partner.id, admin.email])
    expect(await doneOf(partner)).toEqual([])
    await sql(test, isThere, [partner.id])
    await ask(test, admin, { method: 'PATCH', url: '/v1/settings', payload: { low_balance_usdc: '50.00' } })
    expect(await doneOf(partner)).toEqual(['two_admins', 'low_balance_warning'])
    const live = await inLive(test, partner, '55.55')
    await createKey(test.deps, {
      partner: await findPartner(test.deps, partner.slug),
      environment: 'live',
      label: null,
    })
    expect(await doneOf(partner)).toEqual(expect.arrayContaining(['funding', 'live_key']))
    expect(await doneOf(live)).toEqual(await doneOf(partner))
  })
})
