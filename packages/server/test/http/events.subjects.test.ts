// Events about anything but payouts: keys, deposits, the balance, invoices and verification.
import type { Event, EventList } from '@kestrel/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { newId } from '../../src/core/ids.ts'
import { parseMonth } from '../../src/core/london-month.ts'
import { parseUsdc } from '../../src/core/money.ts'
import { createKey } from '../../src/domain/api-keys/create-key.ts'
import { revokeKey } from '../../src/domain/api-keys/revoke-key.ts'
import { creditDeposit } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { vouchForPartner } from '../../src/domain/banking/verification/vouch-for-partner.ts'
import { issueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { markInvoicePaid, markInvoiceVoid } from '../../src/domain/billing/settle-invoice.ts'
import { tellOfOverdue } from '../../src/domain/billing/tell-of-overdue.ts'
import { forgetOldEvents } from '../../src/domain/events/forget-old-events.ts'
import { warnOfLowBalances } from '../../src/domain/notices/warn-of-low-balance.ts'
import { findPartner } from '../../src/domain/partners/find-partner.ts'
import { aLiveBank } from '../billing/live-bank.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, inLive, setBalance, sql } from '../support/fixtures.ts'
import { signedIn } from '../support/sessions.ts'

let test: TestApp
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  test = await startTestApp({ liveRail: aLiveBank(() => test.clock.now()) })
})
afterAll(async () => {
  await test.close()
  vi.useRealTimers()
})

/** The newest first. */
async function events(by: Pick<TestPartner, 'key'>, query: string): Promise<Event[]> {
  const reply = await get(test, by, `/v1/events?${query}`)
  expect(reply.statusCode).toBe(200)
  return reply.json<EventList>().data
}

describe('the events of an API key', () => {
  it('tell that it was created, rotated and revoked, each as the list of keys showed it then', async () => {
    const partner = await aPartner(test)
    const wanted = { partner: await findPartner(test.deps, partner.slug), environment: 'sandbox', label: 'a' } as const
    const { id } = await createKey(test.deps, wanted)
    const admin = await signedIn(test, partner)
    const listed = async (wantedId: string) =>
      (await test.request({ url: '/v1/keys', headers: { cookie: admin.cookie } }))
        .json<{ data: { id: string }[] }>()
        .data.find((key) => key.id === wantedId)
    const then = [await listed(id)]
    const headers = { cookie: admin.cookie, origin: 'http://localhost:3000' }
    const limits = {
      daily_gbp: '100.00',
      max_per_payout_gbp: '40.00',
      scopes: ['read', 'pay'],
      allowed_ips: ['127.0.0.0/8'],
    }
    await test.request({ method: 'PATCH', url: `/v1/keys/${id}`, headers, payload: limits })
    then.push(await listed(id))
    expect(then.at(-1)).toMatchObject({ ...limits, spent_today_gbp: '0.00' })
    const rotated = await test.request({
      method: 'POST',
      url: `/v1/keys/${id}/rotate`,
      headers,
      payload: { grace_seconds: 3600 },
    })
    then.push(await listed(id))
    await revokeKey(test.deps, id)
    await revokeKey(test.deps, id)
    then.push(await listed(id))
    const told = (await events(partner, `subject=${id}`)).toReversed()
    expect(told.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['api_key.created', 1],
      ['api_key.changed', 2],
      ['api_key.rotated', 3],
      ['api_key.revoked', 4],
    ])
    expect(told.map(({ data }) => data)).toEqual(then)
    expect(told[0]!.subject).toEqual({ object: 'api_key', id })
    const made = await events(partner, `subject=${rotated.json().id}&type=api_key.created`)
    expect(made).toHaveLength(1)
    expect(JSON.stringify([told, made])).not.toContain(rotated.json().secret)
  })
})

describe('the event of a deposit', () => {
  it('is written with its credit, once, under the id that the bank gave it', async () => {
    const partner = await aPartner(test)
    const scope = { partnerId: partner.id, environment: 'sandbox' } as const
    const deposit = {
      depositRef: `dep_${newId(test.clock.now())}`,
      source: 'bank',
      amount: parseUsdc('12.34')!,
      holderRef: 'x',
      receivedAt: test.clock.now(),
      updatedAt: test.clock.now(),
    } as const
    const credit = () => test.deps.db.inTransaction((tx) => creditDeposit(test.deps, tx, scope, deposit))
    await Promise.all([credit(), credit()])
    const told = await events(partner, 'type=deposit.received')
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ sequence: 1, subject: { object: 'deposit', id: deposit.depositRef } })
    expect(told[0]!.data).toEqual((await get(test, partner, '/v1/funding')).json().deposits[0])
    expect(await events(partner, `subject=${deposit.depositRef}`)).toEqual(told)
    const failed = test.deps.db.inTransaction(async (tx) => {
      await creditDeposit(test.deps, tx, scope, { ...deposit, depositRef: 'dep_rolled_back' })
      throw new Error('after all not')
    })
    await expect(failed).rejects.toThrow('after all not')
    expect(await events(partner, 'type=deposit.received')).toEqual(told)
  })
})

