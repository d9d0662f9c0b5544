import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { createKey } from '../../src/domain/api-keys/create-key.ts'
import { revokeKey } from '../../src/domain/api-keys/revoke-key.ts'
import { findPartner } from '../../src/domain/partners/find-partner.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, get, inLive } from '../support/fixtures.ts'

const DAY = 24 * 60 * 60 * 1_000

let test: TestApp
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  test = await startTestApp()
})
afterAll(async () => {
  await test.close()
  vi.useRealTimers()
})

interface Key {
  id: string
  label: string | null
  environment: string
  last_used_at: string | null
  revoked_at: string | null
}

const keys = async (partner: Pick<TestPartner, 'key'>): Promise<Key[]> =>
  (await get(test, partner, '/v1/keys')).json().data

const another = async (partner: TestPartner, label: string | null) =>
  createKey(test.deps, { partner: await findPartner(test.deps, partner.slug), environment: 'sandbox', label })

describe('GET /v1/keys, 200', () => {
  it('shows the first key of a new partner: what it is called and how it begins, and that it was never used', async () => {
    const partner = await aPartner(test)
    const createdAt = test.clock.now().toISOString()
    const reply = await get(test, partner, '/v1/keys')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      object: 'list',
      data: [
        {
          id: partner.keyId,
          environment: 'sandbox',
          key_prefix: partner.key.slice(0, 'kp_sandbox_'.length + 6),
          label: 'First key',
          created_at: createdAt,
          last_used_at: null,
          last_used_ip: null,
          revoked_at: null,
          created_by: null,
          expires_at: null,
          replaced_by: null,
          scopes: ['read', 'quote', 'pay', 'webhooks', 'sandbox'],
          max_per_payout_gbp: null,
          daily_gbp: null,
          monthly_gbp: null,
          allowed_ips: null,
          spent_today_gbp: null,
          spent_this_month_gbp: null,
        },
      ],
    })
  })

  it('never shows more of a secret than how it begins', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner)
    const { body } = await get(test, partner, '/v1/keys')
    for (const secret of [partner.key, live.key]) {
      const hex = secret.slice(-48)
      expect(body).toContain(hex.slice(0, 6))
      expect(body).not.toContain(hex.slice(0, 7))
      expect(body).not.toContain(hex.slice(-8))
    }
  })

  it('shows the keys of both environments to a key of either, the newest first', async () => {
    const partner = await aPartner(test)
    test.clock.advance(1_000)
    const live = await inLive(test, partner)
    for (const key of [partner, live]) {
      expect((await keys(key)).map(({ id, environment, label }) => ({ id, environment, label }))).toEqual([
        { id: live.keyId, environment: 'live', label: null },
        { id: partner.keyId, environment: 'sandbox', label: 'First key' },
      ])
    }
  })

  it('shows when and from where a key was last used', async () => {
    const partner = await aPartner(test)
    const idle = await another(partner, 'idle')
    test.clock.advance(60_000)
    await get(test, partner, '/v1/balance')
    const usedAt = test.clock.now().toISOString()
    await test.deps.activity.flush()
    const shown = await keys(partner)
    expect(shown.find((key) => key.id === partner.keyId)).toMatchObject({
      last_used_at: usedAt,
      last_used_ip: '127.0.0.1',
    })
    expect(shown.find((key) => key.id === idle.id)?.last_used_at).toBe(null)
  })

  it('counts a refused request as use', async () => {
    const partner = await aPartner(test)
    await get(test, partner, '/v1/payouts/none')
    const usedAt = test.clock.now().toISOString()
    await test.deps.activity.flush()
    expect(await keys(partner)).toMatchObject([{ last_used_at: usedAt }])
  })

  it('shows a revoked key for 90 days, and then no more', async () => {
    const partner = await aPartner(test)
    const revoked = await another(partner, 'old laptop')
    await revokeKey(test.deps, revoked.id)
    const revokedAt = test.clock.now().toISOString()
    expect((await keys(partner)).find((key) => key.id === revoked.id)).toMatchObject({
      label: 'old laptop',
      revoked_at: revokedAt,
    })
    test.clock.advance(90 * DAY)
    expect((await keys(partner)).map((key) => key.id)).toContain(revoked.id)
    test.clock.advance(1)
    expect((await keys(partner)).map((key) => key.id)).toEqual([partner.keyId])
  })

  it('keeps the first moment when a key is revoked twice', async () => {
    const partner = await aPartner(test)
    const revoked = await another(partner, null)
    await revokeKey(test.deps, revoked.id)
    const revokedAt = test.clock.now().toISOString()
    test.clock.advance(DAY)
    await revokeKey(test.deps, revoked.id)
    expect((await keys(partner)).find((key) => key.id === revoked.id)?.revoked_at).toBe(revokedAt)
  })

  it("never shows another partner's keys", async () => {
    const [one, other] = [await aPartner(test), await aPartner(test)]
    expect((await keys(one)).map((key) => key.id)).toEqual([one.keyId])
    expect((await keys(other)).map((key) => key.id)).toEqual([other.keyId])
  })
})

describe('GET /v1/keys, 422', () => {
  it('refuses a parameter that does not exist', async () => {
    const reply = await get(test, await aPartner(test), '/v1/keys?revoked=true')
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.details).toMatchObject({ fields: ['revoked (not a known field)'] })
  })
})
