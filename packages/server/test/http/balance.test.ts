import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { microUsdc } from '../../src/core/money.ts'
import { creditWallet } from '../../src/domain/wallet/credit-wallet.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  aRecipient,
  anObligingRail,
  createPayout,
  get,
  inLive,
  setBalance,
} from '../support/fixtures.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ liveRail: anObligingRail() })
})
afterAll(() => test.close())

const balance = async (partner: TestPartner) => (await get(test, partner, '/v1/balance')).json()

describe('GET /v1/balance, 200', () => {
  it('shows the sandbox float of a new partner, about 7,900 pounds', async () => {
    const reply = await get(test, await aPartner(test), '/v1/balance')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      object: 'balance',
      usdc: '10000.00',
      approx_gbp: '7900.00',
      gbp_per_usd: 0.79,
      runway: null,
    })
  })

  it('shows an empty wallet as 0.00', async () => {
    expect(await balance(await aPartner(test, { usdc: '0.00' }))).toMatchObject({ usdc: '0.00', approx_gbp: '0.00' })
  })

  it.each([
    { micro: 9_999n, usdc: '0.00', approx: '0.00', why: 'part of a cent is not there to be spent' },
    { micro: 10_000n, usdc: '0.01', approx: '0.00', why: 'a cent is 0.79 pence, which is no penny yet' },
    { micro: 1_239_999n, usdc: '1.23', approx: '0.97', why: '1.23 × 0.79 = 0.9717, rounded down' },
    {
      micro: 1_279_999n,
      usdc: '1.27',
      approx: '1.00',
      why: 'pounds come from the cents that are shown, not from 1.279999',
    },
    { micro: 100_000_000n, usdc: '100.00', approx: '79.00', why: 'nothing to round' },
  ])('rounds $micro millionths down to $usdc USDC and $approx GBP: $why', async ({ micro, usdc, approx }) => {
    const partner = await aPartner(test, { usdc: '0.00' })
    const scope = { partnerId: partner.id, environment: 'sandbox' } as const
    await creditWallet(test.deps, scope, { amount: microUsdc(micro), reason: 'test' })
    expect(await balance(partner)).toMatchObject({ usdc, approx_gbp: approx })
  })

  it('does not count money that is on its way', async () => {
    const partner = await aPartner(test, { usdc: '100.00' })
    const payout = await createPayout(test, partner, { amount_gbp: '25.00' })
    expect(payout.json().status).toBe('processing')
    expect(await balance(partner)).toMatchObject({ usdc: '67.93', approx_gbp: '53.66' })
  })

  it('does not count money that is held until the bank confirms', async () => {
    const partner = await aPartner(test, { usdc: '100.00' })
    const payout = await createPayout(test, partner, { amount_gbp: '25.00', reference: 'sandbox:late' })
    expect(payout.json().status).toBe('pending')
    expect((await balance(partner)).usdc).toBe('67.93')
  })

  it('counts money again that came back from a payout that failed', async () => {
    const partner = await aPartner(test, { usdc: '100.00' })
    const payout = await createPayout(test, partner, { recipient: aRecipient({ account_number: '12340000' }) })
    expect(payout.json().status).toBe('failed')
    expect((await balance(partner)).usdc).toBe('100.00')
  })

  it('shows the wallet of the environment of the key, at the rate of its bank, whatever the parameter says', async () => {
    const partner = await aPartner(test, { usdc: '100.00' })
    const live = await inLive(test, partner, '55.55')
    const reply = await get(test, live, '/v1/balance?environment=sandbox')
    expect(reply.json()).toMatchObject({ object: 'balance', usdc: '55.55', approx_gbp: '44.44', gbp_per_usd: 0.8 })
    expect((await balance(partner)).usdc).toBe('100.00')
  })

  it("is not touched by another partner's payouts", async () => {
    const [one, other] = [await aPartner(test), await aPartner(test)]
    await createPayout(test, other)
    expect((await balance(one)).usdc).toBe('10000.00')
  })

  it('shows a top-up at once', async () => {
    const partner = await aPartner(test, { usdc: '1.00' })
    await setBalance(test, partner, '250.25')
    expect((await balance(partner)).usdc).toBe('250.25')
  })
})

describe('GET /v1/balance, the runway', () => {
  const arrive = async (partner: TestPartner, amounts: readonly string[], reference = 'wages') => {
    for (const amount_gbp of amounts) await createPayout(test, partner, { amount_gbp, reference })
    test.clock.advance(5_000)
    await test.follow()
    test.clock.advance(5_000)
    await test.follow()
  }

  it('is at the pace of what arrived and stayed in the last 14 days, and unknown again after that', async () => {
    const partner = await aPartner(test, { usdc: '300.00' })
    await arrive(partner, ['100.00', '40.00'])
    await arrive(partner, ['50.00'], 'sandbox:return')
    await arrive(partner, ['50.00'], 'sandbox:fail')
    const found = await balance(partner)
    const held = Math.round(Number(found.approx_gbp) * 100)
    // Two of 70.00 on average, each with 0.55 of its fee.
    const sent = 14_000 + 2 * 55
    expect(found.runway).toEqual({
      days: Math.floor((held * 140) / sent) / 10,
      payouts: Math.floor((held * 2) / sent),
      gbp_per_day: '10.00',
      suggested_top_up_usdc: `${Math.ceil(Math.ceil((sent - held) / 0.79) / 100)}.00`,
    })
    test.clock.advance(14 * 86_400_000)
    expect((await balance(partner)).runway).toBeNull()
  })

  it('is that of one business and one environment', async () => {
    const partner = await aPartner(test)
    await arrive(partner, ['25.00'])
    expect((await balance(partner)).runway).not.toBeNull()
    expect((await balance(await inLive(test, partner, '55.55'))).runway).toBeNull()
    expect((await balance(await aPartner(test))).runway).toBeNull()
  })
})

describe('GET /v1/balance, 422', () => {
  it('refuses a parameter that does not exist', async () => {
    const reply = await get(test, await aPartner(test), '/v1/balance?currency=GBP')
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({
      code: 'invalid_request',
      details: { fields: ['currency (not a known field)'] },
    })
  })
})

describe('GET /v1/balance, 502', () => {
  it('says that the bank cannot be asked while live has none, and when to try again', async () => {
    const unconnected = await startTestApp()
    const partner = await aPartner(unconnected)
    const live = await inLive(unconnected, partner, '55.55')
    const reply = await get(unconnected, live, '/v1/balance')
    expect(reply.statusCode).toBe(502)
    expect(reply.json().error.code).toBe('bank_unavailable')
    expect(reply.headers['retry-after']).toBe('5')
    expect((await get(unconnected, partner, '/v1/balance')).statusCode).toBe(200)
    await unconnected.close()
  })
})
