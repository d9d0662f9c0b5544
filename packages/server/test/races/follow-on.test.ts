// A wallet with more due than one look takes: what is left is followed at once, and by no follower that was told to end.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { SilenceError } from '../../src/core/outage.ts'
import { createFollower } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import type { Database } from '../../src/storage/sql.ts'
import { PATIENT } from '../storage/owner.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, sql } from '../support/fixtures.ts'
import { stopTheClock } from './stopped-clock.ts'
import { SENDS, walletOf } from './wallet.ts'

const [DUE, ONE_LOOK] = [300, 256]

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp({ banks: { sandbox: null, live: null } })
  stopTheClock(test)
})
beforeEach(async () => {
  partner = await aPartner(test)
  await Promise.all(Array.from({ length: DUE }, () => createPayout(test, partner)))
  test.clock.advance(2_000)
})
afterAll(() => test.close())

const completed = async () => {
  const text = `select count(*)::int as count from payouts where partner_id = $1 and status = 'completed'`
  return (await sql<{ count: number }>(test, text, [partner.id]))[0]!.count
}

/** Whatever writes is answered so, whether it is ended as its rail foretold or claimed. */
const writing = (answer: () => Promise<unknown[]>) =>
  ({ inTransaction: answer, inOneTrip: answer }) as Pick<Database, 'inTransaction' | 'inOneTrip'>

describe('more payouts than one look takes', () => {
  it.each([
    { why: 'the database is silent', inTransaction: () => Promise.reject(new SilenceError(1_000)), errors: 1 },
    { why: 'others have it', inTransaction: () => Promise.resolve([]), errors: 0 },
  ])('are not looked at over and over when $why', async ({ inTransaction, errors }) => {
    let looks = 0
    const query: Database['query'] = (asked, values) => {
      if (asked.name === 'due_payouts') looks++
      return test.deps.db.query(asked, values)
    }
    const onError = vi.fn<(error: unknown) => void>()
    const db = { ...test.deps.db, query, ...writing(inTransaction) }
    const follower = createFollower({ ...test.deps, db }, onError)
    expect(await follower.round()).toEqual({ followed: ONE_LOOK, isFull: false })
    // In this time the next look would have been made many times over.
    for (let turn = 0; turn < 20; turn++) await completed()
    // One of each environment.
    expect(looks).toBe(2)
    expect(onError).toHaveBeenCalledTimes(errors)
    await follower.settled()
    await test.follow()
    expect(await completed()).toBe(DUE)
  })

  it('of many wallets are one failure per look while the database is silent, and no reason to look again at once', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => aPartner(test)))
    await Promise.all(others.flatMap((other) => Array.from({ length: 60 }, () => createPayout(test, other))))
    test.clock.advance(2_000)
    const onError = vi.fn<(error: unknown) => void>()
    const db = { ...test.deps.db, ...writing(() => Promise.reject(new SilenceError(1_000))) }
    const follower = createFollower({ ...test.deps, db }, onError)
    expect(await follower.round()).toEqual({ followed: ONE_LOOK, isFull: false })
    await follower.settled()
    expect(onError).toHaveBeenCalledTimes(1)
    await test.follow()
    await test.follow()
  })

  it('are no reason to wait for a claim that waits for a lock', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const inTransaction: Database['inTransaction'] = (work) => held.then(() => test.deps.db.inTransaction(work))
    const inOneTrip: Database['inOneTrip'] = (statements) => held.then(() => test.deps.db.inOneTrip(statements))
    const db = { ...test.deps.db, inTransaction, inOneTrip }
    const follower = createFollower({ ...test.deps, db }, (error) => expect.unreachable(String(error)))
    expect(await follower.round()).toEqual({ followed: ONE_LOOK, isFull: false })
    release()
    await expect.poll(completed, PATIENT).toBe(DUE)
    await follower.settled()
  })

  it('are followed by one round, each once, and counted', async () => {
    const counts: number[] = []
    const follower = createFollower(
      test.deps,
      (error) => expect.unreachable(String(error)),
      (count) => counts.push(count),
    )
    expect(await follower.round()).toEqual({ followed: ONE_LOOK, isFull: true })
    await expect.poll(completed, PATIENT).toBe(DUE)
    await follower.settled()
    expect(counts.filter((count) => count > 0)).toEqual([ONE_LOOK, DUE - ONE_LOOK])
    expect((await walletOf(test, partner))['paid_out']).toBe(BigInt(DUE) * SENDS)
  })

  it('are left to others by a follower that ends: it finishes what it has, and begins nothing', async () => {
    const follower = createFollower(test.deps, (error) => expect.unreachable(String(error)))
    await follower.round()
    follower.end()
    await expect.poll(completed, PATIENT).toBe(ONE_LOOK)
    await follower.settled()
    expect(await completed()).toBe(ONE_LOOK)
    await test.follow()
    expect(await completed()).toBe(DUE)
  })
})

describe('a worker', () => {
  it('stays awake while it follows payouts', async () => {
    const said: string[] = []
    const rest = { stir: () => void said.push('stir'), isAwake: () => true, waking: () => new AbortController().signal }
    const hooks = { rest, onFollowed: (count: number) => void said.push(`followed ${count}`), onError: () => undefined }
    const worker = startWorker(test.deps, { sweepMs: 60_000, activityMonths: null }, hooks)
    await expect.poll(completed, PATIENT).toBe(DUE)
    await worker.stop()
    const followed = said.flatMap((each, index) => (/^followed [1-9]/.test(each) ? [said[index + 1]] : []))
    // One look takes most of them and another the rest; on a busy machine a third finds some before they are taken.
    expect(followed.length).toBeGreaterThanOrEqual(2)
    expect(followed).toEqual(followed.map(() => 'stir'))
  })
})
