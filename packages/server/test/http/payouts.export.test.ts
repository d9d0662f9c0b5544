import { connect } from 'node:net'

import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { EXPORT_PAGE } from '../../src/domain/export-page.ts'
import { payoutPages } from '../../src/domain/payouts/read/export-payouts.ts'
import { payoutListQuery } from '../../src/http/query/payout-query.ts'
import { londonDay } from '../../src/core/london-day.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { csvRecords } from '../support/csv-records.ts'
import { type TestPartner, aPartner, aRecipient, createPayout, get, sql } from '../support/fixtures.ts'
import { manyPayouts } from '../support/many-payouts.ts'
import { ask, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
})
afterAll(() => test.close())

const exported = (query = '', who: Pick<TestPartner, 'key'> = partner) =>
  get(test, who, `/v1/payouts/export.csv${query}`)

const records = (reply: LightMyRequestResponse) => csvRecords(reply.body)

describe('GET /v1/payouts/export.csv, 200', () => {
  it('has a line for each payout, the newest first, under headings that people understand', async () => {
    const own = await aPartner(test)
    const first = (await createPayout(test, own)).json()
    test.clock.advance(2_000)
    await test.follow()
    const second = (await createPayout(test, own, { recipient: aRecipient({ account_number: '98760000' }) })).json()
    const reply = await exported('', own)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    const [newest, oldest] = records(reply)
    expect(newest).toMatchObject({ Payout: second.id, Status: 'failed', 'Account ends in': '0000' })
    expect(newest).toMatchObject({ 'Failure code': 'account_not_found', Retry: 'after_fix' })
    expect(newest?.['Back in the wallet (UTC)']).toMatch(/Z$/)
    expect(newest?.['Reason']).toContain('The bank rejected the account details')
    const { updated_at: completedAt } = (await get(test, own, `/v1/payouts/${first.id}`)).json()
    expect(oldest).toEqual({
      Payout: first.id,
      'Created (UTC)': first.created_at,
      Status: 'completed',
      Recipient: first.recipient.name,
      'Account ends in': first.recipient.account_last4,
      Reference: 'Invoice 1042',
      'Amount (GBP)': '25.00',
      'Fee (GBP)': '1.24',
      'Sent from wallet (USDC)': '32.07',
      'Pounds per dollar': '0.79',
      'Completed (UTC)': completedAt,
      Reason: '',
      'Created through': 'API',
      'Created by': own.key.slice(0, 'kp_sandbox_'.length + 6),
      'Idempotency key': expect.stringMatching(/^order-/) as unknown,
      'Created on (London)': londonDay(new Date(first.created_at)),
      'Completed on (London)': londonDay(new Date(completedAt)),
      'Came to nothing on (London)': '',
      'Failure code': '',
      Retry: '',
      'Back in the wallet (UTC)': '',
      'Fee charged (GBP)': '1.24',
    })
    expect(newest).toMatchObject({ 'Fee (GBP)': '1.24', 'Fee charged (GBP)': '0.00' })
  })

  it('has headings when there is nothing below them', async () => {
    const reply = await exported('', await aPartner(test))
    expect(reply.body).toMatch(/^\uFEFF"Payout","Created \(UTC\)",.*\r\n$/)
    expect(records(reply)).toEqual([])
  })

  it.each(["=cmd|' /C calc'!A0", '+44 20 7946 0000', '-1 + 1', '@SUM(A1:A9)', '＝1+1'])(
    'does not hand a spreadsheet the formula %s',
    async (reference) => {
      const own = await aPartner(test)
      expect((await createPayout(test, own, { reference })).statusCode).toBe(201)
      expect(records(await exported('', own))[0]?.['Reference']).toBe(`'${reference}`)
    },
  )

  it.each(['"quoted", with a comma', 'Größe, 東京 🦅', '""', 'semi;colon', "o'clock", 'a, b\\n'])(
    'carries %s unharmed',
    async (reference) => {
      const own = await aPartner(test)
      const recipient = { ...aRecipient({ first_name: 'Zoë "Zed"' }), last_name: '=Ellis, 東京' }
      expect((await createPayout(test, own, { reference, recipient })).statusCode).toBe(201)
      expect(records(await exported('', own))[0]).toMatchObject({
        Reference: reference,
        Recipient: 'Zoë "Zed" =Ellis, 東京',
      })
    },
  )

  it('carries even a line break, which the API would not take', async () => {
    const own = await aPartner(test)
    await manyPayouts((text, values) => sql(test, text, values), own.id, { count: 2, newest: test.clock.now() })
    await sql(test, 'alter table payouts disable trigger guard_payout')
    await sql(
      test,
      `update payouts set reference = E'one\\ntwo\\r\\nthree', recipient_name = E'\\t=x' where partner_id = $1`,
      [own.id],
    )
    await sql(test, 'alter table payouts enable trigger guard_payout')
    const lines = records(await exported('', own))
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatchObject({ Reference: 'one\ntwo\r\nthree', Recipient: "'\t=x" })
  })

  it('has what the filters leave', async () => {
    const own = await aPartner(test)
    await createPayout(test, own, { amount_gbp: '10.00', reference: 'Order 1' })
    await createPayout(test, own, { amount_gbp: '20.00', reference: 'Order 2' })
    const references = async (query: string) => records(await exported(query, own)).map((line) => line['Reference'])
    expect(await references('?amount_from=15.00')).toEqual(['Order 2'])
    expect(await references('?q=10.00')).toEqual(['Order 1'])
    expect(await references('?status=failed,returned')).toEqual([])
  })

  it.each([
    ['', /^attachment; filename="payouts-sandbox-\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.csv"$/],
    [
      '?created_from=2026-10-31T23:00:00Z&created_to=2026-11-16T00:00:00Z',
      /^attachment; filename="payouts-sandbox-2026-10-31_2026-11-15\.csv"$/,
    ],
    ['?created_from=2026-06-30T23:00:00Z&created_to=2026-07-31T23:00:00Z', /-2026-07-01_2026-07-31\.csv"$/],
  ])('with %s is named after its days', async (query, name) => {
    expect((await exported(query)).headers['content-disposition']).toMatch(name)
  })

  it("has nothing of another partner's, and for a session what it looks at", async () => {
    const own = await aPartner(test)
    await createPayout(test, own)
    expect(records(await exported('', await aPartner(test)))).toEqual([])
    const viewer = await signedIn(test, own, { role: 'viewer' })
    expect(records(await ask(test, viewer, { url: '/v1/payouts/export.csv' }))).toHaveLength(1)
    const live = await ask(test, viewer, { url: '/v1/payouts/export.csv?environment=live' })
    expect(records(live)).toEqual([])
    expect(live.headers['content-disposition']).toContain('payouts-live-')
  })
})

describe('an export of 5,000 payouts', () => {
  let busy: TestPartner
  beforeAll(async () => {
    busy = await aPartner(test)
    await manyPayouts((text, values) => sql(test, text, values), busy.id, { count: 5_000, newest: test.clock.now() })
  })

  it('has every one of them once, read a hundred at a time', async () => {
    const sizes: number[] = []
    const query = test.deps.reports.query.bind(test.deps.reports)
    const spy = vi.spyOn(test.deps.reports, 'query').mockImplementation(async (statement, values) => {
      const rows = await query(statement, values)
      if (statement.name.startsWith('list_payouts')) sizes.push(rows.length)
      return rows
    })
    const lines = records(await exported('', busy))
    spy.mockRestore()
    expect(lines).toHaveLength(5_000)
    expect(new Set(lines.map((line) => line['Payout'])).size).toBe(5_000)
    expect(lines.map((line) => line['Reference'])).toEqual(lines.map((_line, index) => `Order ${index}`))
    expect(sizes).toEqual([...Array<number>(50).fill(100), 0])
  })

  it('passes over what does not fit once, however many pages there are', async () => {
    const own = await aPartner(test)
    await manyPayouts((text, values) => sql(test, text, values), own.id, { count: 250, newest: test.clock.now() })
    const spy = vi.spyOn(test.deps.reports, 'query')
    expect(records(await exported('?created_via=api', own))).toHaveLength(225)
    const passedOver = spy.mock.calls.map(([{ text }]) => text.includes(' offset '))
    spy.mockRestore()
    expect(passedOver).toEqual([true, false, false, false])
  })

  it('reads a page only when it is wanted', async () => {
    const pages = payoutPages(test.deps, { partnerId: busy.id, environment: 'sandbox' }, payoutListQuery({}))
    const spy = vi.spyOn(test.deps.reports, 'query')
    const first = await pages.next()
    expect(first.value).toHaveLength(EXPORT_PAGE)
    expect(spy).toHaveBeenCalledTimes(1)
    await pages.return()
    expect(spy).toHaveBeenCalledTimes(1)
    spy.mockRestore()
  })

  it('stops reading when the caller goes away', async () => {
    const own = await startTestApp()
    const who = await aPartner(own)
    await manyPayouts((text, values) => sql(own, text, values), who.id, { count: 60_000, newest: own.clock.now() })
    const port = Number(new URL(await own.app.listen({ host: '127.0.0.1', port: 0 })).port)
    const spy = vi.spyOn(own.deps.reports, 'query')
    const request = `GET /v1/payouts/export.csv HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${who.key}\r\n\r\n`
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request))
      socket.once('data', () => {
        socket.destroy()
        resolve()
      })
    })
    // Closing waits for what is under way: were the export still running, all of its pages would be read.
    await own.app.close()
    expect(spy.mock.calls.length).toBeLessThan(600)
    spy.mockRestore()
    await own.close()
  })
})

