import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { parseMonth } from '../../src/core/london-month.ts'
import { issueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { aLiveBank } from '../billing/live-bank.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, inLive } from '../support/fixtures.ts'
import { ask, signedIn } from '../support/sessions.ts'

let test: TestApp
let sandbox: TestPartner
let live: TestPartner
let invoiceId: string
const paid: string[] = []

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  test = await startTestApp({ liveRail: aLiveBank(() => test.clock.now()) })
  test.clock.set('2026-09-10T12:00:00Z')
  sandbox = await aPartner(test)
  live = await inLive(test, sandbox, '1000.00')
  for (const reference of ['first', '=second', 'third']) {
    paid.push((await createPayout(test, live, { amount_gbp: '25.00', reference })).json().id)
    test.clock.advance(5_000)
    await test.follow()
  }
  test.clock.set('2026-10-01T06:00:00Z')
  invoiceId = (await issueInvoices(test.deps, parseMonth('2026-09')!))[0]!.id
})
afterAll(async () => {
  await test.close()
  vi.useRealTimers()
})

const read = (path: string, who: Pick<TestPartner, 'key'> = live) => get(test, who, `/v1/invoices/${path}`)

describe('GET /v1/invoices/{id}, 200', () => {
  it('shows what the list shows, to both keys of the partner', async () => {
    const [listed] = (await get(test, live, '/v1/invoices')).json().data
    expect((await read(invoiceId)).json()).toEqual(listed)
    expect((await read(invoiceId, sandbox)).json()).toEqual(listed)
  })

  it('is there as a table too, named after its number', async () => {
    const reply = await read(`${invoiceId}/lines.csv`)
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(reply.headers['content-disposition']).toBe('attachment; filename="KP-2026-000001.csv"')
    const rows = reply.body.trim().split('\r\n')
    expect(rows[0]).toContain('"Invoice","Month","Line","Kind"')
    expect(rows[1]).toBe(
      '"KP-2026-000001","2026-09","1","payout_fees","Payout fees (the part billed monthly)","3","","2.73","2026-09-01","2026-09-30","2026-10-01","2026-10-15","issued"',
    )
    expect(rows).toHaveLength(5)
  })
})

describe('GET /v1/invoices/{id}/lines/{n}/payouts, 200', () => {
  const line = (n: number, query = '') => read(`${invoiceId}/lines/${n}/payouts${query}`)

  it('lists the payouts behind a line, the oldest first, which add up to it', async () => {
    const fees = (await line(1)).json()
    expect(fees.data.map(({ payout }: { payout: { id: string } }) => payout.id)).toEqual(paid)
    expect(fees.data[0]).toMatchObject({
      object: 'invoiced_payout',
      charged_gbp: '0.91',
      payout: { environment: 'live' },
    })
    expect(fees).toMatchObject({ has_more: false, next_cursor: null })
    const network = (await line(4)).json()
    expect(network.data.map((each: { charged_exact_gbp: string }) => each.charged_exact_gbp)).toEqual([
      '0.022',
      '0.022',
      '0.022',
    ])
  })

  it('has none for lines that are not about payouts', async () => {
    for (const n of [2, 3]) expect((await line(n)).json().data).toEqual([])
  })

  it('goes on from page to page', async () => {
    const first = (await line(1, '?limit=2')).json()
    expect(first).toMatchObject({ has_more: true })
    const next = (await line(1, `?limit=2&cursor=${first.next_cursor}`)).json()
    const ids = [...first.data, ...next.data].map(({ payout }: { payout: { id: string } }) => payout.id)
    expect(ids).toEqual(paid)
    expect(next).toMatchObject({ has_more: false, next_cursor: null })
  })

  it('is there as a table too, with nothing that a spreadsheet would run', async () => {
    const reply = await read(`${invoiceId}/lines/1/payouts.csv`)
    expect(reply.headers['content-disposition']).toBe('attachment; filename="KP-2026-000001-line-1.csv"')
    const rows = reply.body.trim().split('\r\n')
    expect(rows).toHaveLength(4)
    expect(rows[2]).toContain(`"'=second"`)
  })

  it('is read for the table a hundred at a time', async () => {
    const spy = vi.spyOn(test.deps.reports, 'query')
    await read(`${invoiceId}/lines/1/payouts.csv`)
    const asked = spy.mock.calls.filter(([{ name }]) => name === 'list_charged_payouts')
    spy.mockRestore()
    expect(asked.map(([, values]) => values?.at(-1))).toEqual([100])
  })
})

describe('what lies behind a line, with a sandbox key', () => {
  it('is refused in words, the same for every id: the payouts are live ones', async () => {
    const stranger = await aPartner(test)
    for (const rest of ['payouts', 'payouts.csv', 'payouts?environment=live']) {
      const own = await read(`${invoiceId}/lines/1/${rest}`, sandbox)
      expect(own.statusCode).toBe(403)
      expect(own.json().error).toMatchObject({
        code: 'api_key_required',
        message: 'The payouts behind an invoice are live ones. Ask with a live API key.',
      })
      for (const id of [invoiceId, '01a1946c-7be0-76f0-b316-00a35a099950', 'x']) {
        const { error } = (await read(`${id}/lines/1/${rest}`, stranger)).json()
        expect({ ...error, request_id: '' }).toEqual({ ...own.json().error, request_id: '' })
      }
    }
  })

  it('is there for a session, whichever environment its page shows', async () => {
    const admin = await signedIn(test, sandbox)
    for (const environment of ['sandbox', 'live']) {
      const url = `/v1/invoices/${invoiceId}/lines/1/payouts?environment=${environment}`
      expect((await ask(test, admin, { url })).json().data).toHaveLength(3)
    }
  })
})

describe('what is not there', () => {
  it('is the same 404 for unknown, foreign and malformed ids and for lines that do not exist', async () => {
    const strangerInLive = await inLive(test, await aPartner(test))
    const id = '01a1946c-7be0-76f0-b316-00a35a099950'
    const replies = await Promise.all([
      ...['', '/lines.csv', '/lines/1/payouts', '/lines/1/payouts.csv'].flatMap((rest) => [
        read(`${id}${rest}`),
        read(`${invoiceId}${rest}`, strangerInLive),
        read(`KP-2026-000001${rest}`),
      ]),
      ...['0', '5', '-1', '1.0', 'x', '99999999999'].map((n) => read(`${invoiceId}/lines/${n}/payouts`)),
    ])
    const bodies = replies.map((reply) => ({ status: reply.statusCode, message: reply.json().error.message }))
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(bodies[0]?.status).toBe(404)
  })

  it('is a cursor that we did not give out: 422', async () => {
    expect((await read(`${invoiceId}/lines/1/payouts?cursor=x`)).statusCode).toBe(422)
    const beforeTime = await read(`${invoiceId}/lines/1/payouts?cursor=_-FN9z0kAAAAAAAAAAAAAAAAAAAAAAAA`)
    expect(beforeTime.statusCode).toBe(422)
    expect((await read(`${invoiceId}/lines/1/payouts?limit=0`)).statusCode).toBe(422)
  })
})
