// The exchange rate: asked for as seldom as the bank allows, one for quotes and payouts alike, and never an old one to
// pay at. Only a balance may be shown at the last good one, for an hour.
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { createRateBook } from '../../src/domain/quotes/rate-book.ts'
import { readWalletAccounts } from '../../src/storage/ledger.ts'
import type { TestApp } from '../support/app.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, anIdempotencyKey, balanceOf, createPayout, get } from '../support/fixtures.ts'

const FLOAT = 10_000_000_000n
const ROUTE = 'GET /v0/exchange_rates'
const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

let test: BankApp
let partner: TestPartner
beforeAll(async () => {
  test = await startBankApp()
})
afterAll(() => test.close())

/** Each test begins with a rate of 0.79, known to nobody here. */
beforeEach(async () => {
  await test.bank.control('DELETE', '/faults')
  await test.bank.control('POST', '/rate', { rate: '0.79' })
  await test.moveClocks(31 * SECOND_MS)
  partner = await test.aConnectedPartner()
})

function quote(app: TestApp = test, amount_gbp = '25.00'): Promise<LightMyRequestResponse> {
  return app.request({
    method: 'POST',
    url: '/v1/quotes',
    headers: { authorization: `Bearer ${partner.key}` },
    payload: { amount_gbp },
  })
}

interface Quote {
  readonly wallet_sends_usdc: string
  readonly exchange_rate: { readonly gbp_per_usd: number }
}

async function quoted(): Promise<{ rate: number; sends: string }> {
  const body = (await quote()).json<Quote>()
  return { rate: body.exchange_rate.gbp_per_usd, sends: body.wallet_sends_usdc }
}

/** How many more times the bank was asked for its rate. */
async function asked(during: () => Promise<unknown>): Promise<number> {
  const before = (await test.bank.requests(ROUTE)).length
  await during()
  return (await test.bank.requests(ROUTE)).length - before
}

const breakBank = (mode: string, times = 1_000_000) =>
  test.bank.control('POST', '/faults', { mode, times, ...(mode === 'down' ? {} : { route: ROUTE }) })

