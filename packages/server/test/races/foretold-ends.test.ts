// Payouts of which the rail has said beforehand how they end are completed by one statement, without being asked about. Two
// workers, a person and a dead connection are in its way at the same moment: each payout ends once, and nobody waits for another.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { newId } from '../../src/core/ids.ts'
import { after } from '../../src/core/clock.ts'
import { SilenceError } from '../../src/core/outage.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { recordOutcomes } from '../../src/domain/payouts/record/record-outcomes.ts'
import { completeForetold } from '../../src/storage/foretold-ends.ts'
import { claimDuePayouts } from '../../src/storage/payout-follow-ups.ts'
import type { Database } from '../../src/storage/sql.ts'
import { type Owner, PATIENT, ownerOf } from '../storage/owner.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, anIdempotencyKey, createPayout, post, sql } from '../support/fixtures.ts'
import { type Instance, anotherInstance } from './instances.ts'
import { stopTheClock } from './stopped-clock.ts'
import { WAITING, untilWaiting } from './waiting.ts'
import { FLOAT, SENDS, UNTOUCHED, entriesOf, walletOf } from './wallet.ts'

const SETTLES_MS = 2_000
const LEASE_MS = 30_000

let test: TestApp
let second: Instance
let owner: Owner
let onlooker: Owner
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp({ banks: { sandbox: null, live: null } })
  stopTheClock(test)
  second = await anotherInstance(test)
  owner = await ownerOf(test.database.url)
  onlooker = await ownerOf(test.database.url)
})
beforeEach(async () => {
  partner = await aPartner(test)
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  await onlooker.end()
  await owner.end()
  await second.close()
  await test.close()
})

const askedAbout = () => vi.spyOn(test.deps.rails.simulated, 'readTransfers')

const pay = async (of = partner): Promise<string> => (await createPayout(test, of)).json<{ id: string }>().id

const some = (count: number, of = partner): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => pay(of)))

const STANDINGS = `select p.status,
    array(select e.type from events e where e.partner_id = p.partner_id and e.subject_id = p.id order by e.sequence) as events,
    array(select l.kind from ledger_entries l where l.partner_id = p.partner_id and l.cause = p.id order by l.kind) as entries,
    (select count(*)::int from payout_follow_ups f where f.partner_id = p.partner_id and f.payout_id = p.id) as followed
  from payouts p where p.partner_id = $1 order by p.id`

/** How each payout of a partner is, and what has come of it. */
const standings = (of = partner) => sql<{ status: string }>(test, STANDINGS, [of.id])

const ON_ITS_WAY = {
  status: 'processing',
  events: ['payout.created', 'payout.processing'],
  entries: ['capture', 'hold'],
  followed: 1,
}
const COMPLETED = {
  status: 'completed',
  events: [...ON_ITS_WAY.events, 'payout.completed'],
  entries: ['capture', 'hold', 'settle'],
  followed: 0,
}
const CANCELLED = {
  status: 'cancelled',
  events: [...ON_ITS_WAY.events, 'payout.cancelled', 'payout.refunded'],
  entries: ['capture', 'hold', 'refund'],
  followed: 0,
}

const all = (count: number, standing: unknown) => Array.from({ length: count }, () => standing)

const completed = async (of = partner) => (await standings(of)).filter(({ status }) => status === 'completed').length

const usage = (of = partner) =>
  sql<{ created: bigint; completed: bigint }>(
    test,
    'select created, completed from usage_months where partner_id = $1',
    [of.id],
  )

const LOCK_WALLET = `select 1 from ledger_accounts
  where partner_id = $1 and account = 'available' and environment = 'sandbox' for no key update`
const LOCK_PAYOUT = 'select 1 from payouts where partner_id = $1 and id = $2 for no key update'

