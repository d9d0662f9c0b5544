// A sandbox that is put back to its beginning, over the simulated rail and through the bundled bank alike.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { resetBalance } from '../../src/domain/banking/sandbox/reset-balance.ts'
import { listTransfersToCancel } from '../../src/storage/payout-follow-ups.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  balanceOf,
  createPayout,
  get,
  inLive,
  setBalance,
  sql,
} from '../support/fixtures.ts'
import { ask, signedIn } from '../support/sessions.ts'

const START = 10_000_000_000n

let test: TestApp
let partner: TestPartner
let emails = 0
beforeAll(async () => {
  test = await startTestApp()
})
beforeEach(async () => {
  await sql(test, 'delete from allowances')
  partner = await aPartner(test, { email: `reset-${emails++}@thistle.test` })
  await connectWallets(test.deps, 'sandbox')
})
afterAll(() => test.close())

const post = (url: string, payload: object | undefined, { key }: Pick<TestPartner, 'key'> = partner) =>
  test.request({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${key}` },
    ...(payload === undefined ? {} : { payload }),
  })
const reset = (who?: Pick<TestPartner, 'key'>) => post('/v1/sandbox/reset', undefined, who)
const pay = async (reference: string): Promise<string> => (await createPayout(test, partner, { reference })).json().id
const statusOf = async (id: string) => (await get(test, partner, `/v1/payouts/${id}`)).json().status

describe('POST /v1/sandbox/reset', () => {
  it('ends what is under way and brings the balance back, without rewriting anything', async () => {
    const paid = await pay('rent')
    await post(`/v1/sandbox/payouts/${paid}/simulate`, { outcome: 'settle' })
    const waiting = [await pay('sandbox:hold'), await pay('sandbox:hold')]
    const entries = () =>
      sql<{ id: string }>(test, 'select * from ledger_entries where partner_id = $1 order by 1, 2, 3', [partner.id])
    const before = await entries()
    const reply = await reset()
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      { object: 'sandbox_reset', usdc: '10000.00', payouts_cancelled: 2, payouts_under_way: 0 },
    ])
    expect(await Promise.all(waiting.map(statusOf))).toEqual(['cancelled', 'cancelled'])
    expect(await statusOf(paid)).toBe('completed')
    expect(await balanceOf(test, partner)).toBe(START)
    expect(await entries()).toEqual(expect.arrayContaining(before))
    test.clock.advance(60_000)
    await test.follow()
    expect(await balanceOf(test, partner)).toBe(START)
  })

  it('takes out what is too much, and asked twice has the effect of once', async () => {
    await post('/v1/sandbox/top-up', { usdc: '2500.00', source: 'chain' })
    expect(await balanceOf(test, partner)).toBe(START + 2_500_000_000n)
    const movements = async () =>
      (
        await sql<{ count: number }>(
          test,
          `select count(*)::int as count from operator_movements where partner_id = $1 and reference like 'sandbox-reset:%'`,
          [partner.id],
        )
      )[0]!.count
    expect((await reset()).json()).toMatchObject({ usdc: '10000.00' })
    expect([await balanceOf(test, partner), await movements()]).toEqual([START, 1])
    expect((await reset()).statusCode).toBe(200)
    expect([await balanceOf(test, partner), await movements()]).toEqual([START, 1])
    expect((await createPayout(test, partner)).statusCode).toBe(201)
  })

  it('is the same however many ask at once, while payouts are made', async () => {
    for (let count = 0; count < 4; count++) await pay('sandbox:hold')
    const replies = await Promise.all([
      reset(),
      createPayout(test, partner),
      reset(),
      createPayout(test, partner),
      reset(),
    ])
    expect(replies.map(({ statusCode }) => statusCode).filter((status) => ![200, 201, 503].includes(status))).toEqual(
      [],
    )
    expect((await reset()).statusCode).toBe(200)
    test.clock.advance(60_000)
    await test.follow()
    expect((await reset()).statusCode).toBe(200)
    expect(await balanceOf(test, partner)).toBe(START)
  })

  it('ends a pause, and what was paid counts against no limit; the limits stay', async () => {
    const admin = await signedIn(test, partner)
    const limits = { daily_gbp: '30.00', monthly_gbp: '40.00' }
    await ask(test, admin, { method: 'PATCH', url: `/v1/keys/${partner.keyId}`, payload: limits })
    await pay('sandbox:hold')
    const done = await pay('rent')
    expect(done).toBeUndefined()
    await post('/v1/payouts/pause', undefined)
    expect((await reset()).statusCode).toBe(200)
    const [key] = (await get(test, partner, '/v1/keys')).json().data
    expect(key).toMatchObject({ ...limits, spent_today_gbp: '0.00', spent_this_month_gbp: '0.00' })
    const paid = await pay('rent')
    await post(`/v1/sandbox/payouts/${paid}/simulate`, { outcome: 'settle' })
    expect((await createPayout(test, partner)).json().error.details).toMatchObject({ used_gbp: '25.00' })
    await reset()
    expect((await createPayout(test, partner)).statusCode).toBe(201)
  })

  it('leaves a payout that the bank has not confirmed, says so, and its money comes on top', async () => {
    const id = await pay('sandbox:late')
    expect(await statusOf(id)).toBe('pending')
    expect((await reset()).json()).toMatchObject({ usdc: '10000.00', payouts_cancelled: 0, payouts_under_way: 1 })
    expect(await balanceOf(test, partner)).toBe(START)
  })

  it('ends payouts that are under way, and those that have arrived do not take their place', async () => {
    const arrived = await pay('rent')
    await post(`/v1/sandbox/payouts/${arrived}/simulate`, { outcome: 'settle' })
    await sql(
      test,
      `insert into payout_follow_ups (partner_id, environment, payout_id, created_at, next_check_at)
       select partner_id, environment, id, created_at, $3 from payouts where partner_id = $1 and id = $2
       on conflict do nothing`,
      [partner.id, arrived, new Date(test.clock.now().getTime() + 3_600_000)],
    )
    const waiting = await pay('sandbox:hold')
    const scope = { partnerId: partner.id, environment: 'sandbox' } as const
    // With room for one alone: the one that has arrived is older, and followed still, as one is that will come back.
    expect(await listTransfersToCancel(test.deps.db, scope, 1)).toMatchObject([{ id: waiting }])
    expect((await reset()).json()).toMatchObject({ payouts_cancelled: 1, payouts_under_way: 0 })
  })

  it('counts what was paid since, also when a payout from before fails afterwards', async () => {
    const admin = await signedIn(test, partner)
    await ask(test, admin, { method: 'PATCH', url: `/v1/keys/${partner.keyId}`, payload: { daily_gbp: '30.00' } })
    const before = await pay('sandbox:hold')
    // As where the bank has not confirmed it: the reset leaves it.
    await resetBalance(test.deps, { partnerId: partner.id, environment: 'sandbox' })
    test.clock.advance(1)
    expect((await createPayout(test, partner, { amount_gbp: '5.00' })).statusCode).toBe(201)
    const failed = await post(`/v1/sandbox/payouts/${before}/simulate`, { outcome: 'fail' })
    expect(failed.json().status).toBe('failed')
    expect((await get(test, partner, '/v1/keys')).json().data).toMatchObject([{ spent_today_gbp: '5.00' }])
    expect((await createPayout(test, partner)).statusCode).toBe(201)
    expect((await createPayout(test, partner)).json().error.details).toMatchObject({ used_gbp: '30.00' })
  })

  it('is for sandbox keys with the scope, and for admins; live has no such address', async () => {
    const live = await inLive(test, partner, '500.00')
    const [admin, viewer] = [await signedIn(test, partner), await signedIn(test, partner, { role: 'viewer' })]
    const make = { environment: 'sandbox', scopes: ['read', 'pay'] }
    const narrow = { key: (await ask(test, admin, { method: 'POST', url: '/v1/keys', payload: make })).json().secret }
    const by = (member: typeof admin, query = '') =>
      ask(test, member, { method: 'POST', url: `/v1/sandbox/reset${query}` })
    expect((await reset(live)).statusCode).toBe(404)
    expect((await by(admin, '?environment=live')).statusCode).toBe(404)
    expect((await reset(narrow)).json().error.code).toBe('scope_missing')
    expect((await by(viewer)).statusCode).toBe(403)
    expect((await by(admin)).statusCode).toBe(200)
    expect(await balanceOf(test, live)).toBe(500_000_000n)
    const [entry] = (await get(test, partner, '/v1/activity?limit=1&only=changes')).json().data
    expect(entry).toMatchObject({ action: 'sandbox.reset', by: admin.email, status: 200 })
  })

  it('ends what a process had begun and not ended', async () => {
    const reference = 'sandbox-reset:019a8a00-0000-7000-8000-00000000000a'
    await setBalance(test, partner, '9000.00')
    await sql(
      test,
      `insert into operator_movements (partner_id, environment, reference, kind, amount_micro, reason, at)
       select $1, 'sandbox', $2, 'credit', 1000000000, 'The sandbox was reset', $3
        where exists (select 1 from wallets where partner_id = $1 and environment = 'sandbox' and rail <> 'simulated')`,
      [partner.id, reference, test.clock.now()],
    )
    expect((await reset()).statusCode).toBe(200)
    expect(await balanceOf(test, partner)).toBe(START)
    expect(
      await sql(test, 'select 1 from operator_movements where settled_at is null and partner_id = $1', [partner.id]),
    ).toEqual([])
  })

  it('is 429 after many in a row', async () => {
    for (let count = 0; count < 10; count++) expect((await reset()).statusCode).toBe(200)
    const reply = await reset()
    expect([reply.statusCode, reply.json().error.code]).toEqual([429, 'rate_limited'])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  })
})