describe('the events of the balance', () => {
  it('tell that it fell below the threshold and that it has risen, each once', async () => {
    const live = await inLive(test, await aPartner(test), '100.00')
    await sql(test, `update partners set low_balance_micro = 50000000, verified_at = now() where id = $1`, [live.id])
    await setBalance(test, live, '20.00')
    for (let round = 0; round < 2; round++) await warnOfLowBalances(test.deps)
    await setBalance(test, live, '70.00')
    for (let round = 0; round < 2; round++) await warnOfLowBalances(test.deps)
    await setBalance(test, live, '20.00')
    await warnOfLowBalances(test.deps)
    await sql(test, `update partners set low_balance_micro = null where id = $1`, [live.id])
    await warnOfLowBalances(test.deps)
    const told = (await events(live, 'type=balance.low,balance.recovered')).toReversed()
    expect(told.map(({ type, data }) => [type, data['usdc'], data['low_balance_usdc']])).toEqual([
      ['balance.low', '20.00', '50.00'],
      ['balance.recovered', '70.00', '50.00'],
      ['balance.low', '20.00', '50.00'],
    ])
    expect(told[0]!.subject).toEqual({ object: 'account', id: live.id })
  })
})

describe('the events of verification', () => {
  it('are told in both environments', async () => {
    const partner = await aPartner(test)
    await vouchForPartner(test.deps, partner.slug, null)
    const live = await inLive(test, partner)
    for (const by of [partner, live]) {
      const [told] = await events(by, 'type=verification.changed')
      expect(told!.data).toMatchObject({ object: 'compliance', business_verification: { status: 'approved' } })
    }
  })
})

describe('the events of an invoice', () => {
  it('tell that it was issued, is overdue, and was paid or made void, each as it was then', async () => {
    test.clock.set('2027-02-10T12:00:00Z')
    const [one, other] = [
      await inLive(test, await aPartner(test), '900.00'),
      await inLive(test, await aPartner(test), '900.00'),
    ]
    for (const live of [one, other]) {
      await sql(test, `update partners set verified_at = $2 where id = $1`, [live.id, test.clock.now()])
      await createPayout(test, live)
    }
    test.clock.advance(60_000)
    await test.follow()
    test.clock.set('2027-03-01T06:00:00Z')
    const issued = await issueInvoices(test.deps, parseMonth('2027-02')!)
    const invoiceOf = ({ slug }: TestPartner) => issued.find((invoice) => invoice.slug === slug)!
    const then: unknown[] = []
    const look = async () =>
      then.push({ ...(await get(test, one, `/v1/invoices/${invoiceOf(one).id}`)).json<object>(), how_to_pay: null })
    await look()
    test.clock.set('2027-04-20T06:00:00Z')
    await Promise.all([tellOfOverdue(test.deps), tellOfOverdue(test.deps)])
    await look()
    await markInvoicePaid(test.deps, invoiceOf(one).number, test.clock.now())
    await look()
    await markInvoiceVoid(test.deps, invoiceOf(other).number, 'a mistake')
    await tellOfOverdue(test.deps)
    const told = (await events(one, `subject=${invoiceOf(one).id}`)).toReversed()
    expect(told.map(({ type }) => type)).toEqual(['invoice.issued', 'invoice.overdue', 'invoice.paid'])
    expect(told.map(({ data }) => data)).toEqual(then)
    const ended = (await events(other, `subject=${invoiceOf(other).id}`)).toReversed()
    expect(ended.map(({ type }) => type)).toEqual(['invoice.issued', 'invoice.overdue', 'invoice.void'])
  })
})

describe('events of more than 90 days ago', () => {
  it('are deleted, but for the newest of a wallet and of a subject that may have more', async () => {
    const partner = await aPartner(test)
    await createPayout(test, partner)
    const count = async () =>
      (
        await sql<{ type: string }>(test, 'select type from events where partner_id = $1 order by position', [
          partner.id,
        ])
      )
        .map(({ type }) => type)
        .filter((type) => !type.startsWith('verification'))
    test.clock.advance(91 * 86_400_000)
    while (await forgetOldEvents(test.deps));
    expect(await count()).toEqual(['api_key.created', 'payout.processing'])
    await createPayout(test, partner)
    while (await forgetOldEvents(test.deps));
    expect(await count()).toEqual(['api_key.created', 'payout.created', 'payout.processing'])
    await revokeKey(test.deps, partner.keyId)
    const rows = await sql<{ sequence: number; position: bigint }>(
      test,
      `select sequence, position from events where partner_id = $1 and type = 'api_key.revoked'`,
      [partner.id],
    )
    expect(rows).toEqual([{ sequence: 2, position: 6n }])
  })
})