describe('a payout whose end is known', () => {
  it('completes at its moment and not before, and the rail is not asked', async () => {
    const asked = askedAbout()
    const due = [{ partnerId: partner.id, id: await pay() }]
    test.clock.advance(SETTLES_MS - 1)
    await test.follow()
    expect(await completeForetold(test.deps.db, 'sandbox', { due, now: test.clock.now() })).toEqual([])
    expect(await standings()).toEqual([ON_ITS_WAY])
    test.clock.advance(1)
    await test.follow()
    expect(await standings()).toEqual([COMPLETED])
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, paid_out: SENDS })
    expect(asked).not.toHaveBeenCalled()
  })

  it('completes while new payouts are paused, as any that is on its way', async () => {
    await pay()
    await sql(test, `update wallets set paused_at = now(), paused_by = 'somebody' where partner_id = $1`, [partner.id])
    test.clock.advance(SETTLES_MS)
    await test.follow()
    expect(await standings()).toEqual([COMPLETED])
  })

  it.each([
    {
      why: 'a process of the release before has written it',
      change: 'update payout_follow_ups set completes_at = null',
    },
    { why: 'something has happened to it', change: 'update payouts set handed_over_at = now()' },
  ])('is asked about when $why', async ({ change }) => {
    const asked = askedAbout()
    await pay()
    await sql(test, `${change} where partner_id = $1`, [partner.id])
    test.clock.advance(SETTLES_MS)
    await test.follow()
    expect(asked).toHaveBeenCalledOnce()
    expect(await standings()).toEqual([COMPLETED])
  })

  it('ends once, also when it is followed once more', async () => {
    const id = await pay()
    test.clock.advance(SETTLES_MS)
    await test.follow()
    await sql(
      test,
      `insert into payout_follow_ups (partner_id, environment, payout_id, created_at, next_check_at, completes_at)
       select partner_id, environment, id, created_at, $3, $3 from payouts where partner_id = $1 and id = $2`,
      [partner.id, id, test.clock.now()],
    )
    await test.follow()
    expect(await standings()).toEqual([COMPLETED])
    expect(await usage()).toEqual([{ created: 1n, completed: 1n }])
  })
})

describe('twenty workers at once, in two processes', () => {
  it('complete the payouts of two wallets once each', async () => {
    const other = await aPartner(test)
    const COUNT = 30
    await Promise.all([some(COUNT), some(COUNT, other)])
    test.clock.advance(SETTLES_MS)
    await Promise.all(Array.from({ length: 20 }, (_, nth) => followPayouts(nth % 2 === 0 ? test.deps : second.deps)))
    await test.follow()
    for (const each of [partner, other]) {
      expect(await standings(each)).toEqual(all(COUNT, COMPLETED))
      expect(await entriesOf(test, each)).toEqual({ credit: 1, hold: COUNT, capture: COUNT, settle: COUNT })
      expect(await usage(each)).toEqual([{ created: BigInt(COUNT), completed: BigInt(COUNT) }])
      const positions = 'select position from events where partner_id = $1 and facts is null order by position'
      const given = (await sql<{ position: bigint }>(test, positions, [each.id])).map(({ position }) => position)
      expect(given.map((position) => position - given[0]!)).toEqual(given.map((_, nth) => BigInt(nth)))
    }
  })
})

describe('a payout that somebody has at that moment', () => {
  it('is not waited for: the others of its wallet complete, and it does once it is let go', async () => {
    const [held] = await some(3)
    test.clock.advance(SETTLES_MS)
    const following = await owner.rolledBack(async () => {
      await owner.query(LOCK_PAYOUT, [partner.id, held])
      const done = followPayouts(test.deps)
      await expect.poll(completed, PATIENT).toBe(2)
      // As any other that is followed, it waits with no wallet in hand.
      await untilWaiting(onlooker, 1)
      expect((await second.post(partner, anIdempotencyKey())).statusCode).toBe(201)
      return [done]
    })
    await Promise.all(following)
    expect((await standings()).slice(0, 3)).toEqual(all(3, COMPLETED))
    test.clock.advance(SETTLES_MS)
    await test.follow()
  })

  it('is left to whoever has its lease, and to nobody who had it too long', async () => {
    const [id] = await some(2)
    const scope = { partnerId: partner.id, environment: 'sandbox' } as const
    test.clock.advance(SETTLES_MS)
    const now = test.clock.now()
    const lease = { leaseToken: newId(now), leaseUntil: after(now, LEASE_MS) }
    const claimed = await test.deps.db.inTransaction((tx) =>
      claimDuePayouts(tx, 'sandbox', { due: [{ ...scope, id: id! }], now, ...lease }),
    )
    // However long ago it was listed as due.
    const listed = [{ partnerId: partner.id, id: id! }]
    expect(await completeForetold(test.deps.db, 'sandbox', { due: listed, now })).toEqual([])
    await test.follow()
    expect(await completed()).toBe(1)
    test.clock.advance(LEASE_MS)
    await test.follow()
    expect(await standings()).toEqual(all(2, COMPLETED))
    const [row] = claimed
    const transfer = test.deps.rails.simulated.readAt!(row!.transferRef!, test.clock.now())!
    const answer = { kind: 'accepted', transfer } as const
    const asRead = { row: row!, version: row!.version }
    const outcome = { payoutId: id!, leaseToken: lease.leaseToken, answer, isFirstHand: false, asRead }
    const [late] = await recordOutcomes(test.deps, scope, [outcome])
    expect(late!.isOurs).toBe(false)
    expect(await standings()).toEqual(all(2, COMPLETED))
  })

  it.each([
    {
      what: 'cancelled',
      act: (ids: string[]) =>
        ids.map((id) => post(test, partner, `/v1/sandbox/payouts/${id}/simulate`, { outcome: 'cancel' })),
    },
    { what: 'reset', act: () => [post(test, partner, '/v1/sandbox/reset', {})] },
    { what: 'brought forward', act: () => [post(test, partner, '/v1/sandbox/advance', { seconds: 60 })] },
    {
      what: 'told to settle',
      act: (ids: string[]) =>
        ids.map((id) => post(test, partner, `/v1/sandbox/payouts/${id}/simulate`, { outcome: 'settle' })),
    },
  ])('ends one way when it is $what meanwhile', async ({ act }) => {
    const ids = await some(12)
    test.clock.advance(SETTLES_MS)
    await Promise.all([followPayouts(test.deps), ...act(ids), followPayouts(second.deps)])
    await test.follow()
    const ended = await standings()
    for (const each of ended) expect(each).toBeOneOf([COMPLETED, CANCELLED])
    const arrived = BigInt(await completed())
    expect(await usage()).toEqual([{ created: 12n, completed: arrived }])
    expect(await walletOf(test, partner)).toMatchObject({ held: 0n, in_transit: 0n, paid_out: arrived * SENDS })
    test.clock.advance(60_000)
    await test.follow()
    expect(await standings()).toEqual(ended)
  })
})

