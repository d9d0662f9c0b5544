// A sandbox payout is told how to end at the very moment at which something else ends it. One of the two is first, under the
// payout's lock; the other changes nothing.
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { resolvePayout } from '../../src/domain/banking/operator/resolve-payout.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { refreshPayout } from '../../src/domain/payouts/follow/refresh-payout.ts'
import { type Owner, ownerOf } from '../storage/owner.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, sql } from '../support/fixtures.ts'
import { stopTheClock } from './stopped-clock.ts'
import { untilWaiting } from './waiting.ts'
import { FLOAT, SENDS, UNTOUCHED, walletOf } from './wallet.ts'

const SETTLES_MS = 2_000

let test: TestApp
let owner: Owner
let onlooker: Owner
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp({ banks: { sandbox: null, live: null } })
  stopTheClock(test)
  owner = await ownerOf(test.database.url)
  onlooker = await ownerOf(test.database.url)
})
beforeEach(async () => {
  partner = await aPartner(test)
})
afterAll(async () => {
  await onlooker.end()
  await owner.end()
  await test.close()
})

const pay = async (reference = 'rent'): Promise<string> =>
  (await createPayout(test, partner, { reference })).json<{ id: string }>().id

const post = (url: string, payload?: object): Promise<LightMyRequestResponse> =>
  test.request({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${partner.key}` },
    ...(payload === undefined ? {} : { payload }),
  })
const simulate = (id: string, payload: object) => post(`/v1/sandbox/payouts/${id}/simulate`, payload)
const follow = () => followPayouts(test.deps)

const STANDING = `select p.status, p.refund_state, p.provider_state, p.provider_reason, p.failure_reason,
    p.completed_at is not null as has_arrived, p.ended_at is not null as has_ended,
    array(select e.type from events e where e.partner_id = p.partner_id and e.subject_id = p.id order by e.sequence) as events,
    array(select l.kind || ' ' || l.amount from ledger_entries l where l.partner_id = p.partner_id and l.cause = p.id
           order by l.kind) as entries,
    (select count(*)::int from payout_follow_ups f where f.partner_id = p.partner_id and f.payout_id = p.id) as followed,
    array(select t.cause from told_alarms t where t.partner_id = p.partner_id and t.about = p.id::text) as alarms
  from payouts p where p.partner_id = $1 and p.id = $2`

/** How a payout is, and what has come of it, in the books, the events and the alarms. */
async function standing(id: string): Promise<object> {
  const [row] = await sql<object>(test, STANDING, [partner.id, id])
  return row!
}

/** Both have seen the payout as it was and wait for its row; the first of them gets it first. */
async function atOnce<A, B>(id: string, first: () => Promise<A>, then: () => Promise<B>): Promise<[A, B]> {
  const both = await owner.rolledBack(async () => {
    await owner.query('select 1 from payouts where partner_id = $1 and id = $2 for no key update', [partner.id, id])
    const one = first()
    await untilWaiting(onlooker, 1)
    const other = then()
    await untilWaiting(onlooker, 2)
    return [one, other] as const
  })
  return Promise.all(both)
}

/** How a payout is that came to the same point with nobody interfering. */
async function undisturbed(reference?: string): Promise<object> {
  const id = await pay(reference)
  test.clock.advance(SETTLES_MS)
  await follow()
  return standing(id)
}

const ENDED = { refund_state: 'done', followed: 0, alarms: [] }

const told = ({ outcome }: { outcome: string }) => (outcome === 'cancel' ? 'told_cancelled' : 'told_undeliverable')

const ENDINGS = [
  { payload: { outcome: 'cancel' }, status: 'cancelled' },
  { payload: { outcome: 'fail' }, status: 'failed' },
  { payload: { outcome: 'fail', reason: 'account_closed' }, status: 'failed' },
]

describe('a payout that settles while it is told to end otherwise', () => {
  it.each(ENDINGS)('stays completed if it was first: $payload is 409 and changes nothing', async ({ payload }) => {
    const alone = await undisturbed()
    const id = await pay()
    test.clock.advance(SETTLES_MS)
    const [, reply] = await atOnce(id, follow, () => simulate(id, payload))
    expect([reply.statusCode, reply.json()]).toMatchObject([
      409,
      { error: { code: 'simulation_unavailable', details: { status: 'completed' } } },
    ])
    expect(await standing(id)).toEqual(alone)
    expect(alone).toMatchObject({ status: 'completed', refund_state: 'none', followed: 0, alarms: [] })
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - 2n * SENDS, paid_out: 2n * SENDS })
  })

  it.each(ENDINGS)('ends as it was told if that was first: $payload', async ({ payload, status }) => {
    const id = await pay()
    test.clock.advance(SETTLES_MS)
    const [reply] = await atOnce(id, () => simulate(id, payload), follow)
    expect([reply.statusCode, reply.json()]).toMatchObject([200, { status, refunded_at: expect.any(String) }])
    const ended = await standing(id)
    expect(ended).toMatchObject({ ...ENDED, status, has_arrived: false })
    expect(await walletOf(test, partner)).toEqual(UNTOUCHED)
    test.clock.advance(60_000)
    await follow()
    expect(await standing(id)).toEqual(ended)
  })
})

describe('a payout that settles while its sandbox is reset', () => {
  const reset = () => post('/v1/sandbox/reset')

  it('stays completed if it was first, and is not counted as cancelled', async () => {
    const alone = await undisturbed()
    const id = await pay()
    test.clock.advance(SETTLES_MS)
    const [, reply] = await atOnce(id, follow, reset)
    expect([reply.statusCode, reply.json()]).toMatchObject([
      200,
      { usdc: '10000.00', payouts_cancelled: 0, payouts_under_way: 0 },
    ])
    expect(await standing(id)).toEqual(alone)
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, paid_out: 2n * SENDS })
  })

  it('is cancelled if the reset was first', async () => {
    const id = await pay()
    test.clock.advance(SETTLES_MS)
    const [reply] = await atOnce(id, reset, follow)
    expect([reply.statusCode, reply.json()]).toMatchObject([200, { payouts_cancelled: 1, payouts_under_way: 0 }])
    expect(await standing(id)).toMatchObject({ ...ENDED, status: 'cancelled', has_arrived: false })
    expect(await walletOf(test, partner)).toEqual(UNTOUCHED)
  })
})

describe('a payout that ends by itself while it is told how to', () => {
  it.each([
    { story: 'fail', payload: { outcome: 'cancel' }, status: 'failed' },
    { story: 'fail', payload: { outcome: 'settle' }, status: 'failed' },
    { story: 'cancel', payload: { outcome: 'settle' }, status: 'cancelled' },
    { story: 'cancel', payload: { outcome: 'return' }, status: 'cancelled' },
  ])('by $story stays $status: $payload is 409 and changes nothing', async ({ story, payload, status }) => {
    const alone = await undisturbed(`sandbox:${story}`)
    const id = await pay(`sandbox:${story}`)
    test.clock.advance(SETTLES_MS)
    const [, reply] = await atOnce(id, follow, () => simulate(id, payload))
    expect(reply.statusCode).toBe(409)
    expect(await standing(id)).toEqual(alone)
    expect(alone).toMatchObject({ status, alarms: [] })
    test.clock.advance(SETTLES_MS)
    await follow()
    expect(await standing(id)).toMatchObject({ ...ENDED, status })
    expect(await walletOf(test, partner)).toEqual(UNTOUCHED)
  })

  it('has its money at once when it has come back and is told to, and the bank contradicts nothing', async () => {
    const id = await pay('sandbox:return')
    for (let step = 0; step < 2; step++) {
      test.clock.advance(SETTLES_MS)
      await follow()
    }
    expect(await standing(id)).toMatchObject({ status: 'returned', refund_state: 'due' })
    expect((await simulate(id, { outcome: 'return' })).statusCode).toBe(200)
    expect(await standing(id)).toMatchObject({ ...ENDED, status: 'returned' })
    expect(await walletOf(test, partner)).toEqual(UNTOUCHED)
  })
})

describe('a payout whose time is let pass', () => {
  const advance = () => post('/v1/sandbox/advance', { seconds: 60 })

  it.each(ENDINGS)('while it is told to end otherwise stays as it was told: $payload', async ({ payload, status }) => {
    const id = await pay()
    const [reply, passed] = await atOnce(id, () => simulate(id, payload), advance)
    expect([reply.statusCode, passed.statusCode]).toEqual([200, 200])
    expect(await standing(id)).toMatchObject({ ...ENDED, status, has_arrived: false, provider_state: told(payload) })
    expect(await walletOf(test, partner)).toEqual(UNTOUCHED)
  })
})

describe('a payout that was told how to end', () => {
  const CHOSEN = [
    ...ENDINGS.map(({ payload, status }) => ({ story: 'settle', payload, status })),
    { story: 'settle', payload: { outcome: 'settle' }, status: 'completed' },
    { story: 'hold', payload: { outcome: 'settle' }, status: 'completed' },
    { story: 'return', payload: { outcome: 'settle' }, status: 'completed' },
    { story: 'fail', payload: { outcome: 'return' }, status: 'returned' },
  ]
  const refresh = (id: string) => refreshPayout(test.deps, id)
  const resolve = (id: string) => resolvePayout(test.deps, id, { ending: null, transferRef: null, reason: 'a look' })

  describe.each([
    { by: 'refresh', readAnew: refresh },
    { by: 'resolve', readAnew: resolve },
  ])('and that the operator reads anew by $by', ({ readAnew }) => {
    it.each(CHOSEN)(
      'stays $status, and nobody is told: $payload of sandbox:$story',
      async ({ story, payload, status }) => {
        const id = await pay(`sandbox:${story}`)
        expect((await simulate(id, payload)).statusCode).toBe(200)
        const ended = await standing(id)
        expect(ended).toMatchObject({ status, followed: 0, alarms: [] })
        // While its story would not have ended, when it would have, and long after.
        for (const later of [0, SETTLES_MS, 60_000]) {
          test.clock.advance(later)
          await readAnew(id)
          expect(await standing(id)).toEqual(ended)
        }
      },
    )
  })

  it.each(ENDINGS)('while the operator reads it anew stays as it was told: $payload', async ({ payload, status }) => {
    const id = await pay()
    test.clock.advance(SETTLES_MS)
    const [reply] = await atOnce(
      id,
      () => simulate(id, payload),
      () => refresh(id),
    )
    expect(reply.statusCode).toBe(200)
    expect(await standing(id)).toMatchObject({ ...ENDED, status, has_arrived: false, provider_state: told(payload) })
    expect(await walletOf(test, partner)).toEqual(UNTOUCHED)
  })

  it('by letting time pass is read anew before its time would have come, and nobody is told', async () => {
    const id = await pay()
    expect((await post('/v1/sandbox/advance', { seconds: 60 })).statusCode).toBe(200)
    const ended = await standing(id)
    expect(ended).toMatchObject({ status: 'completed', followed: 0, alarms: [] })
    await refresh(id)
    expect(await standing(id)).toEqual(ended)
  })

  it('by a reset is read anew after its story would have ended, and nobody is told', async () => {
    const id = await pay()
    expect((await post('/v1/sandbox/reset')).json()).toMatchObject({ payouts_cancelled: 1 })
    const ended = await standing(id)
    test.clock.advance(60_000)
    await refresh(id)
    expect(await standing(id)).toEqual(ended)
    expect(ended).toMatchObject({ ...ENDED, status: 'cancelled' })
  })
})

describe('a payout that nobody told anything', () => {
  it('is brought to its end by the operator who reads it anew', async () => {
    const id = await pay('sandbox:return')
    const seen: unknown[] = []
    for (let step = 0; step < 3; step++) {
      test.clock.advance(SETTLES_MS)
      await refreshPayout(test.deps, id)
      seen.push(await standing(id))
    }
    expect(seen).toMatchObject([
      { status: 'completed' },
      { status: 'returned', refund_state: 'due' },
      { ...ENDED, status: 'returned' },
    ])
    expect(await walletOf(test, partner)).toEqual(UNTOUCHED)
  })
})
