import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { CANARY } from '../support/canaries.ts'
import {
  type TestPartner,
  aPartner,
  aRecipient,
  anIdempotencyKey,
  anObligingRail,
  balanceOf,
  createPayout,
  get,
  inLive,
  setBalance,
  sql,
} from '../support/fixtures.ts'

let test: TestApp
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  test = await startTestApp({ liveRail: anObligingRail() })
})
afterAll(async () => {
  await test.close()
  vi.useRealTimers()
})

const payouts = async (partner: TestPartner) => (await get(test, partner, '/v1/payouts')).json().data

describe('POST /v1/payouts, 201', () => {
  it('creates a payout that is processing, with the quote it was made at', async () => {
    const partner = await aPartner(test)
    const reply = await createPayout(test, partner, { amount_gbp: '120.50', reference: 'Invoice 1042' })
    expect(reply.statusCode).toBe(201)
    const now = test.clock.now().toISOString()
    expect(reply.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      object: 'payout',
      environment: 'sandbox',
      status: 'processing',
      reference: 'Invoice 1042',
      statement_reference: 'Invoice 1042',
      country: 'GB',
      amount_gbp: '120.50',
      fee_gbp: '2.20',
      wallet_sent_usdc: '153.55',
      recipient: { name: 'Zephyrine Quillfeather', account_last4: '5432' },
      failure_reason: null,
      failure_code: null,
      retry: null,
      cancelable: expect.any(Boolean) as unknown,
      idempotency_key: expect.stringMatching(/^order-/) as unknown,
      created_at: now,
      updated_at: now,
      completed_at: null,
      refunded_at: null,
      created_via: 'api',
      warnings: [expect.objectContaining({ code: 'first_payment_to_account' })],
      quote: {
        object: 'quote',
        country: 'GB',
        seller_receives_gbp: '120.50',
        fee_gbp: '2.20',
        wallet_sends_usdc: '153.55',
        exchange_rate: { gbp_per_usd: 0.79 },
        fee_breakdown: { taken_in_transfer_gbp: '0.80', on_monthly_invoice_gbp: '1.40' },
      },
    })
  })

  it('debits the wallet by what it sends, and by nothing more when the payout completes', async () => {
    const partner = await aPartner(test, { usdc: '100.00' })
    const { id } = (await createPayout(test, partner, { amount_gbp: '25.00' })).json()
    expect(await balanceOf(test, partner)).toBe(67_930_000n)
    test.clock.advance(2_000)
    await test.follow()
    expect((await get(test, partner, `/v1/payouts/${id}`)).json().status).toBe('completed')
    expect(await balanceOf(test, partner)).toBe(67_930_000n)
  })

  it('is no replay, and says nothing of one', async () => {
    const reply = await createPayout(test, await aPartner(test))
    expect(reply.headers['idempotent-replayed']).toBe(undefined)
  })

  it('pays out of a wallet that holds exactly enough, and leaves it empty', async () => {
    const partner = await aPartner(test, { usdc: '32.07' })
    const reply = await createPayout(test, partner, { amount_gbp: '25.00' })
    expect(reply.statusCode).toBe(201)
    expect(await balanceOf(test, partner)).toBe(0n)
  })

  it.each([
    { amount: '1.00', usdc: '1.54', why: 'the smallest payout' },
    { amount: '20000.00', usdc: '25443.30', why: 'the largest payout' },
  ])('pays $amount: $why', async ({ amount, usdc }) => {
    const partner = await aPartner(test, { usdc })
    const reply = await createPayout(test, partner, { amount_gbp: amount })
    expect(reply.statusCode).toBe(201)
    expect(reply.json()).toMatchObject({ amount_gbp: amount, wallet_sent_usdc: usdc })
    expect(await balanceOf(test, partner)).toBe(0n)
  })

  it('makes a second payout for a second key, the same in everything else', async () => {
    const partner = await aPartner(test)
    const [one, other] = [await createPayout(test, partner), await createPayout(test, partner)]
    expect([one.statusCode, other.statusCode]).toEqual([201, 201])
    expect(one.json().id).not.toBe(other.json().id)
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n - 2n * 32_070_000n)
  })

  it('needs no email, no second line, no region, no type and no reference', async () => {
    const { email: _, ...recipient } = aRecipient()
    const reply = await createPayout(test, await aPartner(test), { reference: undefined, recipient })
    expect(reply.statusCode).toBe(201)
    expect(reply.json()).toMatchObject({ reference: null, statement_reference: null })
  })

  it.each([
    { reference: 'Café Zürich', shown: 'Cafe Zurich', why: 'accents are folded' },
    { reference: 'Invoice 1042 for November', shown: 'Invoice 1042 for N', why: '18 characters fit' },
    { reference: '発注書', shown: null, why: 'nothing of it can be carried' },
    { reference: '', shown: null, why: 'empty' },
  ])(
    'keeps the reference $reference whole, and shows what the statement carries: $why',
    async ({ reference, shown }) => {
      const reply = await createPayout(test, await aPartner(test), { reference })
      expect(reply.json()).toMatchObject({ reference, statement_reference: shown })
    },
  )

  it('gives the bank everything that was sent, with the defaults of the specification filled in', async () => {
    const rail = anObligingRail()
    const own = await startTestApp({ liveRail: rail })
    const live = await inLive(own, await aPartner(own), '100.00')
    const reply = await createPayout(own, live, { amount_gbp: '25.00', reference: 'Invoice 1042' })
    await own.close()
    expect(rail.requests).toEqual([
      {
        account: { holderRef: `customer-${live.id}`, walletRef: `wallet-${live.id}` },
        recipientRef: 'known',
        clientReference: reply.json().id,
        receive: 25_00n,
        // 25.33 at 0.80 is 31.6625.
        walletSends: 31_670_000n,
        recipient: {
          type: 'individual',
          first_name: CANARY.firstName,
          last_name: CANARY.lastName,
          email: CANARY.email,
          address: { line1: CANARY.line1, city: 'Leeds', postal_code: CANARY.postalCode, region: 'Leeds' },
          bank: { bank_name: 'Monzo', sort_code: CANARY.sortCode, account_number: CANARY.accountNumber },
        },
        reference: 'Invoice 1042',
        statementReference: 'Invoice 1042',
        requestedAt: expect.any(Date),
        attempt: 1,
      },
    ])
  })

  it('accepts a confirm_code, which an API key does not need', async () => {
    const reply = await createPayout(test, await aPartner(test), { confirm_code: '123456' })
    expect(reply.statusCode).toBe(201)
    expect(reply.body).not.toContain('123456')
  })

  it('pays from the wallet of the environment of the key, whatever the parameter says', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner, '100.00')
    const reply = await test.request({
      method: 'POST',
      url: '/v1/payouts?environment=sandbox',
      headers: { authorization: `Bearer ${live.key}`, 'idempotency-key': anIdempotencyKey() },
      payload: { amount_gbp: '25.00', recipient: aRecipient() },
    })
    expect(reply.statusCode).toBe(201)
    expect(reply.json().environment).toBe('live')
    expect(await balanceOf(test, live)).toBe(100_000_000n - 31_670_000n)
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n)
  })
})

