// Wallets share transactions. What is wrong with one of them, or keeps it waiting, must never become another one's trouble.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { createPayoutLanes } from '../../src/domain/payouts/create/payout-lanes.ts'
import type { NewPayout } from '../../src/storage/payout-reservations.ts'
import type { Database } from '../../src/storage/sql.ts'
import { type Owner, ownerOf } from '../storage/owner.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, sql } from '../support/fixtures.ts'
import { aNewPayout } from './a-new-payout.ts'
import { outcomeOf } from './an-outcome.ts'
import { letGo } from './let-go.ts'
import { stopTheClock } from './stopped-clock.ts'
import { untilWaiting } from './waiting.ts'
import { FLOAT, SENDS, UNTOUCHED, walletOf } from './wallet.ts'

let test: TestApp
let owner: Owner
let onlooker: Owner
let partners: TestPartner[]
beforeAll(async () => {
  test = await startTestApp()
  stopTheClock(test)
  owner = await ownerOf(test.database.url)
  onlooker = await ownerOf(test.database.url)
})
beforeEach(async () => {
  partners = await Promise.all(Array.from({ length: 4 }, () => aPartner(test)))
})
afterEach(() => letGo(test))
afterAll(async () => {
  await onlooker.end()
  await owner.end()
  await test.close()
})

const scopeOf = ({ id }: TestPartner) => ({ partnerId: id, environment: 'sandbox' as const })
const LOCKED = `select 1 from ledger_accounts
  where partner_id = $1 and account = 'available' and environment = 'sandbox' for no key update`

/** Counts the transactions of a lane. */
function counting() {
  const trips = { reserve: 0, record: 0 }
  const inOneTrip: Database['inOneTrip'] = (statements) => {
    trips.reserve++
    return test.deps.db.inOneTrip(statements)
  }
  const inTransaction: Database['inTransaction'] = (work) => {
    trips.record++
    return test.deps.db.inTransaction(work)
  }
  const lanes = createPayoutLanes({ ...test.deps, db: { ...test.deps.db, inOneTrip, inTransaction } })
  return { lanes, trips }
}

describe('payouts of several wallets that come at once', () => {
  it('are reserved in one transaction and recorded in another, each wallet by its own money', async () => {
    const { lanes, trips } = counting()
    const payouts = partners.flatMap((partner) => [
      { partner, payout: aNewPayout() },
      { partner, payout: aNewPayout() },
    ])
    const reserved = await Promise.all(payouts.map(({ partner, payout }) => lanes.reserve(scopeOf(partner), payout)))
    expect(reserved.map(({ kind }) => kind)).toEqual(payouts.map(() => 'reserved'))
    expect(trips).toEqual({ reserve: 1, record: 0 })
    const recorded = await Promise.all(
      payouts.map(({ partner, payout }, nth) => lanes.record(scopeOf(partner), outcomeOf(payout, reserved[nth]!))),
    )
    expect(recorded.map(({ isOurs, row }) => ({ isOurs, id: row.id, of: row.partnerId }))).toEqual(
      payouts.map(({ partner, payout }) => ({ isOurs: true, id: payout.id, of: partner.id })),
    )
    expect(trips).toEqual({ reserve: 1, record: 1 })
    for (const partner of partners) {
      const wallet = { ...UNTOUCHED, available: FLOAT - 2n * SENDS, in_transit: 2n * SENDS }
      expect(await walletOf(test, partner)).toEqual(wallet)
      const events = await sql<{ position: string; type: string }>(
        test,
        `select position::text, type from events
          where partner_id = $1 and environment = 'sandbox' and type like 'payout.%' order by position`,
        [partner.id],
      )
      expect(events.map(({ type }) => type)).toEqual([
        'payout.created',
        'payout.processing',
        'payout.created',
        'payout.processing',
      ])
      const [usage] = await sql<{ created: number }>(
        test,
        `select created::int from usage_months where partner_id = $1 and environment = 'sandbox'`,
        [partner.id],
      )
      expect(usage).toEqual({ created: 2 })
    }
  })

  it('are refused where there is no money, and nowhere else', async () => {
    const { lanes } = counting()
    const [poor, ...others] = partners
    const all = aNewPayout({ walletSends: FLOAT as NewPayout['walletSends'] })
    const asked = [{ partner: poor!, payout: all }, ...partners.map((partner) => ({ partner, payout: aNewPayout() }))]
    const made = await Promise.all(asked.map(({ partner, payout }) => lanes.reserve(scopeOf(partner), payout)))
    expect(made.map(({ kind }) => kind)).toEqual(['reserved', 'unfunded', 'reserved', 'reserved', 'reserved'])
    expect(await walletOf(test, poor!)).toEqual({ ...UNTOUCHED, available: 0n, held: FLOAT })
    for (const partner of others) {
      expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, held: SENDS })
    }
  })
})

