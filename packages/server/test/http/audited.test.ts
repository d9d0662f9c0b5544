// The log says in words who changed what, with the values before and after.
import type { ActivityEntry } from '@kestrel/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { changePartnerStatus } from '../../src/domain/partners/change-partner.ts'
import { changePayoutLimits } from '../../src/domain/partners/change-payout-limits.ts'
import { pence } from '../../src/core/money.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, post, sql } from '../support/fixtures.ts'
import { type TestMember, ask, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
let ada: TestMember
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
  ada = await signedIn(test, partner)
  await sql(test, `update members set name = 'Ada Lovelace' where partner_id = $1`, [partner.id])
})
afterAll(() => test.close())

const newest = async (): Promise<ActivityEntry> =>
  (await get(test, partner, '/v1/activity?only=changes&limit=1')).json().data[0]
const asked = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
  const reply = await ask(test, ada, { method, url, ...(payload === undefined ? {} : { payload }) })
  return { reply, entry: await newest() }
}

describe('an entry of the log', () => {
  it('says what became of a key, limit by limit', async () => {
    const made = await asked('POST', '/v1/keys', { environment: 'sandbox', label: 'Production', daily_gbp: '100.00' })
    const { id } = made.reply.json<{ id: string }>()
    expect(made.entry).toMatchObject({ by_name: 'Ada Lovelace', subject: '“Production”' })
    expect(made.entry.summary).toContain('Ada Lovelace created the API key “Production”: ')
    expect(made.entry.summary).toContain('daily limit set to £100.00')
    const changed = await asked('PATCH', `/v1/keys/${id}`, { daily_gbp: '500.00' })
    expect(changed.entry).toMatchObject({
      summary: 'Ada Lovelace changed the daily limit of the API key “Production” from £100.00 to £500.00',
      changes: [{ field: 'daily_gbp', before: '100.00', after: '500.00' }],
    })
    const refused = await asked('PATCH', `/v1/keys/${id}`, { daily_gbp: '0.00' })
    expect(refused.entry).toMatchObject({
      summary: 'Ada Lovelace tried to change an API key, which was refused (invalid_request)',
      changes: [],
    })
    const rotated = await asked('POST', `/v1/keys/${id}/rotate`, { grace_seconds: 0 })
    expect(rotated.entry.summary).toBe('Ada Lovelace rotated the API key “Production”')
    const revoked = await asked('DELETE', `/v1/keys/${rotated.reply.json<{ id: string }>().id}`)
    expect(revoked.entry.summary).toBe('Ada Lovelace revoked the API key “Production”')
  })

  it('says what was changed in the settings, and what it was', async () => {
    const { entry } = await asked('PATCH', '/v1/settings', { low_balance_usdc: '250.00', vat_number: 'GB123456789' })
    expect(entry.changes).toEqual([
      { field: 'vat_number', before: null, after: 'GB123456789' },
      { field: 'low_balance_usdc', before: null, after: '250.00' },
    ])
    expect((await asked('PATCH', '/v1/settings', { low_balance_usdc: '300.00' })).entry.summary).toBe(
      'Ada Lovelace changed the low balance from 250.00 USDC to 300.00 USDC',
    )
  })

  it('says who was invited, changed and removed', async () => {
    const invited = await asked('POST', '/v1/members', { email: 'grace@thistle.test', role: 'viewer' })
    expect(invited.entry.summary).toBe('Ada Lovelace invited grace@thistle.test: role set to viewer')
    const { id } = invited.reply.json<{ id: string }>()
    expect((await asked('POST', `/v1/invitations/${id}/send`)).entry.summary).toBe(
      'Ada Lovelace sent an invitation again to grace@thistle.test',
    )
    expect((await asked('DELETE', `/v1/invitations/${id}`)).entry.summary).toBe(
      'Ada Lovelace withdrew the invitation of grace@thistle.test',
    )
    const viewer = await signedIn(test, partner, { role: 'viewer', email: 'mary@thistle.test' })
    expect((await asked('PATCH', `/v1/members/${viewer.memberId}`, { name: 'Mary S' })).entry).toMatchObject({
      changes: [{ field: 'name', after: 'Mary S' }],
    })
    expect((await asked('DELETE', `/v1/members/${viewer.memberId}`)).entry.summary).toBe(
      'Ada Lovelace removed Mary S (mary@thistle.test)',
    )
  })

  it('says what became of a webhook endpoint, and never its whole address', async () => {
    const url = 'https://hooks.thistle.example/secret-token?key=abc'
    const made = await asked('POST', '/v1/webhook-endpoints', { url, events: ['payout.failed'] })
    expect(made.entry.summary).toBe(
      'Ada Lovelace created the webhook endpoint https://hooks.thistle.example/…: events set to payout.failed',
    )
    const { id } = made.reply.json<{ id: string }>()
    const paused = await asked('PATCH', `/v1/webhook-endpoints/${id}`, { status: 'paused' })
    expect(paused.entry.summary).toBe(
      'Ada Lovelace changed the status of the webhook endpoint https://hooks.thistle.example/… from active to paused',
    )
    const rotated = await asked('POST', `/v1/webhook-endpoints/${id}/rotate-secret`, { grace_seconds: 0 })
    expect(rotated.entry.summary).toContain('rotated the secret of the webhook endpoint https://hooks')
    const deleted = await asked('DELETE', `/v1/webhook-endpoints/${id}`)
    expect(deleted.entry.summary).toContain('deleted the webhook endpoint https://hooks.thistle.example/…')
    const { body } = await get(test, partner, '/v1/activity')
    expect(body).not.toContain('secret-token')
  })

  it('says how much was paid, never to whom, and what was paused', async () => {
    await createPayout(test, partner, { amount_gbp: '25.00' })
    expect((await newest()).summary).toMatch(/^The API key kp_sandbox_\w{6} created a payout of £25\.00$/)
    await post(test, partner, '/v1/payouts/pause', {})
    expect(await newest()).toMatchObject({
      changes: [{ field: 'payouts', before: 'going out', after: 'paused' }],
    })
    expect((await asked('POST', '/v1/payouts/resume')).entry.summary).toBe(
      'Ada Lovelace let payouts go out again: payouts from paused to going out',
    )
  })

  it('says what the operator changed', async () => {
    const largestPayout = pence(50_000n)
    await changePayoutLimits(test.deps, partner.slug, { environment: 'sandbox', smallestPayout: null, largestPayout })
    expect(await newest()).toMatchObject({
      summary: 'The operator changed the limits of payouts: largest payout from £20000.00 to £500.00',
      changes: [{ field: 'largest_payout_gbp', before: '20000.00', after: '500.00' }],
    })
    await changePartnerStatus(test.deps, partner.slug, 'suspended')
    await changePartnerStatus(test.deps, partner.slug, 'active')
    expect((await newest()).summary).toBe('The operator activated the account: status from suspended to active')
  })

  it('is written also where a long value would be cut in the middle of a character', async () => {
    // Joined by “, ”: the eagle is the 300th and 301st unit.
    const address = [...['a', 'b', 'c'].map((letter) => letter.repeat(73)), `${'d'.repeat(74)}🦅`]
    const { reply, entry } = await asked('PATCH', '/v1/settings', { billing_address: address })
    expect(reply.statusCode).toBe(200)
    const [change] = entry.changes
    expect(change).toMatchObject({ field: 'billing_address' })
    expect(change!.after).toBe(`${address.join(', ').slice(0, 299)}\ufffd…`)
  })

  it('from before reads as well', async () => {
    await sql(
      test,
      `insert into activity (partner_id, at, id, action, status, by, method, detail)
       values ($1, now() + interval '1 minute', gen_random_uuid(), 'key.revoke', 200, 'old@thistle.test', 'DELETE', 'x')`,
      [partner.id],
    )
    expect(await newest()).toMatchObject({
      summary: 'old@thistle.test revoked an API key',
      by_name: null,
      subject: null,
      changes: [],
    })
  })
})