describe('POST /v1/payouts, 402', () => {
  it('refuses a payout the wallet cannot cover, and leaves the wallet as it was', async () => {
    const partner = await aPartner(test, { usdc: '10.00' })
    const reply = await createPayout(test, partner, { amount_gbp: '500.00' })
    expect(reply.statusCode).toBe(402)
    expect(reply.json().error).toMatchObject({
      code: 'insufficient_funds',
      details: { available_usdc: '10.00', wallet_sends_usdc: '636.33' },
    })
    expect(await balanceOf(test, partner)).toBe(10_000_000n)
    expect(await payouts(partner)).toEqual([])
  })

  it('refuses a payout that is a cent too much, though the wallet covers the amount itself', async () => {
    // 25.00 alone would be 31.65: the bank's share of the fee must be there too.
    const partner = await aPartner(test, { usdc: '32.06' })
    const reply = await createPayout(test, partner, { amount_gbp: '25.00' })
    expect(reply.statusCode).toBe(402)
    expect(await balanceOf(test, partner)).toBe(32_060_000n)
  })

  it('does not count money that is held for another payout', async () => {
    const partner = await aPartner(test, { usdc: '50.00' })
    await createPayout(test, partner, { amount_gbp: '25.00', reference: 'sandbox:late' })
    const reply = await createPayout(test, partner, { amount_gbp: '25.00' })
    expect(reply.statusCode).toBe(402)
    expect(reply.json().error.details.available_usdc).toBe('17.93')
    expect(await balanceOf(test, partner)).toBe(17_930_000n)
  })

  it('does not count the money of the other environment', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner, '1.00')
    const reply = await createPayout(test, live, { amount_gbp: '25.00' })
    expect(reply.statusCode).toBe(402)
    expect(await balanceOf(test, live)).toBe(1_000_000n)
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n)
  })

  it('pays the same request, with the same key, after a top-up', async () => {
    const partner = await aPartner(test, { usdc: '10.00' })
    const key = { 'idempotency-key': anIdempotencyKey() }
    expect((await createPayout(test, partner, {}, key)).statusCode).toBe(402)
    await setBalance(test, partner, '100.00')
    expect((await createPayout(test, partner, {}, key)).statusCode).toBe(201)
    expect(await balanceOf(test, partner)).toBe(67_930_000n)
  })

  it('lets the payouts of a crowded moment have what is there, and refuses the rest', async () => {
    const partner = await aPartner(test, { usdc: '100.00' })
    const replies = await Promise.all(Array.from({ length: 8 }, () => createPayout(test, partner)))
    const statuses = replies.map((reply) => reply.statusCode).toSorted((a, b) => a - b)
    expect(statuses).toEqual([201, 201, 201, 402, 402, 402, 402, 402])
    expect(await balanceOf(test, partner)).toBe(100_000_000n - 3n * 32_070_000n)
  })
})

