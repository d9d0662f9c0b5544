import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, balanceOf, createPayout, get, inLive, post, sql } from '../support/fixtures.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
})
afterAll(() => test.close())

const quote = (body: unknown, by: Pick<TestPartner, 'key'> = partner) =>
  post(test, by, '/v1/quotes', JSON.stringify(body))

const penceOf = (money: string) => BigInt(money.replace('.', ''))

describe('POST /v1/quotes, 200', () => {
  it('says what a payout would cost now', async () => {
    const reply = await quote({ amount_gbp: '120.50' })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      object: 'quote',
      country: 'GB',
      seller_receives_gbp: '120.50',
      fee_gbp: '2.20',
      wallet_sends_usdc: '153.55',
      exchange_rate: { gbp_per_usd: 0.79 },
      fee_breakdown: { taken_in_transfer_gbp: '0.80', on_monthly_invoice_gbp: '1.40' },
    })
  })

  it.each([
    { amount: '1.00', fee: '1.00', taken: '0.21', sends: '1.54', why: 'the smallest; half a penny of share rounds up' },
    {
      amount: '1.50',
      fee: '1.01',
      taken: '0.21',
      sends: '2.17',
      why: 'half a penny of fee rounds up; floats say 1.00',
    },
    { amount: '1.49', fee: '1.00', taken: '0.21', sends: '2.16', why: 'just under half a penny rounds down' },
    { amount: '25.00', fee: '1.24', taken: '0.33', sends: '32.07', why: '32.063… rounds up to the cent' },
    {
      amount: '78.41',
      fee: '1.77',
      taken: '0.59',
      sends: '100.00',
      why: '79.00 at 0.79 is 100.00 sharp: nothing to round',
    },
    { amount: '20000.00', fee: '200.99', taken: '100.20', sends: '25443.30', why: 'the largest' },
  ])('quotes $amount at a fee of $fee and $sends USDC: $why', async ({ amount, fee, taken, sends }) => {
    const { fee_gbp, wallet_sends_usdc, fee_breakdown } = (await quote({ amount_gbp: amount })).json()
    expect({ fee_gbp, wallet_sends_usdc }).toEqual({ fee_gbp: fee, wallet_sends_usdc: sends })
    expect(fee_breakdown.taken_in_transfer_gbp).toBe(taken)
  })

  it('splits the fee into two parts that add up to it, for any amount, and never sends too little', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 100n, max: 2_000_000n }), async (pence) => {
        const amount = `${pence / 100n}.${String(pence % 100n).padStart(2, '0')}`
        const { fee_gbp, fee_breakdown, wallet_sends_usdc } = (await quote({ amount_gbp: amount })).json()
        const taken = penceOf(fee_breakdown.taken_in_transfer_gbp)
        expect(taken + penceOf(fee_breakdown.on_monthly_invoice_gbp)).toBe(penceOf(fee_gbp))
        // Cents times 0.79 must reach the pence that leave, and a cent less must not.
        expect(penceOf(wallet_sends_usdc) * 79n).toBeGreaterThanOrEqual((pence + taken) * 100n)
        expect((penceOf(wallet_sends_usdc) - 1n) * 79n).toBeLessThan((pence + taken) * 100n)
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    { amount: '025.00', why: 'a leading zero' },
    { amount: '0000000000025.00', why: 'many of them' },
  ])('reads $amount as 25.00: $why changes nothing', async ({ amount }) => {
    const reply = await quote({ amount_gbp: amount })
    expect(reply.statusCode).toBe(200)
    expect(reply.json().seller_receives_gbp).toBe('25.00')
  })

  it('means GB whether the country is given or not', async () => {
    const [given, left] = [await quote({ amount_gbp: '25.00', country: 'GB' }), await quote({ amount_gbp: '25.00' })]
    expect(given.statusCode).toBe(200)
    expect(given.json()).toEqual(left.json())
  })

  it('is what a payout made at the same rate then costs', async () => {
    const quoted = (await quote({ amount_gbp: '77.77' })).json()
    const payout = (await createPayout(test, partner, { amount_gbp: '77.77' })).json()
    expect(payout.quote).toEqual(quoted)
    expect(payout).toMatchObject({ fee_gbp: quoted.fee_gbp, wallet_sent_usdc: quoted.wallet_sends_usdc })
  })

  it('reserves nothing and creates nothing', async () => {
    const own = await aPartner(test)
    const before = await balanceOf(test, own)
    await quote({ amount_gbp: '500.00' }, own)
    expect(await balanceOf(test, own)).toBe(before)
    expect((await get(test, own, '/v1/payouts')).json().data).toEqual([])
  })

  it('quotes for an empty wallet too', async () => {
    const reply = await quote({ amount_gbp: '500.00' }, await aPartner(test, { usdc: '0.00' }))
    expect(reply.statusCode).toBe(200)
  })

  it('quotes at the prices of the partner’s own plan', async () => {
    const own = await aPartner(test)
    await sql(test, 'update plans set payout_fixed_pence = 10, payout_basis_points = 20 where partner_id = $1', [
      own.id,
    ])
    expect((await quote({ amount_gbp: '100.00' }, own)).json()).toMatchObject({
      fee_gbp: '0.30',
      // The bank's share of 0.70 is never more than the fee.
      fee_breakdown: { taken_in_transfer_gbp: '0.30', on_monthly_invoice_gbp: '0.00' },
    })
  })
})

