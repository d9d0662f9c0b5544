// Many workers look at the same payouts at the same moment: each effect happens once.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { newId } from '../../src/core/ids.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { recordOutcomes } from '../../src/domain/payouts/record/record-outcomes.ts'
import { claimDuePayouts } from '../../src/storage/payout-follow-ups.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, anIdempotencyKey, get } from '../support/fixtures.ts'
import { type Instance, type WatchedRail, anotherInstance, firstInstance, tally, watchedRail } from './instances.ts'
import { FLOAT, SENDS, UNTOUCHED, entriesOf, walletOf } from './wallet.ts'
import { stopTheClock } from './stopped-clock.ts'
import { unhurried } from './unhurried.ts'

let test: TestApp
let second: Instance
let rail: WatchedRail
let partner: TestPartner
beforeAll(async () => {
  rail = watchedRail({ now: () => test.clock.now() })
  test = await startTestApp({ rail })
  stopTheClock(test)
  second = await anotherInstance(test)
})
beforeEach(async () => {
  rail.asked.length = 0
  partner = await aPartner(test)
})
afterAll(async () => {
  await second.close()
  await test.close()
})

const COUNT = 30
const N = BigInt(COUNT)

async function payouts(reference: string): Promise<string[]> {
  const replies = await Promise.all(
    Array.from({ length: COUNT }, () => firstInstance(test).post(partner, anIdempotencyKey(), { reference })),
  )
  expect(tally(replies)).toEqual({ 201: COUNT })
  return replies.map((reply) => reply.json<{ id: string }>().id)
}

/** Twenty rounds at once, ten in each process, after some time has passed. */
async function twentyWorkersAfter(milliseconds: number): Promise<void> {
  test.clock.advance(milliseconds)
  await Promise.all(Array.from({ length: 20 }, (_, index) => followPayouts(index % 2 === 0 ? test.deps : second.deps)))
}

async function statuses(ids: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const id of ids) {
    const { status } = (await get(test, partner, `/v1/payouts/${id}`)).json<{ status: string }>()
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

const usage = async () =>
  (await get(test, partner, '/v1/usage')).json<{ payouts: { count: number; completed: number; fees_gbp: string } }>()
    .payouts

describe('twenty workers at once, in two processes', () => {
  it('complete thirty payouts once each: one settlement, one charge', async () => {
    const ids = await payouts('once')
    await twentyWorkersAfter(2_000)
    expect(await statuses(ids)).toEqual({ completed: COUNT })
    expect(await entriesOf(test, partner)).toEqual({ credit: 1, hold: COUNT, capture: COUNT, settle: COUNT })
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - N * SENDS, paid_out: N * SENDS })
    // thirty times 1.24
    expect(await usage()).toMatchObject({ count: COUNT, completed: COUNT, fees_gbp: '37.20' })
    await twentyWorkersAfter(60_000)
    expect(await usage()).toMatchObject({ count: COUNT, completed: COUNT, fees_gbp: '37.20' })
  })

  it.each([
    { story: 'fail', status: 'failed' },
    { story: 'cancel', status: 'cancelled' },
  ])('give the money of thirty payouts that are $status back once, and charge nothing', async ({ story, status }) => {
    const ids = await payouts(`sandbox:${story}`)
    await twentyWorkersAfter(2_000)
    await twentyWorkersAfter(500)
    expect(await statuses(ids)).toEqual({ [status]: COUNT })
    expect(await entriesOf(test, partner)).toEqual({ credit: 1, hold: COUNT, capture: COUNT, refund: COUNT })
    expect(await walletOf(test, partner)).toEqual(UNTOUCHED)
    expect(await usage()).toMatchObject({ completed: 0, fees_gbp: '0.00' })
  })

  it('give the money of thirty returned payouts back once, and charge each once for having arrived', async () => {
    const ids = await payouts('sandbox:return')
    await twentyWorkersAfter(2_000)
    expect(await statuses(ids)).toEqual({ completed: COUNT })
    await twentyWorkersAfter(2_000)
    await twentyWorkersAfter(500)
    expect(await statuses(ids)).toEqual({ returned: COUNT })
    expect(await entriesOf(test, partner)).toEqual({
      credit: 1,
      hold: COUNT,
      capture: COUNT,
      settle: COUNT,
      refund: COUNT,
    })
    expect(await walletOf(test, partner)).toEqual(UNTOUCHED)
    expect(await usage()).toMatchObject({ completed: COUNT, fees_gbp: '37.20' })
  })

  it('ask the bank about a payout in doubt one at a time, and take its answer once', async () => {
    const ids = await payouts('sandbox:late')
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - N * SENDS, held: N * SENDS })
    rail.asked.length = 0
    await twentyWorkersAfter(1_600)
    // Only the holder of the lease asks the bank.
    expect(rail.asked.toSorted()).toEqual(ids.toSorted())
    expect(await statuses(ids)).toEqual({ processing: COUNT })
    await twentyWorkersAfter(2_000)
    expect(await statuses(ids)).toEqual({ completed: COUNT })
    expect(await entriesOf(test, partner)).toEqual({ credit: 1, hold: COUNT, capture: COUNT, settle: COUNT })
  })
})

describe('one answer, recorded fifty times at once under one lease', () => {
  it.each([
    { state: 'settled', wallet: { available: FLOAT - SENDS, held: 0n, in_transit: 0n, paid_out: SENDS } },
    { state: 'undeliverable', wallet: UNTOUCHED },
  ] as const)('($state) has one effect', async ({ state, wallet }) => {
    const reply = await firstInstance(test).post(partner, anIdempotencyKey())
    const { id } = reply.json<{ id: string }>()
    const scope = { partnerId: partner.id, environment: 'sandbox' as const }
    test.clock.advance(2_000)
    const now = test.clock.now()
    const leaseToken = newId(now)
    const leaseUntil = new Date(now.getTime() + 30_000)
    const claimed = await test.deps.db.inTransaction((tx) =>
      claimDuePayouts(tx, 'sandbox', { due: [{ ...scope, id }], now, leaseToken, leaseUntil }),
    )
    expect(claimed).toHaveLength(1)
    const transfer = { transferRef: claimed[0]!.transferRef!, state, refund: 'done', reason: null, nextChangeAt: null }
    const outcome = {
      payoutId: id,
      leaseToken,
      isFirstHand: false,
      answer: { kind: 'accepted', transfer } as const,
    } as const
    const deps = [test, second].map((each) => ({ ...each.deps, db: unhurried(each.deps.db) }))
    const recorded = await Promise.all(
      Array.from({ length: 50 }, (_, index) => recordOutcomes(deps[index % 2]!, scope, [outcome as never])),
    )
    expect(recorded.flat().filter((each) => each.isOurs)).toHaveLength(1)
    expect(await walletOf(test, partner)).toEqual(wallet)
  })
})