describe('the rate', () => {
  it('is asked for once by everybody who comes at once', async () => {
    const everybody = async () => {
      const replies = await Promise.all([
        ...Array.from({ length: 30 }, () => quote()),
        ...Array.from({ length: 10 }, () => get(test, partner, '/v1/balance')),
        ...Array.from({ length: 10 }, () => createPayout(test, partner)),
      ])
      expect(new Set(replies.map((reply) => reply.statusCode))).toEqual(new Set([200, 201]))
    }
    expect(await asked(everybody)).toBe(1)
  })

  it('is asked for again when the clock is set back: nobody knows how old it is then', async () => {
    expect((await quoted()).rate).toBe(0.79)
    await test.bank.control('POST', '/rate', { rate: '0.75' })
    test.clock.advance(-60 * MINUTE_MS)
    expect((await quoted()).rate).toBe(0.75)
    await breakBank('500_before')
    test.clock.advance(-60 * MINUTE_MS)
    const { statusCode } = await createPayout(test, partner)
    test.clock.advance(120 * MINUTE_MS)
    expect([statusCode, await balanceOf(test, partner)]).toEqual([502, FLOAT])
  })

  it('is asked for again after thirty seconds, and not before', async () => {
    expect(await asked(() => quote())).toBe(1)
    expect(await asked(() => quote())).toBe(0)
    await test.moveClocks(20 * SECOND_MS)
    expect(await asked(() => quote())).toBe(0)
    await test.moveClocks(11 * SECOND_MS)
    expect(await asked(() => quote())).toBe(1)
  })

  it('is used when it has changed, as soon as the old one has had its time', async () => {
    expect(await quoted()).toEqual({ rate: 0.79, sends: '32.07' })
    await test.bank.control('POST', '/rate', { rate: '0.8125' })
    expect(await quoted()).toEqual({ rate: 0.79, sends: '32.07' })
    await test.moveClocks(31 * SECOND_MS)
    expect(await quoted()).toEqual({ rate: 0.8125, sends: '31.18' })
    expect((await get(test, partner, '/v1/balance')).json()).toMatchObject({
      object: 'balance',
      usdc: '10000.00',
      approx_gbp: '8125.00',
      gbp_per_usd: 0.8125,
    })
  })

  it.each(['0.79', '0.8125', '0.7654321', '1', '1.25'])(
    'of %s is the same to a quote, a payout and the bank',
    async (rate) => {
      await test.bank.control('POST', '/rate', { rate })
      const { sends, rate: shown } = await quoted()
      expect(shown).toBe(Number(rate))
      const created = await createPayout(test, partner)
      expect(created.json()).toMatchObject({
        wallet_sent_usdc: sends,
        quote: { wallet_sends_usdc: sends, exchange_rate: { gbp_per_usd: shown } },
      })
      const { id } = created.json<{ id: string }>()
      const { transfers } = await test.bank.books()
      expect(transfers.find((each) => each.client_reference_id === id)).toMatchObject({ amount: sends })
      expect(await balanceOf(test, partner)).toBe(FLOAT - BigInt(sends.replace('.', '')) * 10_000n)
    },
  )

  it('that the bank refuses is thrown away at once: nothing is paid or held, and the same key pays at the new one', async () => {
    expect((await createPayout(test, partner)).statusCode).toBe(201)
    const before = await balanceOf(test, partner)
    const transfers = (await test.bank.books()).transfers.length
    await test.bank.control('POST', '/rate', { rate: '0.70' })
    // The newer one cannot be had at that moment, so the one that is kept is used.
    await breakBank('500_before')
    const idempotencyKey = anIdempotencyKey()
    const refused = await createPayout(test, partner, {}, { 'idempotency-key': idempotencyKey })
    expect(refused.statusCode).toBe(502)
    expect(refused.json()).toMatchObject({ error: { code: 'payout_not_created' } })
    expect(await balanceOf(test, partner)).toBe(before)
    expect((await test.bank.books()).transfers).toHaveLength(transfers)
    await test.bank.control('DELETE', '/faults')
    const paid = await createPayout(test, partner, {}, { 'idempotency-key': idempotencyKey })
    expect(paid.statusCode).toBe(201)
    expect(paid.json()).toMatchObject({ wallet_sent_usdc: '36.19' })
  })

  it('is asked for once a second by whoever pays, however many pay, and anew when it was refused', async () => {
    let at = test.clock.now()
    const later = (milliseconds: number) => (at = new Date(at.getTime() + milliseconds))
    const { db, rails } = test.deps
    const book = createRateBook({ db, rails, clock: { now: () => at } })
    const pay = async () => (await book.forPaying('provider_sandbox')).text
    const payThree = async () => expect([await pay(), await pay(), await pay()]).toEqual(['0.79', '0.79', '0.79'])
    expect(await asked(payThree)).toBe(1)
    later(999)
    expect(await asked(payThree)).toBe(0)
    later(1)
    expect(await asked(payThree)).toBe(1)
    await test.bank.control('POST', '/rate', { rate: '0.95' })
    book.discard('provider_sandbox')
    expect(await pay()).toBe('0.95')
    // A clock that was put back makes nothing younger.
    await test.bank.control('POST', '/rate', { rate: '0.96' })
    later(-5_000)
    expect(await pay()).toBe('0.96')
  })

  it.each([
    ['in the partner’s favour', '0.95', '26.67'],
    ['against the partner', '0.70', '36.19'],
  ])('that has moved %s since the quote is the one that is paid at', async (_which, rate, sends) => {
    expect((await quote()).json()).toMatchObject({ exchange_rate: { gbp_per_usd: 0.79 } })
    await test.bank.control('POST', '/rate', { rate })
    await test.moveClocks(SECOND_MS)
    expect((await createPayout(test, partner)).json()).toMatchObject({ wallet_sent_usdc: sends })
  })
})

