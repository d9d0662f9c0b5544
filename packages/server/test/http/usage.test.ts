import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { parseMonth } from '../../src/core/london-month.ts'
import { pence } from '../../src/core/money.ts'
import { issueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { setPlan } from '../../src/domain/partners/set-plan.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type PayoutBody,
  type TestPartner,
  aPartner,
  aRecipient,
  anObligingRail,
  createPayout,
  get,
  inLive,
  sql,
} from '../support/fixtures.ts'

let test: TestApp
beforeAll(async () => {
  // The clock stands still unless a test moves it: months begin at one moment.
  vi.useFakeTimers({ toFake: ['Date'] })
  test = await startTestApp({ liveRail: anObligingRail() })
})
afterAll(async () => {
  await test.close()
  vi.useRealTimers()
})

const usage = async (partner: Pick<TestPartner, 'key'>) => (await get(test, partner, '/v1/usage')).json()

async function pay(partner: TestPartner, body: PayoutBody = {}): Promise<void> {
  await createPayout(test, partner, body)
  test.clock.advance(5_000)
  await test.follow()
}

const NOTHING = { count: 0, completed: 0, paid_to_sellers_gbp: '0.00', fees_gbp: '0.00' }
const NO_INVOICE = { lines: [], total_gbp: '0.00' }

describe('GET /v1/usage, 200', () => {
  it('shows a month in which nothing has happened yet', async () => {
    test.clock.set('2026-03-10T12:00:00Z')
    const reply = await get(test, await aPartner(test), '/v1/usage')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      object: 'usage',
      period_start: '2026-03-01',
      payouts: NOTHING,
      invoice_so_far: NO_INVOICE,
    })
  })

  it('sums up what was paid and what that costs', async () => {
    const partner = await aPartner(test)
    await pay(partner, { amount_gbp: '25.00' })
    await pay(partner, { amount_gbp: '120.50' })
    expect((await usage(partner)).payouts).toEqual({
      count: 2,
      completed: 2,
      paid_to_sellers_gbp: '145.50',
      fees_gbp: '3.44',
    })
  })

  it.each([
    { body: { reference: 'sandbox:hold' }, why: 'on its way' },
    { body: { recipient: aRecipient({ account_number: '12340000' }) }, why: 'failed at once' },
    { body: { reference: 'sandbox:fail' }, why: 'failed later' },
    { body: { reference: 'sandbox:cancel' }, why: 'cancelled' },
  ])('counts a payout that is $why, and charges nothing for it', async ({ body }) => {
    const partner = await aPartner(test)
    await pay(partner, body)
    expect((await usage(partner)).payouts).toEqual({ ...NOTHING, count: 1 })
  })

  it.each([
    { body: { amount_gbp: '20000.00' }, why: 'the wallet could not cover' },
    { body: { recipient: {} }, why: 'was incomplete' },
    { body: { reference: 'sandbox:reject' }, why: 'the bank rejected' },
    { body: { reference: 'sandbox:down' }, why: 'was never sent' },
  ])('does not count a payout that $why', async ({ body }) => {
    const partner = await aPartner(test)
    await pay(partner, body)
    expect((await usage(partner)).payouts).toEqual(NOTHING)
  })

  it('charges a payout that completed and came back later', async () => {
    const partner = await aPartner(test)
    await createPayout(test, partner, { reference: 'sandbox:return' })
    for (const step of [2_000, 2_000]) {
      test.clock.advance(step)
      await test.follow()
    }
    expect((await usage(partner)).payouts).toMatchObject({ count: 1, completed: 1, fees_gbp: '1.24' })
  })

  it('charges nothing for a payout that came back before anybody saw it complete', async () => {
    const partner = await aPartner(test)
    await pay(partner, { reference: 'sandbox:return' })
    expect((await usage(partner)).payouts).toEqual({ ...NOTHING, count: 1 })
  })

  it('counts a replay once', async () => {
    const partner = await aPartner(test)
    const key = { 'idempotency-key': `${partner.slug}-once` }
    await createPayout(test, partner, {}, key)
    await createPayout(test, partner, {}, key)
    expect((await usage(partner)).payouts.count).toBe(1)
  })

  it('keeps environments and partners apart, whatever the parameter says', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner, '1000.00')
    await pay(partner, { amount_gbp: '1.00' })
    await pay(live, { amount_gbp: '2.00' })
    expect((await usage(partner)).payouts.paid_to_sellers_gbp).toBe('1.00')
    const asked = await get(test, live, '/v1/usage?environment=sandbox')
    expect(asked.json().payouts.paid_to_sellers_gbp).toBe('2.00')
    expect((await usage(await aPartner(test))).payouts).toEqual(NOTHING)
  })
})

