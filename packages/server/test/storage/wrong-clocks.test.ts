// A worker's clock was ahead for a minute and has been set right. What it has written keeps nobody out until its time comes.
import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { after } from '../../src/core/clock.ts'
import { newId } from '../../src/core/ids.ts'
import { signHeads } from '../../src/domain/audit/sign-heads.ts'
import { reconcileIfDue } from '../../src/domain/banking/reconcile/reconcile.ts'
import { readWatch } from '../../src/domain/watch/read-watch.ts'
import { claimBankEvents } from '../../src/storage/bank-events.ts'
import { claimFeed } from '../../src/storage/bank-feeds.ts'
import { listDuePayouts } from '../../src/storage/due-payouts.ts'
import { noteJobRounds } from '../../src/storage/job-rounds.ts'
import { lookForWork } from '../../src/storage/look-for-work.ts'
import { claimDuePayouts, isBeingFollowed } from '../../src/storage/payout-follow-ups.ts'
import { leasePayout } from '../../src/storage/payout-leases.ts'
import type { Tx } from '../../src/storage/sql.ts'
import { addEntries, seal } from '../audit/a-log.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, sql } from '../support/fixtures.ts'
import { askEachTime } from '../support/three-steps.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MONTH_MS = 30 * DAY_MS

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
})
beforeEach(async () => {
  partner = await aPartner(test)
})
afterAll(() => test.close())

const now = () => test.clock.now()
const ahead = () => after(now(), MONTH_MS)
const aWorkerAhead = () => ({ ...test.deps, clock: { ...test.deps.clock, now: ahead } })
const inOne = <T>(work: (tx: Tx) => Promise<T>) => test.deps.db.inTransaction(work)
const count = async (text: string, values: readonly unknown[] = []) => (await sql(test, text, [...values])).length

describe('a comparison of the books that is dated ahead', () => {
  const runs = () => count('select from reconciliations')

  it('puts off no other, and does not count as the last', async () => {
    await reconcileIfDue(aWorkerAhead())
    const before = await runs()
    await reconcileIfDue(test.deps)
    await reconcileIfDue(test.deps)
    expect(await runs()).toBe(before + 1)
    test.clock.advance(DAY_MS)
    await reconcileIfDue(test.deps)
    expect(await runs()).toBe(before + 2)
    const [last] = await sql<{ at: Date }>(
      test,
      'select finished_at as at from reconciliations where started_at < $1 order by 1 desc',
      [now()],
    )
    expect((await readWatch(test.deps)).compared?.at).toEqual(last!.at)
  })
})

describe('a head that was signed on a day to come', () => {
  const heads = () => count('select from audit_heads where partner_id = $1', [partner.id])
  const grow = async () => {
    await addEntries(test, partner.id, 1)
    await seal(test)
  }

  it('keeps none from being signed on the days until then, one per day', async () => {
    await grow()
    await signHeads(aWorkerAhead())
    expect(await heads()).toBe(1)
    for (const signed of [2, 3]) {
      await grow()
      await signHeads(test.deps)
      await grow()
      await signHeads(test.deps)
      expect(await heads()).toBe(signed)
      test.clock.advance(DAY_MS)
    }
  })

  it('is that of its day when it comes, and the next day has its own', async () => {
    await grow()
    await signHeads(aWorkerAhead())
    await grow()
    test.clock.advance(MONTH_MS - DAY_MS)
    await signHeads(test.deps)
    await grow()
    test.clock.advance(DAY_MS)
    await signHeads(test.deps)
    expect(await heads()).toBe(2)
    test.clock.advance(DAY_MS)
    await signHeads(test.deps)
    expect(await heads()).toBe(3)
  })
})