describe('while the bank gives no rate', () => {
  it.each(['down', '500_before', '429', 'malformed_2xx', 'reset_before', 'truncated'])(
    'because of %s, quotes and payouts answer 502 and nothing is held or sent',
    async (mode) => {
      const before = { balance: await balanceOf(test, partner), transfers: (await test.bank.books()).transfers.length }
      await breakBank(mode)
      const reply = await quote()
      expect(reply.statusCode).toBe(502)
      expect(reply.json()).toMatchObject({ error: { code: 'bank_unavailable' } })
      expect(reply.headers['retry-after']).toBe('5')
      const payout = await createPayout(test, partner)
      expect(payout.statusCode).toBe(502)
      expect(payout.json()).toMatchObject({
        error: { code: 'payout_not_created', message: expect.stringContaining('Nothing was sent.') },
      })
      expect(await balanceOf(test, partner)).toBe(before.balance)
      expect(await readWalletAccounts(test.deps.db, { partnerId: partner.id, environment: 'sandbox' })).toMatchObject({
        held: 0n,
      })
      expect((await test.bank.books()).transfers).toHaveLength(before.transfers)
      await test.bank.control('DELETE', '/faults')
      expect((await quote()).statusCode).toBe(200)
    },
  )

  it('a payout that was made before is still shown to who repeats it', async () => {
    const idempotencyKey = anIdempotencyKey()
    const first = await createPayout(test, partner, {}, { 'idempotency-key': idempotencyKey })
    await test.moveClocks(31 * SECOND_MS)
    await breakBank('down')
    const again = await createPayout(test, partner, {}, { 'idempotency-key': idempotencyKey })
    expect(again.statusCode).toBe(200)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.json()).toMatchObject({ id: first.json<{ id: string }>().id })
  })

  it('the bank is asked once for all who come at once, and again by the next', async () => {
    await test.bank.control('POST', '/faults', { route: ROUTE, mode: 'hang_before', ms: 1_000 })
    const everybody = async () => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => quote()))
      expect(new Set(replies.map((reply) => reply.statusCode))).toEqual(new Set([502]))
    }
    expect(await asked(everybody)).toBe(1)
    expect(await asked(() => quote())).toBe(1)
  })

  it('a balance is shown at the last good rate for an hour, and then not', async () => {
    const good = (await get(test, partner, '/v1/balance')).json()
    expect(good).toMatchObject({ usdc: '10000.00', approx_gbp: '7900.00', gbp_per_usd: 0.79 })
    await test.bank.control('POST', '/rate', { rate: '0.50' })
    await breakBank('down')
    await test.moveClocks(31 * SECOND_MS)
    expect((await get(test, partner, '/v1/balance')).json()).toEqual(good)
    await test.moveClocks(58 * MINUTE_MS)
    expect((await get(test, partner, '/v1/balance')).json()).toEqual(good)
    await test.moveClocks(2 * MINUTE_MS)
    const refused = await get(test, partner, '/v1/balance')
    expect(refused.statusCode).toBe(502)
    expect(refused.json()).toMatchObject({ error: { code: 'bank_unavailable' } })
    await test.bank.control('DELETE', '/faults')
    expect((await get(test, partner, '/v1/balance')).json()).toMatchObject({ approx_gbp: '5000.00', gbp_per_usd: 0.5 })
  })

  it('a balance is what the ledger says, whatever was paid since', async () => {
    expect((await createPayout(test, partner)).statusCode).toBe(201)
    await test.moveClocks(31 * SECOND_MS)
    await breakBank('down')
    expect((await get(test, partner, '/v1/balance')).json()).toMatchObject({ usdc: '9967.93', approx_gbp: '7874.66' })
  })

  it('a service that has just started shows balances at the last good rate too', async () => {
    expect((await quote()).statusCode).toBe(200)
    await breakBank('down')
    const other = await test.anotherInstance()
    const reply = await get(other, partner, '/v1/balance')
    expect(reply.json()).toMatchObject({ usdc: '10000.00', gbp_per_usd: 0.79 })
    expect((await quote(other)).statusCode).toBe(502)
  })
})