describe('GET /v1/usage, the month', () => {
  it.each([
    { moment: '2026-06-30T22:59:59Z', start: '2026-06-01', why: 'a second before midnight in London, in summer' },
    { moment: '2026-06-30T23:00:00Z', start: '2026-07-01', why: 'midnight in London, in summer' },
    { moment: '2026-12-31T23:59:59Z', start: '2026-12-01', why: 'a second before midnight in London, in winter' },
    { moment: '2027-01-01T00:00:00Z', start: '2027-01-01', why: 'midnight in London, in winter' },
    { moment: '2026-03-31T23:00:00Z', start: '2026-04-01', why: 'summer time has begun two days before' },
    { moment: '2026-10-31T23:30:00Z', start: '2026-10-01', why: 'summer time has ended six days before' },
  ])('is that of London: at $moment it began on $start ($why)', async ({ moment, start }) => {
    test.clock.set(moment)
    expect((await usage(await aPartner(test))).period_start).toBe(start)
  })

  it('begins at nothing', async () => {
    test.clock.set('2026-06-30T22:30:00Z')
    const partner = await aPartner(test)
    await pay(partner)
    expect(await usage(partner)).toMatchObject({ period_start: '2026-06-01', payouts: { count: 1, completed: 1 } })
    test.clock.set('2026-06-30T23:00:00Z')
    expect(await usage(partner)).toMatchObject({ period_start: '2026-07-01', payouts: NOTHING })
  })

  it('of a payout is that of its creation for the count, and that of its completion for the charge', async () => {
    test.clock.set('2026-06-30T22:59:00Z')
    const partner = await aPartner(test)
    await createPayout(test, partner)
    expect((await usage(partner)).payouts).toEqual({ ...NOTHING, count: 1 })
    test.clock.set('2026-06-30T23:00:30Z')
    await test.follow()
    expect((await usage(partner)).payouts).toEqual({
      count: 0,
      completed: 1,
      paid_to_sellers_gbp: '25.00',
      fees_gbp: '1.24',
    })
  })
})

describe('GET /v1/usage, the invoice so far', () => {
  it('has no lines in sandbox, which is never charged', async () => {
    const partner = await aPartner(test)
    await inLive(test, partner)
    await pay(partner)
    const { payouts, invoice_so_far } = await usage(partner)
    expect(payouts.fees_gbp).toBe('1.24')
    expect(invoice_so_far).toEqual(NO_INVOICE)
  })

  it('has the fees that were not taken in the transfers, the account, and the verification in its month', async () => {
    test.clock.set('2026-09-10T12:00:00Z')
    const live = await inLive(test, await aPartner(test), '1000.00')
    await pay(live, { amount_gbp: '25.00' })
    await pay(live, { amount_gbp: '120.50' })
    const { payouts, invoice_so_far } = await usage(live)
    expect(payouts).toEqual({ count: 2, completed: 2, paid_to_sellers_gbp: '145.50', fees_gbp: '3.44' })
    expect(invoice_so_far).toMatchObject({
      lines: [
        // 1.24 + 2.20 in fees, of which 0.33 + 0.80 went with the transfers.
        {
          kind: 'payout_fees',
          description: 'Payout fees (the part billed monthly)',
          quantity: 2,
          unit_price_gbp: null,
          amount_gbp: '2.31',
        },
        { kind: 'monthly_account', quantity: 1, unit_price_gbp: '15.00', amount_gbp: '15.00' },
        { kind: 'business_verification', quantity: 1, unit_price_gbp: '39.00', amount_gbp: '39.00' },
        { kind: 'network_fees', quantity: 2, unit_price_gbp: null, unit_price_exact_gbp: '0.022', amount_gbp: '0.04' },
      ],
      total_gbp: '56.35',
    })
  })

  it('has the verification in its own month only', async () => {
    test.clock.set('2026-09-30T22:59:00Z')
    const live = await inLive(test, await aPartner(test))
    const kinds = async () => (await usage(live)).invoice_so_far.lines.map((line: { kind: string }) => line.kind)
    expect(await kinds()).toEqual(['payout_fees', 'monthly_account', 'business_verification'])
    test.clock.set('2026-09-30T23:00:00Z')
    expect(await kinds()).toEqual(['payout_fees', 'monthly_account'])
    expect((await usage(live)).invoice_so_far).toMatchObject({
      lines: [
        { kind: 'payout_fees', amount_gbp: '0.00' },
        { kind: 'monthly_account', amount_gbp: '15.00' },
      ],
      total_gbp: '15.00',
    })
  })

  it('has the prices of the partner’s own plan', async () => {
    const partner = await aPartner(test)
    await sql(
      test,
      'update plans set monthly_account_pence = 900, business_verification_pence = 0 where partner_id = $1',
      [partner.id],
    )
    const live = await inLive(test, partner)
    expect((await usage(live)).invoice_so_far.total_gbp).toBe('9.00')
  })
})