describe('a payout that was taken ahead', () => {
  const status = async (id: string) =>
    (await sql<{ status: string }>(test, 'select status from payouts where id = $1', [id]))[0]!.status

  async function aTakenPayout(): Promise<{ id: string; partnerId: string }> {
    const { id } = (await createPayout(test, partner)).json<{ id: string }>()
    const due = [{ partnerId: partner.id, id }]
    const lease = { now: ahead(), leaseToken: randomUUID(), leaseUntil: after(ahead(), 30_000) }
    expect(await inOne((tx) => claimDuePayouts(tx, 'sandbox', { due, ...lease }))).toHaveLength(1)
    test.clock.advance(MINUTE_MS)
    return due[0]!
  }

  it('is completed as foretold', async () => {
    const { id } = await aTakenPayout()
    expect((await lookForWork(test.deps.db, now(), 0)).payouts).toBe(true)
    await test.follow()
    expect(await status(id)).toBe('completed')
  })

  it('is followed by those whose clocks are right', async () => {
    const taken = await aTakenPayout()
    const listed = await listDuePayouts(test.deps.db, 'sandbox', { now: now(), most: 256, except: [] })
    expect(listed).toMatchObject([taken])
    const lease = { now: now(), leaseToken: randomUUID(), leaseUntil: after(now(), 30_000) }
    const claim = () => inOne((tx) => claimDuePayouts(tx, 'sandbox', { due: [taken], ...lease }))
    expect(await claim()).toHaveLength(1)
    // A lease of now is kept to.
    expect(await claim()).toEqual([])
    expect(await listDuePayouts(test.deps.db, 'sandbox', { now: now(), most: 256, except: [] })).toEqual([])
  })

  it('is free to whoever asks about it, or ends it, by hand', async () => {
    await sql(test, `update payout_follow_ups set lease_token = null, lease_until = null`)
    await test.follow()
    askEachTime(test)
    const { id } = (await createPayout(test, partner, { reference: 'sandbox:late' })).json<{ id: string }>()
    const scope = { partnerId: partner.id, environment: 'sandbox' } as const
    const lease = (at: Date) =>
      inOne((tx) => leasePayout(tx, scope, { id, token: newId(at), now: at, until: after(at, MINUTE_MS) }))
    expect(await lease(ahead())).not.toBeNull()
    expect(await lease(now())).not.toBeNull()
    expect(await lease(now())).toBeNull()
    expect(isBeingFollowed({ leaseUntil: after(ahead(), MINUTE_MS) }, now())).toBe(false)
    expect(isBeingFollowed({ leaseUntil: after(now(), MINUTE_MS) }, now())).toBe(true)
    expect(isBeingFollowed({ leaseUntil: now() }, now())).toBe(false)
  })
})

it('a list of the bank that is read ahead is read by others too', async () => {
  const lease = { environment: 'sandbox', feed: 'transfers', token: randomUUID() } as const
  const claim = (at: Date) =>
    inOne((tx) => claimFeed(tx, lease, { now: at, leaseUntil: after(at, 30_000), startFrom: new Date(0) }))
  expect(await claim(ahead())).not.toBeNull()
  expect(await claim(now())).not.toBeNull()
  expect(await claim(now())).toBeNull()
})

it('a message of the bank that was taken ahead is taken by others too', async () => {
  await sql(
    test,
    `insert into bank_events (environment, event_id, category, object_ref, received_at) values ('sandbox', 'e', 'c', 'o', $1)`,
    [now()],
  )
  const claim = async (at: Date) =>
    (await inOne((tx) => claimBankEvents(tx, 'sandbox', { now: at, leaseMs: 5_000, most: 5 }))).length
  expect(await claim(ahead())).toBe(1)
  expect(await claim(now())).toBe(1)
  expect(await claim(now())).toBe(0)
})

it('a round that is dated ahead does not hide that there was none since', async () => {
  const job = 'read the lists'
  const note = (at: Date) => inOne(async (tx) => noteJobRounds(tx, [{ job, lastRoundAt: at, lastFailureAt: null }]))
  const shown = async () => (await readWatch(test.deps)).jobs.find((each) => each.job === job)
  await note(ahead())
  expect(await shown()).toEqual({ job, lastRoundAt: null, lastFailureAt: null })
  const at = now()
  await note(at)
  expect((await shown())?.lastRoundAt).toEqual(at)
  await note(after(at, -MINUTE_MS))
  expect((await shown())?.lastRoundAt).toEqual(at)
})