describe('POST /v1/quotes, 422 invalid_amount', () => {
  it.each([
    { amount: '0.99', why: 'below the smallest payout' },
    { amount: '0.00', why: 'nothing' },
    { amount: '20000.01', why: 'above the largest payout' },
    { amount: '99999999999999999999999.00', why: 'more than can be counted' },
    { amount: '-25.00', why: 'negative' },
    { amount: '+25.00', why: 'a sign' },
    { amount: '25', why: 'no decimals' },
    { amount: '25.0', why: 'one decimal' },
    { amount: '25.000', why: 'three decimals' },
    { amount: '25.', why: 'a point without decimals' },
    { amount: '.50', why: 'no pounds' },
    { amount: '25,00', why: 'a comma' },
    { amount: '1,000.00', why: 'a thousands separator' },
    { amount: '£25.00', why: 'a currency sign' },
    { amount: '2.5e1', why: 'an exponent' },
    { amount: '0x19.00', why: 'hexadecimal' },
    { amount: ' 25.00', why: 'a space in front' },
    { amount: '25.00\n', why: 'a line end behind' },
    { amount: '٢٥.٠٠', why: 'digits of another script' },
    { amount: '２５.００', why: 'wide digits' },
    { amount: 'NaN', why: 'not a number' },
    { amount: '', why: 'empty' },
    { amount: 25, why: 'a number, not a string' },
    { amount: 25.5, why: 'a float' },
    { amount: true, why: 'a boolean' },
    { amount: null, why: 'null' },
    { amount: ['25.00'], why: 'a list' },
    { amount: { value: '25.00' }, why: 'an object' },
  ])('refuses $amount: $why', async ({ amount }) => {
    const reply = await quote({ amount_gbp: amount })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.code).toBe('invalid_amount')
  })

  it('refuses a request without an amount', async () => {
    const reply = await quote({})
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.code).toBe('invalid_amount')
  })

  it.each(['4.99', '100.01'])('holds %s to the limits of the account, and says what they are', async (amount) => {
    const own = await aPartner(test)
    await sql(
      test,
      'update wallets set smallest_payout_pence = 500, largest_payout_pence = 10000 where partner_id = $1',
      [own.id],
    )
    const reply = await quote({ amount_gbp: amount }, own)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({ code: 'invalid_amount', details: { min: '5.00', max: '100.00' } })
  })
})

describe('POST /v1/quotes, 422 corridor_not_enabled', () => {
  it.each([
    { country: 'FR', why: 'another country' },
    { country: 'UK', why: 'not the code of the country' },
    { country: 'gb', why: 'lower case' },
    { country: 'GBR', why: 'three letters' },
    { country: '', why: 'empty' },
    { country: null, why: 'null' },
    { country: 44, why: 'a number' },
    { country: ['GB'], why: 'a list' },
  ])('refuses the country $country: $why', async ({ country }) => {
    const reply = await quote({ amount_gbp: '25.00', country })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({ code: 'corridor_not_enabled', details: { enabled_countries: ['GB'] } })
  })

  it('refuses GB for an account for which it is not enabled', async () => {
    const own = await aPartner(test)
    await sql(test, `update partners set enabled_countries = '{}' where id = $1`, [own.id])
    const reply = await quote({ amount_gbp: '25.00' }, own)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({ code: 'corridor_not_enabled', details: { enabled_countries: [] } })
  })

  it('is reported before a wrong amount', async () => {
    const reply = await quote({ amount_gbp: '0.50', country: 'FR' })
    expect(reply.json().error.code).toBe('corridor_not_enabled')
  })
})

describe('POST /v1/quotes, 422 invalid_request', () => {
  it.each([
    {
      body: { amount_gbp: '25.00', currency: 'GBP' },
      fields: ['currency (not a known field)'],
      why: 'an unknown field',
    },
    {
      body: { amount_gbp: '0.50', country: 'FR', a: 1, b: 2 },
      fields: ['a (not a known field)', 'b (not a known field)'],
      why: 'every unknown field is named, before anything else is looked at',
    },
    {
      body: { amount_gbp: '25.00', reference: 'Invoice 1042' },
      fields: ['reference (not a known field)'],
      why: 'a field of payouts',
    },
    { body: { amount_GBP: '25.00' }, fields: ['amount_GBP (not a known field)'], why: 'names have one spelling' },
    { body: [], fields: ['(body) (an object)'], why: 'a list' },
    { body: [{ amount_gbp: '25.00' }], fields: ['(body) (an object)'], why: 'a list of one' },
    { body: 'amount', fields: ['(body) (an object)'], why: 'a string' },
    { body: null, fields: ['(body) (an object)'], why: 'null' },
    { body: 25, fields: ['(body) (an object)'], why: 'a number' },
  ])('refuses $body: $why', async ({ body, fields }) => {
    const reply = await quote(body)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({ code: 'invalid_request', details: { fields } })
  })
})

describe('POST /v1/quotes, 502', () => {
  it('has no rate to quote at while live has no bank', async () => {
    const live = await inLive(test, await aPartner(test))
    const reply = await quote({ amount_gbp: '25.00' }, live)
    expect(reply.statusCode).toBe(502)
    expect(reply.json().error.code).toBe('bank_unavailable')
    expect(reply.headers['retry-after']).toBe('5')
  })
})