describe('an account whose price changes in the middle of a month', () => {
  it('costs from the first day on what the invoice will have', async () => {
    test.clock.set('2026-05-03T12:00:00Z')
    const live = await inLive(test, await aPartner(test))
    test.clock.set('2026-06-03T12:00:00Z')
    const from = new Date('2026-06-19T23:00:00Z')
    await setPlan(test.deps, live.slug, { from, changes: { monthlyAccount: pence(20_00n) } })
    const said = [(await usage(live)).invoice_so_far.total_gbp]
    test.clock.set('2026-06-25T12:00:00Z')
    said.push((await usage(live)).invoice_so_far.total_gbp)
    test.clock.set('2026-07-02T12:00:00Z')
    await issueInvoices(test.deps, parseMonth('2026-06')!)
    said.push((await get(test, live, '/v1/invoices')).json().data[0].total_gbp)
    expect(said).toEqual(['20.00', '20.00', '20.00'])
  })
})

describe('GET /v1/usage?month=', () => {
  const of = async (partner: Pick<TestPartner, 'key'>, month: string) =>
    (await get(test, partner, `/v1/usage?month=${month}`)).json()

  it('shows a month that is over, and months in which nothing was', async () => {
    test.clock.set('2026-05-20T12:00:00Z')
    const partner = await aPartner(test)
    await pay(partner, { amount_gbp: '25.00' })
    const may = await usage(partner)
    test.clock.set('2026-07-02T12:00:00Z')
    expect(await of(partner, '2026-05')).toEqual(may)
    for (const month of ['2026-04', '2026-06', '2026-07', '1999-12']) {
      expect(await of(partner, month)).toMatchObject({ period_start: `${month}-01`, payouts: NOTHING })
    }
  })

  it('costs what its invoice says, whatever the prices are now', async () => {
    test.clock.set('2026-05-20T12:00:00Z')
    const live = await inLive(test, await aPartner(test), '100.00')
    await pay(live, { amount_gbp: '25.00' })
    const { invoice_so_far: before } = await usage(live)
    test.clock.set('2026-06-02T12:00:00Z')
    expect((await of(live, '2026-05')).invoice_so_far).toEqual(before)
    await issueInvoices(test.deps, parseMonth('2026-05')!)
    await sql(test, 'update plans set monthly_account_pence = 9900 where partner_id = $1', [live.id])
    expect((await of(live, '2026-05')).invoice_so_far).toEqual(before)
    const total = (await get(test, live, '/v1/invoices')).json().data[0].total_gbp
    expect(total).toBe(before.total_gbp)
    expect((await usage(live)).invoice_so_far.total_gbp).toBe('99.00')
  })

  it("has nothing of another partner's", async () => {
    test.clock.set('2026-05-20T12:00:00Z')
    await pay(await aPartner(test), { amount_gbp: '25.00' })
    expect((await of(await aPartner(test), '2026-05')).payouts).toEqual(NOTHING)
  })
})

describe('GET /v1/usage, 422', () => {
  it.each(['2026-13', '2026-1', 'May', '', '2026-05-01', '0000-01', '0000-12', '0026-05'])(
    'refuses %s as a month',
    async (month) => {
      const reply = await get(test, await aPartner(test), `/v1/usage?month=${month}`)
      expect(reply.statusCode).toBe(422)
      expect(reply.json().error.details).toMatchObject({ fields: ['month (a month such as 2026-11)'] })
    },
  )

  it('refuses a month that has not begun', async () => {
    test.clock.set('2026-05-20T12:00:00Z')
    const reply = await get(test, await aPartner(test), '/v1/usage?month=2026-06')
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.details).toMatchObject({ fields: ['month (a month such as 2026-05, not after it)'] })
  })

  it('refuses a parameter that does not exist', async () => {
    const reply = await get(test, await aPartner(test), '/v1/usage?year=2026')
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.details).toMatchObject({ fields: ['year (not a known field)'] })
  })
})