describe('the days of a payout that came back', () => {
  it('are those of London, with the one on which it had completed', async () => {
    const own = await aPartner(test)
    test.clock.set('2027-06-30T23:30:00Z')
    // A bank's clock follows when it is asked.
    await test.follow()
    await createPayout(test, own, { reference: 'sandbox:return' })
    for (let round = 0; round < 8; round++) {
      test.clock.advance(2_000)
      await test.follow()
    }
    const [line] = records(await exported('', own))
    expect(line).toMatchObject({
      Status: 'returned',
      'Created on (London)': '2027-07-01',
      'Completed on (London)': '2027-07-01',
      'Completed (UTC)': expect.stringMatching(/^2027-06-30T23:3/) as unknown,
      'Came to nothing on (London)': '2027-07-01',
    })
  })
})

describe('GET /v1/payouts/export.csv, refused', () => {
  it('has no pages to ask for, and wants filters that make sense', async () => {
    for (const query of ['?limit=10', '?cursor=x', '?status=done', '?amount_from=1']) {
      const reply = await exported(query)
      expect(reply.statusCode).toBe(422)
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(reply.headers['content-disposition']).toBeUndefined()
    }
  })

  it('wants a key or a session', async () => {
    expect((await test.request({ url: '/v1/payouts/export.csv' })).statusCode).toBe(401)
  })
})
