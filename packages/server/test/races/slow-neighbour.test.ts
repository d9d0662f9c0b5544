// Wallets share transactions and places. One whose locks somebody else has keeps nobody else waiting, whatever it waits for.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { createPayoutLanes } from '../../src/domain/payouts/create/payout-lanes.ts'
import type { SubmitAnswer } from '../../src/rail/port.ts'
import type { Database } from '../../src/storage/sql.ts'
import { type Owner, PATIENT, ownerOf } from '../storage/owner.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner } from '../support/fixtures.ts'
import { aNewPayout } from './a-new-payout.ts'
import { outcomeOf } from './an-outcome.ts'
import { letGo } from './let-go.ts'
import { stopTheClock } from './stopped-clock.ts'
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
  partners = await Promise.all(Array.from({ length: 3 }, () => aPartner(test)))
})
afterEach(async () => {
  await owner.query('rollback')
  await letGo(test)
})
afterAll(async () => {
  await onlooker.end()
  await owner.end()
  await test.close()
})

const scopeOf = ({ id }: TestPartner) => ({ partnerId: id, environment: 'sandbox' as const })
const LOCK_WALLETS = `select 1 from ledger_accounts
  where partner_id = any($1) and account = 'available' and environment = 'sandbox' for no key update`
const REJECTED: SubmitAnswer = { kind: 'rejected', reason: 'No such account.' }

/** Something that is under way, and whether it is over. */
function watched<T>(result: Promise<T>) {
  const state = { isOver: false, result }
  const over = () => void (state.isOver = true)
  result.then(over, over)
  return state
}

/** Until so many transactions were begun. */
async function tries(count: number, of: { readonly made: number }): Promise<void> {
  await expect.poll(() => of.made, PATIENT).toBeGreaterThanOrEqual(count)
}

const lanesWith = (db: Partial<Database> = {}) => createPayoutLanes({ ...test.deps, db: { ...test.deps.db, ...db } })

/** A payout of each partner, reserved. */
async function reservedOfEach(lanes = lanesWith()) {
  const payouts = partners.map((partner) => ({ partner, payout: aNewPayout() }))
  const made = await Promise.all(payouts.map(({ partner, payout }) => lanes.reserve(scopeOf(partner), payout)))
  return payouts.map((each, nth) => ({ ...each, made: made[nth]! }))
}

describe('a wallet that somebody else has locked', () => {
  it('keeps no other’s outcome waiting that was written already', async () => {
    const lanes = lanesWith()
    const [stuck, ...others] = await reservedOfEach(lanes)
    await owner.query('begin')
    await owner.query(LOCK_WALLETS, [[stuck!.partner.id]])
    await onlooker.query(`set lock_timeout = '2500ms'`)
    const patient = watched(onlooker.query(LOCK_WALLETS, [[stuck!.partner.id]]).catch(() => []))
    // What was refused comes back to the wallet, and is decided under its lock.
    const waiting = watched(lanes.record(scopeOf(stuck!.partner), outcomeOf(stuck!.payout, stuck!.made, REJECTED)))
    const recorded = await Promise.all(
      others.map(({ partner, payout, made }) => lanes.record(scopeOf(partner), outcomeOf(payout, made))),
    )
    expect(recorded.map(({ isOurs, row }) => ({ isOurs, status: row.status }))).toEqual(
      others.map(() => ({ isOurs: true, status: 'processing' })),
    )
    expect([waiting.isOver, patient.isOver]).toEqual([false, false])
    await owner.query('rollback')
    await patient.result
    expect((await waiting.result).isOurs).toBe(true)
    expect(await walletOf(test, stuck!.partner)).toEqual(UNTOUCHED)
  })

  it('takes nobody’s place, though it came by itself', async () => {
    const lanes = lanesWith()
    const [one, two, other] = partners
    await owner.query('begin')
    await owner.query(LOCK_WALLETS, [[one!.id, two!.id]])
    const first = watched(lanes.reserve(scopeOf(one!), aNewPayout()))
    await new Promise(setImmediate)
    const second = watched(lanes.reserve(scopeOf(two!), aNewPayout()))
    await new Promise(setImmediate)
    expect((await lanes.reserve(scopeOf(other!), aNewPayout())).kind).toBe('reserved')
    expect([first.isOver, second.isOver]).toEqual([false, false])
    await owner.query('rollback')
    expect([(await first.result).kind, (await second.result).kind]).toEqual(['reserved', 'reserved'])
  })
})