describe('POST /v1/payouts, 422', () => {
  it.each(['4.99', '100.01'])('holds %s to the limits of the account, and moves nothing', async (amount) => {
    const partner = await aPartner(test)
    await sql(
      test,
      'update wallets set smallest_payout_pence = 500, largest_payout_pence = 10000 where partner_id = $1',
      [partner.id],
    )
    const reply = await createPayout(test, partner, { amount_gbp: amount })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({ code: 'invalid_amount', details: { min: '5.00', max: '100.00' } })
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n)
  })

  it('pays nobody from an account for which GB is not enabled', async () => {
    const partner = await aPartner(test)
    await sql(test, `update partners set enabled_countries = '{}' where id = $1`, [partner.id])
    const reply = await createPayout(test, partner)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({ code: 'corridor_not_enabled', details: { enabled_countries: [] } })
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n)
  })
})

describe('POST /v1/payouts, 502', () => {
  it('creates nothing in live while no bank is connected (spec, part 3)', async () => {
    const unconnected = await startTestApp()
    const live = await inLive(unconnected, await aPartner(unconnected), '100.00')
    const reply = await createPayout(unconnected, live)
    const [after, listed] = [await balanceOf(unconnected, live), await get(unconnected, live, '/v1/payouts')]
    await unconnected.close()
    expect(after).toBe(100_000_000n)
    expect(listed.json().data).toEqual([])
    expect(reply.statusCode).toBe(502)
    expect(reply.headers['retry-after']).toBe('5')
    expect(reply.json().error.code).toBe('payout_not_created')
  })
})
