// How late each queue is, and what else the figures from the tables say; on a database that cannot be read, nothing.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { issueDueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { queueMail } from '../../src/domain/mail/queue-mail.ts'
import { makeDeliveries } from '../../src/domain/webhooks/make-deliveries.ts'
import { aLiveBank, paid } from '../billing/live-bank.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { keepMessages } from '../support/bank-message.ts'
import { type TestPartner, aPartner, createPayout, inLive, sql } from '../support/fixtures.ts'
import { startMailServer } from '../support/mail-server.ts'
import { type Sample, parseMetrics } from './promql.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let test: TestApp
beforeEach(async () => {
  test = await startTestApp()
})
afterEach(() => test.close())

const figures = async (of: TestApp): Promise<Sample[]> => {
  const reply = await of.app.inject({ url: '/metrics', headers: { host: '127.0.0.1' } })
  expect(reply.statusCode).toBe(200)
  return parseMetrics(reply.body)
}
async function figure(of: TestApp, name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  const fits = (sample: Sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value)
  return (await figures(of)).find((sample) => sample.name === name && fits(sample))?.value
}
const lagOf = (of: TestApp, queue: string) => figure(of, 'kestrel_queue_lag_seconds', { queue })

const LATE = { before: 0, isLate: true }

/** How late a queue is, and whether it is ten minutes late when nobody comes after it was filled. */
async function lagAround(of: TestApp, queue: string, fill: () => Promise<unknown>): Promise<object> {
  const before = await lagOf(of, queue)
  await fill()
  of.clock.advance(10 * MINUTE_MS)
  const lag = (await lagOf(of, queue))!
  return { before, isLate: lag > 550 && lag < 3_600 }
}

async function anEndpoint(partner: TestPartner): Promise<string> {
  const reply = await test.request({
    method: 'POST',
    url: '/v1/webhook-endpoints',
    headers: { authorization: `Bearer ${partner.key}` },
    payload: { url: 'http://localhost:9/receiver' },
  })
  return reply.json<{ id: string }>().id
}

describe('a queue that nobody works at is late', () => {
  it('of payouts to be asked about', async () => {
    const fill = async () => createPayout(test, await aPartner(test), {})
    expect(await lagAround(test, 'follow_ups', fill)).toEqual(LATE)
  })

  it('of events that become webhooks, and of the webhooks', async () => {
    const partner = await aPartner(test)
    const endpoint = await anEndpoint(partner)
    expect(await lagAround(test, 'events', () => createPayout(test, partner, {}))).toEqual(LATE)
    const scope = { partnerId: partner.id, environment: 'sandbox' } as const
    expect(await lagAround(test, 'webhooks', () => makeDeliveries(test.deps, scope, endpoint))).toEqual(LATE)
    expect(await lagOf(test, 'events')).toBe(0)
  })

  it('of mails', async () => {
    const server = await startMailServer()
    const own = await startTestApp({ smtp: { url: server.url, from: 'payouts@kestrel.test' } })
    const mail = { to: 'amara@thistle.test', subject: 'A code', text: 'x', html: '<p>x</p>' }
    const queue = () =>
      own.deps.db.inTransaction(async (tx) => queueMail(tx, own.deps, { kind: 'test', mail, usefulUntil: null }))
    expect(await lagAround(own, 'mail', queue)).toEqual(LATE)
    await own.close()
    await server.close()
  })

  it('of the bank’s messages', async () => {
    const keep = () => keepMessages(test.deps, [{ eventId: 'e1', objectRef: 't1' }])
    expect(await lagAround(test, 'bank_messages', keep)).toEqual(LATE)
  })

  it('of invoices to be mailed', async () => {
    const own: TestApp = await startTestApp({ liveRail: aLiveBank(() => own.clock.now()) })
    await paid(own, await inLive(own, await aPartner(own), '500.00'))
    own.clock.advance(40 * DAY_MS)
    expect(await lagAround(own, 'invoices', () => issueDueInvoices(own.deps))).toEqual(LATE)
    await own.close()
  })

  it('of refunds to be looked for', async () => {
    const own: BankApp = await startBankApp()
    const partner = await own.aConnectedPartner()
    await createPayout(own, partner, { reference: 'sandbox:fail' })
    const end = async () => {
      for (let round = 0; round < 3; round++) await own.pass(5_000)
    }
    expect(await lagAround(own, 'refunds', end)).toEqual(LATE)
    await own.close()
  })
})