describe('a wallet that stays locked for longer than one transaction waits', () => {
  it('is waited for, and its payouts are made in their order, before those that came later', async () => {
    const trips = { made: 0 }
    const inOneTrip: Database['inOneTrip'] = (statements) => {
      trips.made += 1
      return test.deps.db.inOneTrip(statements)
    }
    const lanes = lanesWith({ inOneTrip })
    const [stuck] = partners
    await owner.query('begin')
    await owner.query(LOCK_WALLETS, [[stuck!.id]])
    const made: string[] = []
    const reserve = async (name: string) => {
      const { kind } = await lanes.reserve(scopeOf(stuck!), aNewPayout())
      made.push(`${name}: ${kind}`)
    }
    const waiting = [reserve('first'), reserve('second')]
    await tries(2, trips)
    waiting.push(reserve('later'))
    await tries(4, trips)
    expect(made).toEqual([])
    await owner.query('rollback')
    await Promise.all(waiting)
    expect(made).toEqual(['first: reserved', 'second: reserved', 'later: reserved'])
  })

  it.each([
    ['accepted', {}],
    ['refused', { answer: REJECTED }],
  ])('is waited for by what the bank has %s', async (_how, { answer }: { answer?: SubmitAnswer }) => {
    const transactions = { made: 0 }
    const inTransaction: Database['inTransaction'] = (work) => {
      transactions.made += 1
      return test.deps.db.inTransaction(work)
    }
    const lanes = lanesWith({ inTransaction })
    const [stuck] = await reservedOfEach(lanes)
    await owner.query('begin')
    await owner.query(LOCK_WALLETS, [[stuck!.partner.id]])
    const waiting = watched(lanes.record(scopeOf(stuck!.partner), outcomeOf(stuck!.payout, stuck!.made, answer)))
    await tries(4, transactions)
    expect(waiting.isOver).toBe(false)
    await owner.query('rollback')
    expect((await waiting.result).isOurs).toBe(true)
  })

  it('leaves the connections to others, also where as many wallets are locked as there are connections', async () => {
    const lanes = lanesWith()
    const { most } = test.deps.db.use()
    const locked = await Promise.all(Array.from({ length: most }, () => aPartner(test)))
    await owner.query('begin')
    await owner.query(LOCK_WALLETS, [locked.map(({ id }) => id)])
    const waiting = locked.map((partner) => watched(lanes.reserve(scopeOf(partner), aNewPayout())))
    await expect.poll(() => test.deps.db.use(), PATIENT).toMatchObject({ total: most, idle: 0 })
    expect((await lanes.reserve(scopeOf(partners[0]!), aNewPayout())).kind).toBe('reserved')
    expect(waiting.map(({ isOver }) => isOver)).toEqual(locked.map(() => false))
    await owner.query('rollback')
    expect(await Promise.all(waiting.map(async ({ result }) => (await result).kind))).toEqual(
      locked.map(() => 'reserved'),
    )
  })
})

describe('a payout that somebody else has locked', () => {
  it('keeps no other wallet’s waiting when it is asked for again', async () => {
    const lanes = lanesWith()
    const [stuck] = await reservedOfEach(lanes)
    const [, ...others] = partners
    await owner.query('begin')
    await owner.query('select 1 from payouts where id = $1 for no key update', [stuck!.payout.id])
    const again = aNewPayout({ idempotencyKey: stuck!.payout.idempotencyKey })
    const waiting = watched(lanes.reserve(scopeOf(stuck!.partner), again))
    const made = await Promise.all(others.map((partner) => lanes.reserve(scopeOf(partner), aNewPayout())))
    expect(made.map(({ kind }) => kind)).toEqual(['reserved', 'reserved'])
    expect(waiting.isOver).toBe(false)
    await owner.query('rollback')
    expect((await waiting.result).kind).toBe('taken')
  })
})

describe('a wallet that got its first spending limit a moment ago', () => {
  it('is asked for again, and those that came with it are made once and told so', async () => {
    const [limited, ...others] = partners
    await owner.query(`update wallets set has_spending_limits = true where partner_id = $1`, [limited!.id])
    let trips = 0
    const inOneTrip: Database['inOneTrip'] = async (statements) => {
      if (++trips === 2) {
        await owner.query('begin')
        await owner.query(LOCK_WALLETS, [[limited!.id]])
      }
      return test.deps.db.inOneTrip(statements)
    }
    const lanes = lanesWith({ inOneTrip })
    const waiting = watched(lanes.reserve(scopeOf(limited!), aNewPayout()))
    const made = await Promise.all(others.map((partner) => lanes.reserve(scopeOf(partner), aNewPayout())))
    expect(made.map(({ kind }) => kind)).toEqual(['reserved', 'reserved'])
    await owner.query('rollback')
    expect((await waiting.result).kind).toBe('reserved')
    for (const partner of partners) {
      expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, held: SENDS })
    }
  })
})

describe('a payout of which nothing can be decided', () => {
  it('fails by itself, and the outcomes of other wallets are recorded', async () => {
    const lanes = lanesWith()
    const reserved = await reservedOfEach(lanes)
    const outcomes = reserved.map(({ payout, made }) => outcomeOf(payout, made))
    const { asRead } = outcomes[0]!
    const impossible = { ...asRead!, row: { ...asRead!.row, sendState: 'never' as 'sending' } }
    outcomes[0] = { ...outcomes[0]!, asRead: impossible }
    const recorded = await Promise.allSettled(
      reserved.map(({ partner }, nth) => lanes.record(scopeOf(partner), outcomes[nth]!)),
    )
    expect(recorded.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  })
})
