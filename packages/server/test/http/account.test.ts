import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, get, inLive, sql } from '../support/fixtures.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

/** A wallet has an address when it is at a bank. */
const addressThat = (isAtBank: boolean): unknown => (isAtBank ? expect.stringMatching(/^0x[0-9a-f]{40}$/) : null)

describe('GET /v1/account, 200', () => {
  it('shows a new account: active, in sandbox, with the prices of the list', async () => {
    const partner = await aPartner(test)
    const reply = await get(test, partner, '/v1/account')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      object: 'account',
      id: partner.id,
      name: 'Thistle Market',
      status: 'active',
      environment: 'sandbox',
      funding_wallet: {
        currency: 'USDC',
        chain: 'base',
        address: addressThat(test.bank !== null),
      },
      enabled_countries: ['GB'],
      prices: {
        payout: '0.99 GBP + 1.00%',
        monthly_account: '15.00 GBP',
        business_verification: '39.00 GBP, once',
        network_fees: 'cost + 10.00%, about 0.022 GBP a payout',
        bank_exceptions: 'cost + 20.00%, about 3.00 GBP each',
      },
      rail: test.bank === null ? 'simulated' : 'provider_sandbox',
      payouts_pause: null,
    })
  })

  it('shows the same account through a live key as live, on the live rail', async () => {
    const live = await inLive(test, await aPartner(test))
    const reply = await get(test, live, '/v1/account')
    expect(reply.json()).toMatchObject({ id: live.id, environment: 'live', rail: 'provider_production' })
  })

  it('shows the wallet address of the environment of the key', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner)
    const setAddress = 'update wallets set address = $3, chain = $4 where partner_id = $1 and environment = $2'
    await sql(test, setAddress, [partner.id, 'sandbox', '0x5a11d', 'base-sepolia'])
    await sql(test, setAddress, [partner.id, 'live', '0x11fe', 'base'])
    const shown = async (key: { key: string }) => (await get(test, key, '/v1/account')).json().funding_wallet
    expect(await shown(partner)).toEqual({ currency: 'USDC', chain: 'base-sepolia', address: '0x5a11d' })
    expect(await shown(live)).toEqual({ currency: 'USDC', chain: 'base', address: '0x11fe' })
  })

  it('shows the prices of the plan that holds now, not of one that is to come', async () => {
    const partner = await aPartner(test)
    const plan = (days: number, fixed: number, points: number, monthly: number) =>
      sql(test, 'insert into plans values ($1, $2, $3, $4, 20, 50, $5, 2500, 4, 500, 100, 0)', [
        partner.id,
        new Date(test.clock.now().getTime() + days * 86_400_000),
        fixed,
        points,
        monthly,
      ])
    const prices = async () => (await get(test, partner, '/v1/account')).json().prices
    await plan(1, 50, 75, 9_00)
    expect(await prices()).toMatchObject({ payout: '0.99 GBP + 1.00%', monthly_account: '15.00 GBP' })
    test.clock.advance(2 * 86_400_000)
    expect(await prices()).toEqual({
      payout: '0.50 GBP + 0.75%',
      monthly_account: '9.00 GBP',
      business_verification: '25.00 GBP, once',
      network_fees: 'cost + 5.00%, about 0.042 GBP a payout',
      bank_exceptions: 'cost + 0.00%, about 1.00 GBP each',
    })
  })

  it.each(['sandbox', 'live', 'production', '', 'LIVE', 'live&environment=sandbox', '%00'])(
    'ignores environment=%s, because the key decides',
    async (environment) => {
      const partner = await aPartner(test)
      const reply = await get(test, partner, `/v1/account?environment=${environment}`)
      expect(reply.statusCode).toBe(200)
      expect(reply.json().environment).toBe('sandbox')
    },
  )

  it('shows each key its own partner only', async () => {
    const [one, other] = [await aPartner(test), await aPartner(test)]
    expect((await get(test, one, '/v1/account')).json().id).toBe(one.id)
    expect((await get(test, other, '/v1/account')).json().id).toBe(other.id)
  })
})

describe('GET /v1/account, 422', () => {
  it.each([{ query: 'partner=other', field: 'partner (not a known field)', why: 'a parameter that does not exist' }])(
    'refuses ?$query: $why',
    async ({ query, field }) => {
      const reply = await get(test, await aPartner(test), `/v1/account?${query}`)
      expect(reply.statusCode).toBe(422)
      expect(reply.json().error).toMatchObject({ code: 'invalid_request', details: { fields: [field] } })
    },
  )
})
