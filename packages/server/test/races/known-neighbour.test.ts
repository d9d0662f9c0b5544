// New payouts and repeats of earlier ones share a batch. The new ones are committed first: whatever then becomes of a
// repeat, their requests go on to the bank.
import { randomUUID } from 'node:crypto'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { createPayoutLanes } from '../../src/domain/payouts/create/payout-lanes.ts'
import type { Reservation } from '../../src/domain/payouts/create/reservation.ts'
import { recordOutcomes } from '../../src/domain/payouts/record/record-outcomes.ts'
import type { NewPayout } from '../../src/storage/payout-reservations.ts'
import type { PayoutRow } from '../../src/storage/payouts.ts'
import type { Database } from '../../src/storage/sql.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, anIdempotencyKey } from '../support/fixtures.ts'
import { reserveIn } from '../support/reserve-in.ts'
import { type Owner, ownerOf } from '../storage/owner.ts'
import { aNewPayout } from './a-new-payout.ts'
import { firstInstance } from './instances.ts'
import { stopTheClock } from './stopped-clock.ts'
import { FLOAT, SENDS, UNTOUCHED, payoutsOf, walletOf } from './wallet.ts'
import { WAITING, untilWaiting } from './waiting.ts'

let test: TestApp
let owner: Owner
let onlooker: Owner
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  stopTheClock(test)
  owner = await ownerOf(test.database.url)
  onlooker = await ownerOf(test.database.url)
})
beforeEach(async () => {
  partner = await aPartner(test)
})
afterEach(async () => {
  const held = await owner.query<Held>(
    `select p.id, f.lease_token as "leaseToken" from payouts p join payout_follow_ups f on f.payout_id = p.id
      where p.partner_id = $1 and p.send_state = 'sending'`,
    [partner.id],
  )
  if (held.length > 0) await refuse(held)
})
afterAll(async () => {
  await owner.end()
  await onlooker.end()
  await test.close()
})

const scope = () => ({ partnerId: partner.id, environment: 'sandbox' as const })

type Held = Pick<NewPayout, 'id' | 'leaseToken'>

/** Records that the bank refused what was reserved by hand, so that the books are right at the end. */
const refuse = (payouts: readonly Held[]) =>
  recordOutcomes(
    test.deps,
    scope(),
    payouts.map(({ id, leaseToken }) => ({
      payoutId: id,
      leaseToken,
      answer: { kind: 'rejected', reason: 'No such account.' },
      isFirstHand: true,
    })),
  )

/** An attempt that the bank refused: its key is known, and the same request tries again. */
async function aRefusedOne(): Promise<NewPayout> {
  const payout = aNewPayout()
  await reserveIn(test.deps, scope(), [payout])
  await refuse([payout])
  return payout
}

const repeatOf = ({ idempotencyKey }: NewPayout, changes: Partial<NewPayout> = {}) =>
  aNewPayout({ idempotencyKey, ...changes })

