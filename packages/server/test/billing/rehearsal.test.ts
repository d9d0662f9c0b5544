// A month of the sandbox can be closed as a rehearsal: what it would cost in live to the penny, and nothing happens.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { pence } from '../../src/core/money.ts'
import { issueDueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { setPlan } from '../../src/domain/partners/set-plan.ts'
import type { TestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, inLive, post, sql } from '../support/fixtures.ts'
import { pdfWords } from '../support/pdf-words.ts'
import { ask, signedIn } from '../support/sessions.ts'
import { type BillingHouse, type LiveBank, paid, startBilling } from './live-bank.ts'

let house: BillingHouse
let test: TestApp
let bank: LiveBank
let partner: TestPartner
beforeEach(async () => {
  house = await startBilling()
  ;({ test, bank } = house)
  test.clock.set('2026-06-10T12:00:00Z')
  partner = await aPartner(test)
})
afterEach(() => house.close())

const ADDRESS = '/v1/sandbox/invoice'
const rehearsed = async (month?: string) =>
  (await get(test, partner, month === undefined ? ADDRESS : `${ADDRESS}?month=${month}`)).json()
const kinds = async (month?: string) => (await rehearsed(month)).lines.map((line: { kind: string }) => line.kind)

async function later(milliseconds = 5_000): Promise<void> {
  test.clock.advance(milliseconds)
  await test.follow()
}

/** A live payout that ends without having arrived. Those that have arrived would come back with it, so it comes first. */
async function failedInLive(live: TestPartner): Promise<void> {
  bank.says = { state: 'undeliverable', refund: 'done' }
  await paid(test, live, '10.00')
  bank.says = { state: 'settled' }
}

async function sentBackInLive(): Promise<void> {
  bank.says = { state: 'returned', refund: 'done' }
  await later(400_000)
  bank.says = { state: 'settled' }
}

const simulated = async (id: string, outcome: string) => {
  expect((await post(test, partner, `/v1/sandbox/payouts/${id}/simulate`, { outcome })).statusCode).toBe(200)
  await later()
}

async function heldInSandbox(amount: string): Promise<string> {
  return (await createPayout(test, partner, { amount_gbp: amount, reference: 'sandbox:hold' })).json().id
}

async function paidInSandbox(amount: string): Promise<string> {
  const id = await heldInSandbox(amount)
  await simulated(id, 'settle')
  return id
}

describe('the rehearsal of a month', () => {
  it('has the lines and the total of the invoice that live gets for the same payouts', async () => {
    const live = await inLive(test, partner, '5000.00')
    await failedInLive(live)
    await simulated(await heldInSandbox('10.00'), 'fail')
    // Never seen to have completed: nothing is charged for it.
    await createPayout(test, partner, { amount_gbp: '11.00', reference: 'sandbox:return' })
    await later()
    await paid(test, live, '40.00')
    const returns = await paidInSandbox('40.00')
    // Prices change while they have arrived and not come back yet.
    await setPlan(test.deps, partner.slug, {
      from: new Date('2026-06-14T23:00:00Z'),
      changes: { payoutFixed: pence(1_49n), networkCost: pence(3n), exceptionCost: pence(9_00n) },
    })
    test.clock.set('2026-06-20T12:00:00Z')
    await sentBackInLive()
    await simulated(returns, 'return')
    for (const amount of ['25.00', '120.50', '77.77']) {
      await paid(test, live, amount)
      await paidInSandbox(amount)
    }
    await heldInSandbox('12.00')
    test.clock.set('2026-07-01T06:00:00Z')
    await issueDueInvoices(test.deps)
    const [invoice] = (await get(test, live, '/v1/invoices')).json().data
    const rehearsal = await rehearsed('2026-06')
    expect(rehearsal).toEqual({
      object: 'rehearsal_invoice',
      rehearsal: true,
      number: null,
      period: '2026-06',
      status: 'draft',
      total_gbp: invoice.total_gbp,
      issued_at: null,
      due_at: null,
      paid_at: null,
      voided_at: null,
      how_to_pay: null,
      lines: invoice.lines,
    })
    expect(rehearsal.lines).toMatchObject([
      { kind: 'payout_fees', quantity: 4 },
      { kind: 'monthly_account', quantity: 1, amount_gbp: '15.00' },
      { kind: 'business_verification', quantity: 1, amount_gbp: '39.00' },
      // 0.022 once and 0.033 three times.
      { kind: 'network_fees', quantity: 4, unit_price_exact_gbp: null, amount_gbp: '0.12' },
      { kind: 'bank_exceptions', quantity: 1, unit_price_gbp: '3.00', amount_gbp: '3.00' },
    ])
  })

  it('is of the London month in which payouts completed and came back', async () => {
    const first = await paidInSandbox('25.00')
    test.clock.set('2026-06-30T23:30:00Z')
    await paidInSandbox('25.00')
    await simulated(first, 'return')
    expect((await rehearsed('2026-06')).lines[0]).toMatchObject({
      kind: 'payout_fees',
      quantity: 1,
      amount_gbp: '0.91',
    })
    expect(await kinds('2026-06')).not.toContain('bank_exceptions')
    expect(await rehearsed()).toMatchObject({ period: '2026-07', lines: { length: 5 } })
    expect((await rehearsed()).lines.at(-1)).toMatchObject({ kind: 'bank_exceptions', quantity: 1 })
  })

  it('has the verification until the month in which the business was verified, and an account in an empty month', async () => {
    expect(await kinds()).toEqual(['payout_fees', 'monthly_account', 'business_verification'])
    expect((await rehearsed()).total_gbp).toBe('54.00')
    await inLive(test, partner)
    expect(await kinds()).toContain('business_verification')
    test.clock.set('2026-07-10T12:00:00Z')
    expect(await kinds()).toEqual(['payout_fees', 'monthly_account'])
    expect(await kinds('2026-06')).toContain('business_verification')
  })

  it('leaves nothing behind: no invoice, charge, event, mail or number, and the books as they were', async () => {
    await paidInSandbox('25.00')
    const traces = () =>
      sql(
        test,
        `select (select count(*)::int from invoices) as invoices, (select count(*)::int from charges) as charges,
                (select count(*)::int from mails) as mails, (select count(*)::int from events) as events,
                (select count(*)::int from ledger_entries) as entries, (select count(*)::int from invoice_numbers) as numbers`,
      )
    const before = await traces()
    const reads = await Promise.all([rehearsed(), rehearsed(), get(test, partner, `${ADDRESS}.pdf`)])
    expect(reads[0]).toEqual(reads[1])
    test.clock.set('2026-07-01T06:00:00Z')
    await issueDueInvoices(test.deps)
    expect(await traces()).toEqual(before)
    expect((await get(test, partner, '/v1/invoices')).json().data).toEqual([])
    expect((await get(test, partner, '/v1/usage?month=2026-06')).json().invoice_so_far.lines).toEqual([])
  })

  it('has nothing of another business, nor of the own live payouts', async () => {
    await paidInSandbox('25.00')
    await paid(test, await inLive(test, partner, '100.00'), '30.00')
    const mine = await rehearsed()
    expect(mine.lines[0]).toMatchObject({ quantity: 1, amount_gbp: '0.91' })
    partner = await aPartner(test)
    expect((await rehearsed()).lines[0]).toMatchObject({ quantity: 0, amount_gbp: '0.00' })
  })
})

describe('POST /v1/sandbox/advance with close_month', () => {
  const advance = (body: object) => post(test, partner, '/v1/sandbox/advance', { seconds: 60, ...body })

  it('closes the month after the time has passed: what arrived by then is on its invoice', async () => {
    await createPayout(test, partner, { amount_gbp: '25.00' })
    const { invoice, ...rest } = (await advance({ close_month: true })).json()
    expect(rest).toEqual({ object: 'advance', seconds: 60, payouts: 1 })
    expect(invoice).toEqual(await rehearsed())
    expect(invoice.lines[0]).toMatchObject({ kind: 'payout_fees', quantity: 1, amount_gbp: '0.91' })
    expect((await advance({ close_month: false })).json()).not.toHaveProperty('invoice')
  })

  it('refuses another word than true or false, and lets no time pass', async () => {
    await createPayout(test, partner, { amount_gbp: '25.00' })
    const reply = await advance({ close_month: '2026-06' })
    expect([reply.statusCode, reply.json().error.details.fields]).toEqual([422, ['close_month (true or false)']])
    expect((await rehearsed()).lines[0]).toMatchObject({ quantity: 0 })
  })
})

describe('GET /v1/sandbox/invoice', () => {
  it.each(['', '.pdf'])('%s is not there in live, for keys and for members', async (form) => {
    const live = await inLive(test, partner)
    expect((await get(test, live, `${ADDRESS}${form}`)).statusCode).toBe(404)
    const viewer = await signedIn(test, partner, { role: 'viewer', email: 'mary@thistle.test' })
    const asked = (environment: string) => ask(test, viewer, { url: `${ADDRESS}${form}?environment=${environment}` })
    expect((await asked('live')).statusCode).toBe(404)
    expect((await asked('sandbox')).statusCode).toBe(200)
  })

  it.each(['', '.pdf'])('%s refuses a month that has not begun, or is none', async (form) => {
    for (const month of ['2026-07', '2027-01', '2026-13', 'June', '0000-01']) {
      const reply = await get(test, partner, `${ADDRESS}${form}?month=${month}`)
      expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'invalid_request'])
    }
  })

  it.each(['', '.pdf'])(
    '%s begins with the London month in which the business did, and says so before',
    async (form) => {
      // In London it is the first of June.
      test.clock.set('2026-05-31T23:30:00Z')
      const early = await aPartner(test)
      test.clock.set('2026-07-10T12:00:00Z')
      const asked = (month: string) => get(test, early, `${ADDRESS}${form}?month=${month}`)
      for (const month of ['2026-05', '2025-12', '1999-12']) {
        const reply = await asked(month)
        expect([reply.statusCode, reply.json().error]).toMatchObject([
          422,
          {
            code: 'invalid_request',
            message: `There is nothing to rehearse for ${month}: the business began in 2026-06.`,
            details: { fields: ['month (a month such as 2026-06, not before it)'] },
          },
        ])
      }
      expect((await asked('2026-06')).statusCode).toBe(200)
      expect((await asked('2026-07')).statusCode).toBe(200)
    },
  )

  it('as a document says that it is no bill, and never how to pay', async () => {
    await paidInSandbox('25.00')
    const reply = await get(test, partner, `${ADDRESS}.pdf?month=2026-06`)
    expect(reply.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="rehearsal-2026-06.pdf"',
    })
    const words = pdfWords(reply.rawPayload)
    for (const said of [
      'Rehearsal, not a bill',
      'nothing is to be paid',
      'Never issued',
      'Total, if it were live',
      '£54.93',
      'June 2026',
    ]) {
      expect(words).toContain(said)
    }
    expect(words).not.toMatch(/^Invoice$|How to pay|Please pay|^Billed to$|KP-/m)
  })
})