describe('a wallet that somebody else has locked', () => {
  it('keeps no other waiting, and has its turn when it is free', async () => {
    const { lanes } = counting()
    const [stuck, ...others] = partners
    await owner.query('begin')
    await owner.query(LOCKED, [stuck!.id])
    let isStuckDone = false
    const asked = partners.map((partner) => lanes.reserve(scopeOf(partner), aNewPayout()))
    const waiting = asked[0]!.then((made) => {
      isStuckDone = true
      return made
    })
    expect((await Promise.all(asked.slice(1))).map(({ kind }) => kind)).toEqual(others.map(() => 'reserved'))
    // Those that come meanwhile do not even try to go with it.
    const later = await Promise.all(others.map((partner) => lanes.reserve(scopeOf(partner), aNewPayout())))
    expect(later.map(({ kind }) => kind)).toEqual(others.map(() => 'reserved'))
    expect(isStuckDone).toBe(false)
    await untilWaiting(onlooker, 1)
    await owner.query('rollback')
    expect((await waiting).kind).toBe('reserved')
    expect(await walletOf(test, stuck!)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, held: SENDS })
  })
})

describe('a payout that the database refuses', () => {
  it('fails alone: those of other wallets are made, and those of its own', async () => {
    const { lanes } = counting()
    const wrong = aNewPayout({ feeOnInvoice: 92n as NewPayout['feeOnInvoice'] })
    const asked = [
      { partner: partners[0]!, payout: wrong },
      { partner: partners[0]!, payout: aNewPayout() },
      { partner: partners[1]!, payout: aNewPayout() },
    ]
    const made = await Promise.allSettled(asked.map(({ partner, payout }) => lanes.reserve(scopeOf(partner), payout)))
    expect(made.map((each) => (each.status === 'fulfilled' ? each.value.kind : each.status))).toEqual([
      'rejected',
      'reserved',
      'reserved',
    ])
    for (const partner of partners.slice(0, 2)) {
      expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, held: SENDS })
    }
  })
})

describe('a payout that is no longer as it was when its outcome is recorded', () => {
  it('is decided under its locks, and so is each of the others: nothing is written twice', async () => {
    const { lanes } = counting()
    const payouts = partners.map((partner) => ({ partner, payout: aNewPayout() }))
    const reserved = await Promise.all(payouts.map(({ partner, payout }) => lanes.reserve(scopeOf(partner), payout)))
    await owner.query('update payouts set listed_by = now() where id = $1', [payouts[0]!.payout.id])
    const recorded = await Promise.all(
      payouts.map(({ partner, payout }, nth) => lanes.record(scopeOf(partner), outcomeOf(payout, reserved[nth]!))),
    )
    expect(recorded.map(({ isOurs, row }) => ({ isOurs, status: row.status }))).toEqual(
      payouts.map(() => ({ isOurs: true, status: 'processing' })),
    )
    for (const partner of partners) {
      expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, in_transit: SENDS })
    }
  })

  it('or has another holder, is left as it is, and the others are recorded', async () => {
    const { lanes } = counting()
    const payouts = partners.map((partner) => ({ partner, payout: aNewPayout() }))
    const reserved = await Promise.all(payouts.map(({ partner, payout }) => lanes.reserve(scopeOf(partner), payout)))
    await owner.query(`update payout_follow_ups set lease_token = gen_random_uuid() where payout_id = $1`, [
      payouts[0]!.payout.id,
    ])
    const recorded = await Promise.all(
      payouts.map(({ partner, payout }, nth) => lanes.record(scopeOf(partner), outcomeOf(payout, reserved[nth]!))),
    )
    expect(recorded.map(({ isOurs }) => isOurs)).toEqual([false, true, true, true])
    expect(await walletOf(test, partners[0]!)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, held: SENDS })
  })
})

describe('two processes that have the same wallets in other orders', () => {
  it('wait for each other in one order: all is made, once', async () => {
    const [one, other] = [counting().lanes, counting().lanes]
    const asked = Array.from({ length: 120 }, (_, nth) => {
      const own = nth % 2 === 0 ? partners : partners.toReversed()
      return { lanes: nth % 2 === 0 ? one : other, partner: own[(nth >> 1) % own.length]!, payout: aNewPayout() }
    })
    const made = await Promise.all(
      asked.map(async ({ lanes, partner, payout }) => {
        const reserved = await lanes.reserve(scopeOf(partner), payout)
        return lanes.record(scopeOf(partner), outcomeOf(payout, reserved))
      }),
    )
    expect(made.every(({ isOurs, row }) => isOurs && row.status === 'processing')).toBe(true)
    for (const partner of partners) {
      const wallet = { ...UNTOUCHED, available: FLOAT - 30n * SENDS, in_transit: 30n * SENDS }
      expect(await walletOf(test, partner)).toEqual(wallet)
    }
  })
})