/** What each is answered, in a batch with one more that is new. */
async function throughTheLane(payouts: readonly NewPayout[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(
    [aNewPayout(), ...payouts].map((payout) => test.deps.lanes.reserve(scope(), payout)),
  )
  return outcomes.slice(1).map((each) => (each.status === 'fulfilled' ? each.value.kind : String(each.reason)))
}

/** It waits a quarter of a second at a time. */
async function cancelTheWaiting(): Promise<void> {
  await expect.poll(() => onlooker.query(`select pg_cancel_backend(pid) from (${WAITING}) waiting`)).toHaveLength(1)
}

describe('a repeat that fails after the new ones of its batch were made', () => {
  it('because the database refuses it, fails alone', async () => {
    const [bad, good] = [await aRefusedOne(), await aRefusedOne()]
    const wrong = { feeOnInvoice: 92n as NewPayout['feeOnInvoice'] }
    const answers = await throughTheLane([aNewPayout(), repeatOf(bad, wrong), repeatOf(good), aNewPayout()])
    expect(answers).toEqual(['reserved', 'failed', 'reserved', 'reserved'])
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - 4n * SENDS, held: 4n * SENDS })
  })

  it('because the database has no time for it, leaves the new ones to their requests', async () => {
    const repeated = await aRefusedOne()
    await owner.query('begin')
    await owner.query('select 1 from payouts where id = $1 for no key update', [repeated.id])
    const answering = throughTheLane([aNewPayout(), repeatOf(repeated), aNewPayout()])
    await cancelTheWaiting()
    expect(await answering).toEqual(['reserved', 'failed', 'reserved'])
    await owner.query('rollback')
  })

  it('because its row is no payout that there can be, fails alone', async () => {
    const [bad, good] = [await aRefusedOne(), await aRefusedOne()]
    const query = async (...asked: Parameters<Database['query']>) =>
      (await test.deps.db.query<PayoutRow>(...asked)).map((row) =>
        row.id === bad.id ? { ...row, completedAt: new Date(0) } : row,
      )
    const db = { ...test.deps.db, query: query as Database['query'] }
    const batch = [aNewPayout(), repeatOf(bad), repeatOf(good)]
    const made: Reservation[] = await reserveIn({ ...test.deps, db }, scope(), batch)
    expect(made.map(({ kind }) => kind)).toEqual(['reserved', 'failed', 'reserved'])
  })

  it('is the only request that is told so: the others are paid', async () => {
    const repeated = anIdempotencyKey()
    const post = (key: string, body = {}) => firstInstance(test).post(partner, key, body)
    expect((await post(repeated, { reference: 'sandbox:down' })).statusCode).toBe(502)
    const before = await payoutsOf(test, partner)
    await owner.query('begin')
    await owner.query('select 1 from payouts where partner_id = $1 for no key update', [partner.id])
    const replying = Promise.all(
      [anIdempotencyKey(), anIdempotencyKey(), repeated, anIdempotencyKey()].map((key) =>
        post(key, key === repeated ? { reference: 'sandbox:down' } : {}),
      ),
    )
    await cancelTheWaiting()
    expect((await replying).map((reply) => reply.statusCode)).toEqual([201, 201, 503, 201])
    await owner.query('rollback')
    expect(await payoutsOf(test, partner)).toEqual({ count: before.count + 3, visible: 3 })
    expect(await walletOf(test, partner)).toEqual({
      ...UNTOUCHED,
      available: FLOAT - 3n * SENDS,
      in_transit: 3n * SENDS,
    })
  })
})

describe('a payout that is asked for again under the id that it has', () => {
  it('is its first request still under way: it is neither made twice nor counted out again', async () => {
    const payout = aNewPayout()
    await reserveIn(test.deps, scope(), [payout])
    const [again] = await reserveIn(test.deps, scope(), [payout])
    expect(again).toMatchObject({ kind: 'taken', row: { id: payout.id, surfacedAt: null } })
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, held: SENDS })
  })
})

describe('a batch that waits in a circle with a process of the release before', () => {
  it('is asked again one by one, and nobody in it fails', async () => {
    const wallet = `select 1 from ledger_accounts
      where partner_id = $1 and account = 'available' and environment = 'sandbox' for no key update`
    const first = aNewPayout()
    await reserveIn(test.deps, scope(), [first])
    const contended = aNewPayout()
    const older = await ownerOf(test.database.url)
    await older.query('begin')
    await older.query(`set local deadlock_timeout = '20s'`)
    // It has claimed the key; the wallet it asks for after the batch.
    await older.query('insert into payouts select (jsonb_populate_record(p, $2)).* from payouts p where p.id = $1', [
      first.id,
      JSON.stringify({ id: randomUUID(), idempotency_key: contended.idempotencyKey }),
    ])
    let trips = 0
    const inOneTrip: Database['inOneTrip'] = async (statements) => {
      if (++trips === 1) {
        await owner.query('begin')
        await owner.query(wallet, [partner.id])
      }
      return test.deps.db.inOneTrip(statements)
    }
    const lanes = createPayoutLanes({ ...test.deps, db: { ...test.deps.db, inOneTrip } })
    const batch = Promise.allSettled(
      [aNewPayout(), aNewPayout(), contended, aNewPayout()].map((payout) => lanes.reserve(scope(), payout)),
    )
    await untilWaiting(onlooker, 1)
    const olderHasTheWallet = older.query(wallet, [partner.id])
    await untilWaiting(onlooker, 2)
    await owner.query('rollback')
    await olderHasTheWallet
    await older.query('rollback')
    await older.end()

    const answers = (await batch).map((each) => (each.status === 'fulfilled' ? each.value.kind : String(each.reason)))
    // The other may free the key after it was looked at: then its request asks again, as every request does.
    if (answers[2] === 'retry') answers[2] = (await lanes.reserve(scope(), contended)).kind
    expect(answers).toEqual(['reserved', 'reserved', 'reserved', 'reserved'])
  })
})