describe('payouts', () => {
  it('are counted by age, by doubt, and by how those of today stand', async () => {
    const partner = await aPartner(test)
    const of = (name: string, labels: Record<string, string>) =>
      figure(test, name, { environment: 'sandbox', ...labels })
    expect(await of('kestrel_payouts_in_doubt', {})).toBe(0)
    await createPayout(test, partner, { reference: 'sandbox:late' })
    await createPayout(test, partner, { reference: 'sandbox:hold' })
    expect(await of('kestrel_payouts_by_age', { status: 'pending', age: 'under_1m' })).toBe(1)
    expect(await of('kestrel_payouts_in_doubt', {})).toBe(1)
    expect(await of('kestrel_payouts_today', { status: 'pending' })).toBe(1)
    expect(await of('kestrel_payouts_today', { status: 'processing' })).toBe(1)
    test.clock.advance(2 * MINUTE_MS)
    expect(await of('kestrel_payouts_by_age', { status: 'pending', age: 'under_1m' })).toBe(0)
    expect(await of('kestrel_payouts_by_age', { status: 'pending', age: '1m_to_15m' })).toBe(1)
    test.clock.advance(25 * 60 * MINUTE_MS)
    expect(await of('kestrel_payouts_by_age', { status: 'processing', age: 'over_1d' })).toBe(1)
    expect(await of('kestrel_payouts_today', { status: 'pending' })).toBeUndefined()
    expect(await of('kestrel_payouts_in_doubt_oldest_timestamp_seconds', {})).toBeLessThan(
      test.clock.now().getTime() / 1_000 - 86_400,
    )
    await test.follow()
    expect(await of('kestrel_payouts_in_doubt', {})).toBe(0)
    expect(await of('kestrel_payouts_in_doubt_oldest_timestamp_seconds', {})).toBe(0)
  })
})

describe('the bank’s answers', () => {
  it('are counted by operation and outcome, without an id', async () => {
    const own = await startBankApp()
    const partner = await own.aConnectedPartner()
    await createPayout(own, partner, {})
    await own.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode: 'reset_after' })
    await createPayout(own, partner, {})
    const counted = (await figures(own)).filter(({ name }) => name === 'kestrel_bank_requests_total')
    const transfers = counted.filter(({ labels }) => labels['operation'] === 'POST /transfers')
    expect(Object.fromEntries(transfers.map(({ labels, value }) => [labels['outcome'], value]))).toEqual({
      ok: 1,
      unknown: 1,
    })
    expect(counted.every(({ labels }) => /^[A-Z]+ \/[a-z_/{}]+$/.test(labels['operation']!))).toBe(true)
    expect(await figure(own, 'kestrel_bank_request_seconds_count', { operation: 'POST /transfers' })).toBe(2)
    await own.follow()
    await own.close()
  })
})

describe('while the tables cannot be read', () => {
  it('no figure of theirs is there, not even the last one, and the process’s own are', async () => {
    expect(await figure(test, 'kestrel_wallets_low')).toBe(0)
    await sql(test, 'alter table payout_follow_ups rename to elsewhere')
    const names = new Set((await figures(test)).map(({ name }) => name))
    await sql(test, 'alter table elsewhere rename to payout_follow_ups')
    expect(
      [...names].filter((name) =>
        /^kestrel_(wallets|mail|payouts_(un|by|in|to|o)|queue|recon|ledger|worker)/.test(name),
      ),
    ).toEqual([])
    expect(names).toContain('kestrel_database_connections')
    expect(await figure(test, 'kestrel_wallets_low')).toBe(0)
  })
})
