// What the bank said of a new payout is written in one trip, decided from the row as it was reserved. Whatever has happened to
// that row meanwhile is found out under its lock, and then it is decided again.
import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { OutcomeOfPayout } from '../../src/domain/payouts/record/outcome-of-payout.ts'
import { recordOutcomes } from '../../src/domain/payouts/record/record-outcomes.ts'
import type { SubmitAnswer } from '../../src/rail/port.ts'
import { claimDuePayouts } from '../../src/storage/payout-follow-ups.ts'
import { lockPayouts } from '../../src/storage/payout-records.ts'
import type { PayoutAsRead } from '../../src/storage/payouts.ts'
import type { Database, SqlStatement, Tx } from '../../src/storage/sql.ts'
import { type Owner, PATIENT, ownerOf } from '../storage/owner.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner } from '../support/fixtures.ts'
import { reserveIn } from '../support/reserve-in.ts'
import { aNewPayout } from './a-new-payout.ts'
import { stopTheClock } from './stopped-clock.ts'
import { unhurried } from './unhurried.ts'
import { FLOAT, SENDS, UNTOUCHED, entriesOf, walletOf } from './wallet.ts'

let test: TestApp
let owner: Owner
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  stopTheClock(test)
  owner = await ownerOf(test.database.url)
})
beforeEach(async () => {
  partner = await aPartner(test)
})
afterAll(async () => {
  await owner.end()
  await test.close()
})

const scope = () => ({ partnerId: partner.id, environment: 'sandbox' }) as const

/** Reserves new payouts, and says what is known of each. */
async function reserved(count = 1): Promise<PayoutAsRead[]> {
  const payouts = Array.from({ length: count }, (_, nth) => aNewPayout({ reference: `Order ${nth}` }))
  const made = await reserveIn(test.deps, scope(), payouts)
  return made.flatMap((each) => (each.kind === 'reserved' ? [each.asRead!] : []))
}

const accepted = (id: string, state: 'submitted' | 'settled' = 'submitted'): SubmitAnswer => ({
  kind: 'accepted',
  transfer: {
    transferRef: `sim_hold_${id}`,
    state,
    refund: 'none',
    reason: null,
    bankState: 'told',
    nextChangeAt: null,
  },
})
const outcomeOf = (asRead: PayoutAsRead, answer = accepted(asRead.row.id)): OutcomeOfPayout => {
  const { id: payoutId, leaseToken } = asRead.row
  return { payoutId, leaseToken: leaseToken!, answer, isFirstHand: true, asRead }
}
const readUnderLock = (ids: readonly string[]) => test.deps.db.inTransaction((tx) => lockPayouts(tx, scope(), ids))

/** Claims a payout for a look, when its next one is due. */
async function claimed(id: string) {
  test.clock.advance(2_000)
  const now = test.clock.now()
  const leaseUntil = new Date(now.getTime() + 30_000)
  const claim = { due: [{ ...scope(), id }], now, leaseToken: randomUUID(), leaseUntil }
  const [row] = await test.deps.db.inTransaction((tx) => claimDuePayouts(tx, 'sandbox', claim))
  return row!
}

const patient = () => ({ ...test.deps, db: unhurried(test.deps.db) })

const CAPTURED = { ...UNTOUCHED, available: FLOAT - SENDS, in_transit: SENDS }
const HELD = { ...UNTOUCHED, available: FLOAT - SENDS, held: SENDS }

/** A database of which nothing is ever answered while a transaction is put together. */
function unanswering(sent: string[]): Database {
  const inTransaction: Database['inTransaction'] = (work) =>
    test.deps.db.inTransaction((tx) => {
      const note = ({ name }: SqlStatement) => void sent.push(name)
      const mute: Tx = {
        ...tx,
        query: (sql, values) => {
          note(sql)
          void tx.query(sql, values)
          return new Promise(() => undefined)
        },
        defer: (sql, values) => {
          note(sql)
          tx.defer(sql, values)
        },
      }
      return work(mute)
    })
  return { ...test.deps.db, inTransaction }
}

describe('what is known of a payout that was just reserved', () => {
  it('is its row, column by column, with its lease', async () => {
    const known = (await reserved(3)).map(({ row }) => row)
    const ids = known.map(({ id }) => id)
    const byId = (rows: typeof known) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    expect(byId(known)).toEqual(byId(await readUnderLock(ids)))
    expect(known[1]!.warnings).not.toBeNull()
  })

  it('is enough to record what the bank says, in one trip for the whole batch', async () => {
    for (const answer of [undefined, { kind: 'unknown', reason: 'no answer' } as const]) {
      const known = await reserved(3)
      const sent: string[] = []
      const outcomes = known.map((each) => outcomeOf(each, answer))
      const recorded = await recordOutcomes({ ...test.deps, db: unanswering(sent) }, scope(), outcomes)
      expect(recorded.map(({ isOurs }) => isOurs)).toEqual([true, true, true])
      const locks = ['wait_shortly', 'lock_payouts_as_read', 'lock_leases', 'lock_wallets']
      expect(sent.slice(0, 5)).toEqual([...locks, 'change_payouts'])
      const stored = new Map((await readUnderLock(known.map(({ row }) => row.id))).map((row) => [row.id, row]))
      for (const { row } of recorded) {
        expect(stored.get(row.id)).toMatchObject({ status: row.status, sendState: row.sendState, checks: row.checks })
        expect(stored.get(row.id)).toMatchObject({ surfacedAt: test.clock.now(), leaseToken: null })
      }
    }
    expect(await entriesOf(test, partner)).toEqual({ credit: 1, hold: 6, capture: 3 })
  })
})

