// What a program can do in its sandbox with its own key: choose how payouts end, and why, and top up. Over the simulated
// rail and through the bundled bank alike.
import { SIMULATED_REASONS } from '@kestrel/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, balanceOf, createPayout, get, inLive } from '../support/fixtures.ts'
import { ask, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
})
beforeEach(async () => {
  partner = await aPartner(test, { email: `finance-${emails++}@thistle.test` })
  await connectWallets(test.deps, 'sandbox')
})
afterAll(() => test.close())

let emails = 0

const post = (url: string, payload: object, { key }: Pick<TestPartner, 'key'> = partner) =>
  test.request({ method: 'POST', url, headers: { authorization: `Bearer ${key}` }, payload })

const simulate = (id: string, payload: object, who?: TestPartner) =>
  post(`/v1/sandbox/payouts/${id}/simulate`, payload, who)

const pay = async (body: Parameters<typeof createPayout>[2] = {}): Promise<string> =>
  (await createPayout(test, partner, { reference: 'sandbox:hold', ...body })).json().id

describe('POST /v1/sandbox/payouts/{id}/simulate, by key', () => {
  it.each([
    ['settle', 'completed'],
    ['return', 'returned'],
    ['fail', 'failed'],
    ['cancel', 'cancelled'],
  ])('%s makes a payout %s, for good, and the money is where it belongs', async (outcome, status) => {
    const before = await balanceOf(test, partner)
    const id = await pay({ reference: outcome === 'settle' ? 'sandbox:return' : 'sandbox:hold' })
    const reply = await simulate(id, { outcome })
    expect([reply.statusCode, reply.json().status]).toEqual([200, status])
    test.clock.advance(60_000)
    await test.follow()
    expect((await get(test, partner, `/v1/payouts/${id}`)).json()).toEqual(reply.json())
    expect(await balanceOf(test, partner)).toBe(before - (status === 'completed' ? 32_070_000n : 0n))
  })

  it.each(SIMULATED_REASONS.flatMap((reason) => [['fail', reason] as const, ['return', reason] as const]))(
    '%s with the reason %s gives that failure_code',
    async (outcome, reason) => {
      const reply = await simulate(await pay(), { outcome, reason })
      expect([reply.statusCode, reply.json().failure_code]).toEqual([200, reason])
    },
  )

  it('returns one that has arrived, with the reason asked for', async () => {
    const id = await pay()
    await simulate(id, { outcome: 'settle' })
    const reply = await simulate(id, { outcome: 'return', reason: 'name_mismatch' })
    expect(reply.json()).toMatchObject({ status: 'returned', failure_code: 'name_mismatch', retry: 'after_fix' })
  })

  it.each([
    [
      { outcome: 'fail', reason: 'cancelled' },
      'reason (with fail or return, a failure_code other than cancelled and invalid_recipient)',
    ],
    [
      { outcome: 'fail', reason: 'bad_weather' },
      'reason (with fail or return, a failure_code other than cancelled and invalid_recipient)',
    ],
    [{ outcome: 'settle', reason: 'account_closed' }, 'reason (only with fail or return)'],
    [{ outcome: 'cancel', reason: 'other' }, 'reason (only with fail or return)'],
  ])('is 422 for %j, and nothing has changed', async (payload, field) => {
    const id = await pay()
    const before = (await get(test, partner, `/v1/payouts/${id}`)).json()
    const reply = await simulate(id, payload)
    expect([reply.statusCode, reply.json().error.details]).toMatchObject([422, { fields: [field] }])
    expect((await get(test, partner, `/v1/payouts/${id}`)).json()).toEqual(before)
  })

  it('is 409 for one that is at rest, and for one that the bank has not confirmed', async () => {
    const id = await pay()
    await simulate(id, { outcome: 'fail', reason: 'account_closed' })
    const late = await pay({ reference: 'sandbox:late' })
    for (const each of [id, late]) {
      const reply = await simulate(each, { outcome: 'fail', reason: 'account_moved' })
      expect([reply.statusCode, reply.json().error.code]).toEqual([409, 'simulation_unavailable'])
    }
  })

  it('moves the money once when a key is told twice at once', async () => {
    const before = await balanceOf(test, partner)
    const id = await pay()
    const replies = await Promise.all(['fail', 'return', 'fail'].map((outcome) => simulate(id, { outcome })))
    expect(replies.map(({ statusCode }) => statusCode)).toContain(200)
    expect(replies.filter(({ statusCode }) => statusCode !== 200 && statusCode !== 409)).toEqual([])
    expect(await balanceOf(test, partner)).toBe(before)
  })

  it('gives the same 404 for another’s payout, an unknown one, and to a live key', async () => {
    const id = await pay()
    const other = await aPartner(test, { email: `other-${emails++}@thistle.test` })
    const live = await inLive(test, partner)
    const replies = [
      await simulate(id, { outcome: 'settle' }, other),
      await simulate('019a8a00-0000-7000-8000-000000000000', { outcome: 'settle' }),
      await simulate(id, { outcome: 'settle' }, live),
      await post('/v1/sandbox/top-up', { usdc: '5.00', source: 'bank' }, live),
      await ask(test, await signedIn(test, partner), {
        method: 'POST',
        url: '/v1/sandbox/top-up?environment=live',
        payload: { usdc: '5.00', source: 'bank' },
      }),
    ]
    const said = replies.map((reply) => [reply.statusCode, reply.json().error.message])
    expect(new Set(said.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(said[0]![0]).toBe(404)
    expect(await balanceOf(test, live)).toBe(0n)
    expect((await get(test, partner, `/v1/payouts/${id}`)).json().status).toBe('processing')
  })
})

describe('POST /v1/sandbox/top-up, by key', () => {
  it('is in the wallet, of nobody else, and in activity', async () => {
    const other = await aPartner(test, { email: `other-${emails++}@thistle.test` })
    const before = [await balanceOf(test, partner), await balanceOf(test, other)] as const
    const reply = await post('/v1/sandbox/top-up', { usdc: '500.00', source: 'chain' })
    expect([reply.statusCode, reply.json()]).toEqual([202, { object: 'top_up', usdc: '500.00', source: 'chain' }])
    expect([await balanceOf(test, partner), await balanceOf(test, other)]).toEqual([
      before[0] + 500_000_000n,
      before[1],
    ])
    const [entry] = (await get(test, partner, '/v1/activity?limit=1&only=changes')).json().data
    expect(entry).toMatchObject({ action: 'wallet.top_up', status: 202 })
  })

  it.each(['0.99', '100000.01', '5'])('refuses %s USDC, and nothing has moved', async (usdc) => {
    const before = await balanceOf(test, partner)
    expect((await post('/v1/sandbox/top-up', { usdc, source: 'bank' })).statusCode).toBe(422)
    expect(await balanceOf(test, partner)).toBe(before)
  })
})

describe('POST /v1/sandbox/advance', () => {
  const advance = (seconds: unknown, who?: TestPartner) => post('/v1/sandbox/advance', { seconds }, who)
  const made = async (reference: string): Promise<string> =>
    (await createPayout(test, partner, { reference })).json().id
  const statusOf = async (id: string, who = partner) => (await get(test, who, `/v1/payouts/${id}`)).json().status

  it('plays the waiting stories to their end at once, and the money is where it belongs', async () => {
    const before = await balanceOf(test, partner)
    const ids = [
      await made('rent'),
      await made('sandbox:return'),
      await made('sandbox:fail'),
      await made('sandbox:cancel'),
    ]
    const held = await made('sandbox:hold')
    const reply = await advance(60)
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      { object: 'advance', seconds: 60, payouts: expect.any(Number) },
    ])
    expect(reply.json().payouts).toBeGreaterThanOrEqual(4)
    expect(await Promise.all(ids.map((id) => statusOf(id)))).toEqual(['completed', 'returned', 'failed', 'cancelled'])
    expect(await statusOf(held)).toBe('processing')
    expect(await balanceOf(test, partner)).toBe(before - 2n * 32_070_000n)
    const kinds = (await get(test, partner, `/v1/payouts/${ids[1]}/timeline`)).json().data as { kind: string }[]
    expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['returned', 'refunded']))
    expect((await advance(60)).statusCode).toBe(200)
    expect(await statusOf(ids[0]!)).toBe('completed')
  })

  it('moves nobody else’s time, and not live’s', async () => {
    const other = await aPartner(test, { email: `other-${emails++}@thistle.test` })
    await connectWallets(test.deps, 'sandbox')
    const { id } = (await createPayout(test, other, { reference: 'sandbox:return' })).json()
    await advance(3_600)
    expect(await statusOf(id, other)).toBe('processing')
    expect((await advance(60, await inLive(test, partner))).statusCode).toBe(404)
  })

  it('changes nothing twice when it is asked for twice while the worker follows', async () => {
    const before = await balanceOf(test, partner)
    const ids = await Promise.all(['sandbox:return', 'sandbox:fail', 'rent'].map(made))
    const replies = await Promise.all([advance(60), test.follow(), advance(60), test.follow(), advance(3_600)])
    expect(replies.flatMap((each) => (each === undefined ? [] : [each.statusCode]))).toEqual([200, 200, 200])
    await test.follow()
    expect(await Promise.all(ids.map((id) => statusOf(id)))).toEqual(['returned', 'failed', 'completed'])
    expect(await balanceOf(test, partner)).toBe(before - 32_070_000n)
  })

  it.each([0, -1, 1.5, 2_678_401, '60', null])('refuses %j seconds', async (seconds) => {
    const reply = await advance(seconds)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.details).toMatchObject({ fields: ['seconds (a whole number from 1 to 2678400)'] })
  })
})