/** How often it was tried to complete a batch. */
function counted(
  trip: (statements: Statements) => Promise<unknown[]> = (statements) => test.deps.db.inOneTrip(statements),
) {
  let count = 0
  const inOneTrip = (statements: Statements) => (count++, trip(statements))
  const db = { ...test.deps.db, inOneTrip: inOneTrip as Database['inOneTrip'] }
  return { deps: { ...test.deps, db }, trips: () => count }
}
type Statements = Parameters<Database['inOneTrip']>[0]

describe('what cannot be completed so', () => {
  it('is followed as any other, and it is told why it could not be', async () => {
    await some(3)
    test.clock.advance(SETTLES_MS)
    const { deps } = counted(() => Promise.reject(new Error('no privilege')))
    await expect(followPayouts(deps)).rejects.toThrow('no privilege')
    expect(await standings()).toEqual(all(3, COMPLETED))
  })

  it('is not tried again, nor claimed, while the database is silent', async () => {
    await some(130)
    test.clock.advance(SETTLES_MS)
    const { deps, trips } = counted(() => Promise.reject(new SilenceError(1_000)))
    const claims = vi.spyOn(deps.db, 'inTransaction')
    await expect(followPayouts(deps)).rejects.toThrow(SilenceError)
    expect(trips()).toBe(1)
    expect(claims).not.toHaveBeenCalled()
    await test.follow()
    expect(await standings()).toEqual(all(130, COMPLETED))
  })
})

describe('a wallet that is locked', () => {
  it('keeps no other waiting, and its payouts complete once it is let go', async () => {
    const other = await aPartner(test)
    await Promise.all([some(3), some(3, other)])
    test.clock.advance(SETTLES_MS)
    const following = await owner.rolledBack(async () => {
      await owner.query(LOCK_WALLET, [partner.id])
      const done = followPayouts(test.deps)
      await expect.poll(() => completed(other), PATIENT).toBe(3)
      expect(await completed()).toBe(0)
      return [done]
    })
    await Promise.all(following)
    for (const each of [partner, other]) expect(await standings(each)).toEqual(all(3, COMPLETED))
  })

  it('is waited for once, however much is due in it, and is not reported', async () => {
    const other = await aPartner(test)
    await some(130)
    await pay(other)
    test.clock.advance(SETTLES_MS)
    const { deps, trips } = counted()
    const following = await owner.rolledBack(async () => {
      await owner.query(LOCK_WALLET, [partner.id])
      const done = followPayouts(deps)
      await expect.poll(() => completed(other), PATIENT).toBe(1)
      expect(trips()).toBe(1)
      return [done]
    })
    await Promise.all(following)
    expect(await standings()).toEqual(all(130, COMPLETED))
  })

  it('leaves nothing behind when the connection is lost, and each payout ends once afterwards', async () => {
    await some(3)
    test.clock.advance(SETTLES_MS)
    const following = await owner.rolledBack(async () => {
      await owner.query(LOCK_WALLET, [partner.id])
      const done = followPayouts(test.deps).catch(() => 0)
      await untilWaiting(onlooker, 1)
      await onlooker.query(`select pg_terminate_backend(pid) from (${WAITING}) waiting`)
      expect((await standings()).map(({ status }) => status)).toEqual(all(3, 'processing'))
      return [done]
    })
    await Promise.all(following)
    test.clock.advance(LEASE_MS)
    await test.follow()
    expect(await standings()).toEqual(all(3, COMPLETED))
    expect(await usage()).toEqual([{ created: 3n, completed: 3n }])
  })
})