describe('what is known of a payout that was claimed for a look', () => {
  it('is its row with the lease, and enough to record its end in one trip', async () => {
    const [known] = await reserved()
    const { id } = known!.row
    await recordOutcomes(test.deps, scope(), [outcomeOf(known!)])
    const { version, ...row } = await claimed(id)
    const now = test.clock.now()
    expect([row]).toEqual(await readUnderLock([id]))
    const sent: string[] = []
    const answer = accepted(id, 'settled')
    const outcomes = [{ ...outcomeOf({ row, version }, answer), isFirstHand: false }]
    const recorded = await recordOutcomes({ ...test.deps, db: unanswering(sent) }, scope(), outcomes)
    expect(recorded).toMatchObject([{ isOurs: true, row: { status: 'completed', completedAt: now } }])
    expect(sent).toContain('lock_payouts_as_read')
    expect(await readUnderLock([id])).toMatchObject([{ status: 'completed', completedAt: now, leaseToken: null }])
    expect(await entriesOf(test, partner)).toEqual({ credit: 1, hold: 1, capture: 1, settle: 1 })
  })
})

describe('a payout that is not as it was reserved when the answer comes', () => {
  const rewrite = 'update payouts set unanswered_at = created_at where partner_id = $1 and id = $2'
  const lease = `update payout_follow_ups set lease_token = gen_random_uuid() where partner_id = $1 and payout_id = $2`

  it('keeps what was written meanwhile, and gets its outcome', async () => {
    const [known] = await reserved()
    const { id, createdAt } = known!.row
    await owner.query(rewrite, [partner.id, id])
    const [recorded] = await recordOutcomes(test.deps, scope(), [outcomeOf(known!)])
    expect(recorded).toMatchObject({ isOurs: true, row: { status: 'processing', unansweredAt: createdAt } })
    expect(await readUnderLock([id])).toMatchObject([{ status: 'processing', unansweredAt: createdAt }])
    expect([await walletOf(test, partner), await entriesOf(test, partner)]).toEqual([
      CAPTURED,
      { credit: 1, hold: 1, capture: 1 },
    ])
  })

  it('is waited for, and seen as it then is', async () => {
    const [known] = await reserved()
    const { id, createdAt } = known!.row
    await owner.query('begin')
    await owner.query(rewrite, [partner.id, id])
    const recording = recordOutcomes(patient(), scope(), [outcomeOf(known!)])
    const waiting = `select 1 from pg_locks where not granted and locktype = 'transactionid'`
    await expect.poll(async () => (await owner.query(waiting)).length, PATIENT).toBeGreaterThan(0)
    await owner.query('commit')
    expect(await recording).toMatchObject([{ isOurs: true, row: { unansweredAt: createdAt } }])
    expect(await walletOf(test, partner)).toEqual(CAPTURED)
  })

  it('is left to whoever has its lease by now, and nothing of the batch is written twice', async () => {
    const [lost, ours] = await reserved(2)
    await owner.query(lease, [partner.id, lost!.row.id])
    const recorded = await recordOutcomes(test.deps, scope(), [outcomeOf(lost!), outcomeOf(ours!)])
    expect(recorded.map(({ isOurs }) => isOurs)).toEqual([false, true])
    expect(await entriesOf(test, partner)).toEqual({ credit: 1, hold: 2, capture: 1 })
  })

  it('because the program has its status wrong, is decided again: no money moves without its payout', async () => {
    const [known] = await reserved()
    const { id } = known!.row
    await recordOutcomes(test.deps, scope(), [outcomeOf(known!)])
    const { version, ...row } = await claimed(id)
    const wrong = outcomeOf({ row: { ...row, status: 'pending' }, version }, accepted(id, 'settled'))
    const [recorded] = await recordOutcomes(test.deps, scope(), [{ ...wrong, isFirstHand: false }])
    expect(recorded).toMatchObject({ isOurs: true, row: { status: 'completed' } })
    expect(await readUnderLock([id])).toMatchObject([{ status: 'completed' }])
    expect(await entriesOf(test, partner)).toEqual({ credit: 1, hold: 1, capture: 1, settle: 1 })
  })

  it('moves nothing at all if it has ended: the answer comes too late', async () => {
    const [known] = await reserved()
    const refused: SubmitAnswer = { kind: 'rejected', reason: 'no such account' }
    await recordOutcomes(test.deps, scope(), [outcomeOf(known!, refused)])
    const before = [await walletOf(test, partner), await entriesOf(test, partner), await readUnderLock([known!.row.id])]
    expect(before.slice(0, 2)).toEqual([
      { ...UNTOUCHED, available: FLOAT },
      { credit: 1, hold: 1, release: 1 },
    ])
    expect(await recordOutcomes(test.deps, scope(), [outcomeOf(known!)])).toMatchObject([{ isOurs: false }])
    expect([
      await walletOf(test, partner),
      await entriesOf(test, partner),
      await readUnderLock([known!.row.id]),
    ]).toEqual(before)
  })
})

it('of two that record one answer at once exactly one does, and the money moves once', async () => {
  for (let round = 0; round < 5; round++) {
    partner = await aPartner(test)
    const [known] = await reserved()
    expect(await walletOf(test, partner)).toEqual(HELD)
    const both = await Promise.all([1, 2].map(() => recordOutcomes(patient(), scope(), [outcomeOf(known!)])))
    expect(both.flat().filter(({ isOurs }) => isOurs)).toHaveLength(1)
    expect(both.flat().map(({ row }) => row.status)).toEqual(['processing', 'processing'])
    expect([await walletOf(test, partner), await entriesOf(test, partner)]).toEqual([
      CAPTURED,
      { credit: 1, hold: 1, capture: 1 },
    ])
  }
})
