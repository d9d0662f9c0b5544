// A worker that cannot record what the bank says gives back what it has only read, and asks nobody over and over.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { type Follower, createFollower } from '../../src/domain/payouts/follow/follow-payouts.ts'
import type { Database } from '../../src/storage/sql.ts'
import { PATIENT } from '../storage/owner.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, sql } from '../support/fixtures.ts'
import { askEachTime } from '../support/three-steps.ts'
import { stopTheClock } from './stopped-clock.ts'
import { SENDS, walletOf } from './wallet.ts'

const [AGAIN_MS, LEASE_MS, SETTLES_MS] = [2_000, 30_000, 2_000]
const AWAY = Object.assign(new Error('the database system is shutting down'), { code: '57P01' })

let test: TestApp
let partner: TestPartner
/** What the database does not take now. */
let fails: 'nothing' | 'recordings' | 'writes'
let follower: Follower
let onError: ReturnType<typeof vi.fn<(error: unknown) => void>>
let counts: number[]
beforeAll(async () => {
  test = await startTestApp({ banks: { sandbox: null, live: null } })
  stopTheClock(test)
  // What the rail has said beforehand is nobody's to give back.
  askEachTime(test)
})
beforeEach(async () => {
  partner = await aPartner(test)
  fails = 'nothing'
  onError = vi.fn<(error: unknown) => void>()
  counts = []
  const inTransaction: Database['inTransaction'] = (work) =>
    fails === 'writes' ? Promise.reject(AWAY) : test.deps.db.inTransaction(work)
  const record: typeof test.deps.lanes.record = (scope, outcome) =>
    fails === 'nothing' ? test.deps.lanes.record(scope, outcome) : Promise.reject(AWAY)
  const deps = { ...test.deps, db: { ...test.deps.db, inTransaction }, lanes: { ...test.deps.lanes, record } }
  follower = createFollower(deps, onError, (count) => counts.push(count))
})
afterAll(() => test.close())

const pay = async (reference = 'rent'): Promise<string> =>
  (await createPayout(test, partner, { reference })).json<{ id: string }>().id

const statusOf = async (id: string) =>
  (await sql<{ status: string }>(test, 'select status from payouts where id = $1', [id]))[0]!.status

const leased = async () => {
  const text = `select count(*)::int as count from payout_follow_ups where partner_id = $1 and lease_token is not null`
  return (await sql<{ count: number }>(test, text, [partner.id]))[0]!.count
}

/** The payouts are claimed and the bank is asked; what it says is not recorded. */
async function lookInVain(): Promise<void> {
  fails = 'recordings'
  await follower.round()
  await expect.poll(() => onError.mock.calls, PATIENT).toEqual([[AWAY]])
  // Nothing is under way any more when the wallet may be followed again.
  await expect.poll(leased, PATIENT).toBeGreaterThan(0)
}

describe('a payout of which the bank’s word could not be recorded', () => {
  it('is looked at again soon after the database is back, by whoever looks, and not when its lease ends', async () => {
    const id = await pay()
    test.clock.advance(SETTLES_MS)
    await lookInVain()
    fails = 'nothing'
    await follower.round()
    expect(await leased()).toBe(0)
    // Not at once: what fails again would be asked for over and over.
    await test.follow()
    expect(await statusOf(id)).toBe('processing')
    test.clock.advance(AGAIN_MS)
    await test.follow()
    expect(await statusOf(id)).toBe('completed')
    expect(await walletOf(test, partner)).toMatchObject({ in_transit: 0n, paid_out: SENDS })
  })

  it('is given back by a worker that is told to stop', async () => {
    const id = await pay()
    test.clock.advance(SETTLES_MS)
    await lookInVain()
    await follower.settled()
    test.clock.advance(AGAIN_MS)
    await test.follow()
    expect(await statusOf(id)).toBe('completed')
  })

  it('is given back when the database takes writes, however often it does not, and nobody hears of each', async () => {
    const id = await pay()
    test.clock.advance(SETTLES_MS)
    await lookInVain()
    fails = 'writes'
    for (let round = 0; round < 3; round++) await follower.round()
    expect([onError.mock.calls.length, await leased()]).toEqual([1, 1])
    fails = 'nothing'
    await follower.round()
    test.clock.advance(AGAIN_MS)
    await test.follow()
    expect(await statusOf(id)).toBe('completed')
  })

  it('and that somebody else has recorded meanwhile is left as it is', async () => {
    const id = await pay()
    test.clock.advance(SETTLES_MS)
    await lookInVain()
    test.clock.advance(LEASE_MS - 1)
    await sql(test, `update payout_follow_ups set lease_token = gen_random_uuid() where payout_id = $1`, [id])
    fails = 'nothing'
    await follower.round()
    expect(await leased()).toBe(1)
    test.clock.advance(LEASE_MS)
    await test.follow()
    expect(await statusOf(id)).toBe('completed')
  })

  it('keeps its lease when the bank may have been asked to pay: nothing is sent a second time before that ends', async () => {
    const submit = vi.spyOn(test.deps.rails['simulated'], 'submit')
    const id = await pay('sandbox:late')
    expect(await statusOf(id)).toBe('pending')
    test.clock.advance(SETTLES_MS)
    submit.mockClear()
    await lookInVain()
    fails = 'nothing'
    await follower.round()
    test.clock.advance(LEASE_MS - 1)
    await test.follow()
    expect([submit.mock.calls.length, await leased()]).toEqual([1, 1])
    test.clock.advance(1)
    await test.follow()
    submit.mockRestore()
    expect(await statusOf(id)).toBe('completed')
  })
})

describe('more payouts than one look takes', () => {
  it('are each asked about once while nothing can be recorded, and not over and over', async () => {
    const [due, oneLook] = [300, 256]
    await Promise.all(Array.from({ length: due }, () => pay()))
    test.clock.advance(SETTLES_MS)
    fails = 'recordings'
    await follower.round()
    await expect.poll(leased, PATIENT).toBe(due)
    for (let round = 0; round < 5; round++) await follower.round()
    expect(counts.filter((count) => count > 0)).toEqual([oneLook, due - oneLook])
    await follower.settled()
    fails = 'nothing'
    test.clock.advance(AGAIN_MS)
    await test.follow()
    await test.follow()
    expect((await walletOf(test, partner))['paid_out']).toBe(BigInt(due) * SENDS)
  })
})
