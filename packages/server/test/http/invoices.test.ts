import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { type Month, nextMonth, parseMonth } from '../../src/core/london-month.ts'
import { issueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { markInvoicePaid, markInvoiceVoid } from '../../src/domain/billing/settle-invoice.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type PayoutBody,
  type TestPartner,
  aPartner,
  anObligingRail,
  createPayout,
  get,
  inLive,
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
beforeEach(() => test.clock.set('2026-09-10T12:00:00Z'))

interface Invoice {
  id: string
  number: string
  period: string
  status: string
  total_gbp: string
  lines: { kind: string; quantity: number; amount_gbp: string }[]
}

const month = (text: string): Month => parseMonth(text)!

const invoices = async (partner: Pick<TestPartner, 'key'>): Promise<Invoice[]> =>
  (await get(test, partner, '/v1/invoices')).json().data

/** A partner in live since 10 September 2026. */
const aLivePartner = async () => inLive(test, await aPartner(test), '1000.00')

async function pay(partner: TestPartner, body: PayoutBody = {}): Promise<void> {
  await createPayout(test, partner, body)
  test.clock.advance(5_000)
  await test.follow()
}

async function issueSeptember(): Promise<void> {
  test.clock.set('2026-10-01T06:00:00Z')
  await issueInvoices(test.deps, month('2026-09'))
}

describe('GET /v1/invoices, 200', () => {
  it('is empty before the first month is over', async () => {
    const reply = await get(test, await aLivePartner(), '/v1/invoices')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ object: 'list', data: [] })
  })

  it('shows what a month came to, line by line, due 14 days after it was issued', async () => {
    const live = await aLivePartner()
    await pay(live, { amount_gbp: '25.00' })
    await pay(live, { amount_gbp: '120.50' })
    await issueSeptember()
    const period = { period_start: '2026-09-01', period_end: '2026-09-30' }
    expect(await invoices(live)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        number: expect.stringMatching(/^KP-2026-\d{6}$/),
        period: '2026-09',
        status: 'issued',
        total_gbp: '56.35',
        issued_at: '2026-10-01T06:00:00.000Z',
        due_at: '2026-10-15T06:00:00.000Z',
        paid_at: null,
        voided_at: null,
        how_to_pay: null,
        lines: [
          {
            line: 1,
            kind: 'payout_fees',
            description: 'Payout fees (the part billed monthly)',
            quantity: 2,
            unit_price_gbp: null,
            unit_price_exact_gbp: null,
            amount_gbp: '2.31',
            ...period,
          },
          {
            line: 2,
            kind: 'monthly_account',
            description: 'Monthly account',
            quantity: 1,
            unit_price_gbp: '15.00',
            unit_price_exact_gbp: '15.00',
            amount_gbp: '15.00',
            ...period,
          },
          {
            line: 3,
            kind: 'business_verification',
            description: 'Business verification, one-off',
            quantity: 1,
            unit_price_gbp: '39.00',
            unit_price_exact_gbp: '39.00',
            amount_gbp: '39.00',
            ...period,
          },
          {
            line: 4,
            kind: 'network_fees',
            description: 'Network fees, at cost plus a share',
            quantity: 2,
            unit_price_gbp: null,
            unit_price_exact_gbp: '0.022',
            amount_gbp: '0.04',
            ...period,
          },
        ],
      },
    ])
  })

  it('shows what usage had announced on the last day of the month', async () => {
    const live = await aLivePartner()
    await pay(live, { amount_gbp: '77.77' })
    test.clock.set('2026-09-30T22:59:00Z')
    const { invoice_so_far: announced } = (await get(test, live, '/v1/usage')).json()
    await issueSeptember()
    const [invoice] = await invoices(live)
    expect(invoice?.total_gbp).toBe(announced.total_gbp)
    expect(invoice?.lines).toMatchObject(announced.lines)
  })

  it('bills a payout in the month in which it completes, by London time', async () => {
    const live = await aLivePartner()
    test.clock.set('2026-09-30T22:59:50Z')
    await createPayout(test, live, { amount_gbp: '25.00' })
    test.clock.set('2026-09-30T23:00:00Z')
    await test.follow()
    test.clock.set('2026-11-01T06:00:00Z')
    await issueInvoices(test.deps, month('2026-09'))
    await issueInvoices(test.deps, month('2026-10'))
    const fees = (await invoices(live)).map(({ period, lines }) => ({ period, quantity: lines[0]?.quantity }))
    expect(fees).toEqual([
      { period: '2026-10', quantity: 1 },
      { period: '2026-09', quantity: 0 },
    ])
  })

  it('bills a month at the prices that held in it, not at those that begin with the next', async () => {
    const live = await aLivePartner()
    const midnightInLondon = '2026-09-30T23:00:00Z'
    await sql(test, 'insert into plans values ($1, $2, 99, 100, 20, 50, 900, 3900)', [live.id, midnightInLondon])
    await issueSeptember()
    expect((await invoices(live))[0]?.lines[1]).toMatchObject({ kind: 'monthly_account', amount_gbp: '15.00' })
  })

  it('bills a month at the prices that held at its end', async () => {
    const live = await aLivePartner()
    await sql(test, 'insert into plans values ($1, $2, 99, 100, 20, 50, 900, 3900)', [live.id, '2026-09-30T22:59:59Z'])
    await issueSeptember()
    expect((await invoices(live))[0]?.lines[1]).toMatchObject({ kind: 'monthly_account', amount_gbp: '9.00' })
  })

  it('never bills sandbox', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner)
    await pay(partner, { amount_gbp: '500.00' })
    await issueSeptember()
    expect(await invoices(live)).toMatchObject([
      { total_gbp: '54.00', lines: [{ kind: 'payout_fees', quantity: 0, amount_gbp: '0.00' }, {}, {}] },
    ])
  })

  it('gives one invoice per month, however often they are issued', async () => {
    const live = await aLivePartner()
    await issueSeptember()
    const first = await invoices(live)
    test.clock.advance(86_400_000)
    const again = await issueInvoices(test.deps, month('2026-09'))
    await Promise.all([issueInvoices(test.deps, month('2026-09')), issueInvoices(test.deps, month('2026-09'))])
    expect(again.filter(({ slug }) => slug === live.slug)).toEqual([])
    expect(await invoices(live)).toEqual(first)
    expect(first.length).toBe(1)
  })

  it('shows an invoice as overdue when the day on which it is due is over in London, and not before', async () => {
    const live = await aLivePartner()
    await issueSeptember()
    const shown = async () => (await invoices(live))[0]
    expect(await shown()).toMatchObject({ issued_at: '2026-10-01T06:00:00.000Z', due_at: '2026-10-15T06:00:00.000Z' })
    test.clock.set('2026-10-15T22:59:59.999Z')
    expect((await shown())?.status).toBe('issued')
    test.clock.advance(1)
    expect((await shown())?.status).toBe('overdue')
  })

  it('never shows an invoice over nothing as overdue', async () => {
    const live = await aLivePartner()
    await issueSeptember()
    await sql(test, 'insert into plans values ($1, $2, 99, 100, 20, 50, 0, 3900)', [live.id, '2026-10-05T00:00:00Z'])
    test.clock.set('2026-11-01T06:00:00Z')
    await issueInvoices(test.deps, month('2026-10'))
    test.clock.set('2027-01-01T00:00:00Z')
    expect(await invoices(live)).toMatchObject([
      { total_gbp: '0.00', status: 'issued' },
      { total_gbp: '54.00', status: 'overdue' },
    ])
  })

  it('says how to pay while something is to be paid, and not for an invoice over nothing', async () => {
    const paymentDetails = 'Sort code 04-00-75, account 12345678.'
    const own = await startTestApp({ database: test.database, operator: { ...test.deps.operator, paymentDetails } })
    const live = await aLivePartner()
    await issueSeptember()
    await sql(test, 'insert into plans values ($1, $2, 99, 100, 20, 50, 0, 3900)', [live.id, '2026-10-05T00:00:00Z'])
    test.clock.set('2026-11-01T06:00:00Z')
    await issueInvoices(test.deps, month('2026-10'))
    const { data } = (await get(own, live, '/v1/invoices')).json()
    expect(data).toMatchObject([
      { total_gbp: '0.00', how_to_pay: null },
      { total_gbp: '54.00', how_to_pay: paymentDetails },
    ])
    await own.app.close()
    await own.owner.close()
    await own.service.close()
  })

  it.each(['paid', 'void'])('never shows an invoice that is %s as overdue', async (status) => {
    const live = await aLivePartner()
    await issueSeptember()
    const number = (await invoices(live))[0]!.number
    await (status === 'paid'
      ? markInvoicePaid(test.deps, number, test.clock.now())
      : markInvoiceVoid(test.deps, number, 'test'))
    test.clock.set('2027-01-01T00:00:00Z')
    expect(await invoices(live)).toMatchObject([{ status }])
  })

  it('shows the last 24, the newest first', async () => {
    const live = await aLivePartner()
    const issued: string[] = []
    for (let each = month('2026-09'); issued.length < 26; each = nextMonth(each)) {
      test.clock.set(`${nextMonth(each)}-01T06:00:00Z`)
      await issueInvoices(test.deps, each)
      issued.unshift(each)
    }
    expect((await invoices(live)).map(({ period }) => period)).toEqual(issued.slice(0, 24))
  })

  it('shows the same invoices to a sandbox key and a live key of the partner, and to nobody else', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner)
    const other = await aPartner(test)
    await issueSeptember()
    expect((await invoices(live)).length).toBe(1)
    expect(await invoices(partner)).toEqual(await invoices(live))
    expect(await invoices(other)).toEqual([])
  })

  it('bills nothing for months before the partner was verified', async () => {
    const live = await aLivePartner()
    await issueInvoices(test.deps, month('2026-08'))
    expect(await invoices(live)).toEqual([])
  })

  it('is not made for a month that is not over in London', async () => {
    const live = await aLivePartner()
    test.clock.set('2026-09-30T22:59:59Z')
    await expect(issueInvoices(test.deps, month('2026-09'))).rejects.toThrow('2026-09 is not over yet')
    expect(await invoices(live)).toEqual([])
    test.clock.set('2026-09-30T23:00:00Z')
    await issueInvoices(test.deps, month('2026-09'))
    expect((await invoices(live)).length).toBe(1)
  })
})

describe('GET /v1/invoices, 422', () => {
  it('refuses a parameter that does not exist', async () => {
    const reply = await get(test, await aPartner(test), '/v1/invoices?limit=24')
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.details).toMatchObject({ fields: ['limit (not a known field)'] })
  })
})
