import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { vouchForPartner } from '../../src/domain/banking/verification/vouch-for-partner.ts'
import { createPartner } from '../../src/domain/partners/create-partner.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, get, inLive, sql } from '../support/fixtures.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

describe('GET /v1/compliance, 200', () => {
  it('shows a new partner: not verified, a wallet of its own, the limits of the specification', async () => {
    const reply = await get(test, await aPartner(test), '/v1/compliance')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      object: 'compliance',
      business_verification: {
        status: 'not_started',
        provider_status: null,
        continue_url: null,
        terms_url: null,
        // No bank is connected for live here, so the page must not offer verification.
        can_start: false,
        live_open: false,
        missing: [],
      },
      account: {
        isolated_wallet: true,
        wallet_chain: 'base',
        enabled_countries: ['GB'],
        payout_limits_gbp: { min: '1.00', max_per_payout: '20000.00' },
        billing_email: 'finance@thistle.test',
        contact_email: 'finance@thistle.test',
      },
      screening: 'clear',
    })
  })

  it('shows a verified partner as approved, in both environments', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner)
    for (const key of [partner, live]) {
      const { business_verification } = (await get(test, key, '/v1/compliance')).json()
      expect(business_verification).toMatchObject({ status: 'approved', live_open: true })
    }
  })

  it('says of a partner that was vouched for without a bank that live is not open', async () => {
    const partner = await aPartner(test)
    await vouchForPartner(test.deps, partner.slug, null)
    expect((await get(test, partner, '/v1/compliance')).json().business_verification).toMatchObject({
      status: 'approved',
      can_start: false,
      live_open: false,
    })
  })

  it.each(['not_started', 'in_progress', 'in_review', 'rejected', 'suspended'])(
    'shows the verification status %s, the bank’s own word for it and where to go on',
    async (status) => {
      const partner = await aPartner(test)
      await sql(
        test,
        'update partners set verification_status = $2, provider_status = $3, continue_url = $4, terms_url = $5 where id = $1',
        [partner.id, status, 'kyb_pending_ubo', 'https://bank.test/verify/1', 'https://bank.test/terms'],
      )
      expect((await get(test, partner, '/v1/compliance')).json().business_verification).toEqual({
        status,
        provider_status: 'kyb_pending_ubo',
        continue_url: 'https://bank.test/verify/1',
        terms_url: 'https://bank.test/terms',
        can_start: false,
        live_open: false,
        missing: [],
      })
    },
  )

  it('shows the limits and countries of the account, the ones that payouts are held to', async () => {
    const partner = await aPartner(test)
    await sql(test, `update partners set enabled_countries = '{}' where id = $1`, [partner.id])
    await sql(
      test,
      'update wallets set smallest_payout_pence = 500, largest_payout_pence = 123456 where partner_id = $1',
      [partner.id],
    )
    expect((await get(test, partner, '/v1/compliance')).json().account).toMatchObject({
      enabled_countries: [],
      payout_limits_gbp: { min: '5.00', max_per_payout: '1234.56' },
    })
  })

  it.each(['review', 'blocked'])('shows the screening word %s', async (screening) => {
    const partner = await aPartner(test)
    await sql(test, 'update partners set screening = $2 where id = $1', [partner.id, screening])
    expect((await get(test, partner, '/v1/compliance')).json().screening).toBe(screening)
  })

  it('shows no addresses for a partner that gave none', async () => {
    const { sandboxKey } = await createPartner(test.deps, { name: 'No Mail', slug: 'no-mail', adminEmail: null })
    expect((await get(test, { key: sandboxKey.secret }, '/v1/compliance')).json().account).toMatchObject({
      billing_email: null,
      contact_email: null,
    })
  })
})

describe('GET /v1/compliance, 422', () => {
  it('refuses a parameter that does not exist', async () => {
    const reply = await get(test, await aPartner(test), '/v1/compliance?verbose=true')
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({
      code: 'invalid_request',
      details: { fields: ['verbose (not a known field)'] },
    })
  })
})
