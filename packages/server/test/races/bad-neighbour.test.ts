// Requests share transactions. What is wrong with one of them must never become another one's failure.
import { randomUUID } from 'node:crypto'

import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { recordOutcomes } from '../../src/domain/payouts/record/record-outcomes.ts'
import type { NewPayout } from '../../src/storage/payout-reservations.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, aRecipient, anIdempotencyKey, get } from '../support/fixtures.ts'
import { reserveIn } from '../support/reserve-in.ts'
import { type Owner, ownerOf } from '../storage/owner.ts'
import { aNewPayout } from './a-new-payout.ts'
import { type WatchedRail, firstInstance, tally, watchedRail } from './instances.ts'
import { FLOAT, SENDS, UNTOUCHED, payoutsOf, walletOf } from './wallet.ts'
import { stopTheClock } from './stopped-clock.ts'
import { unhurried } from './unhurried.ts'
import { untilWaiting } from './waiting.ts'

let test: TestApp
let rail: WatchedRail
let owner: Owner
let partner: TestPartner
beforeAll(async () => {
  rail = watchedRail({ now: () => test.clock.now() })
  test = await startTestApp({ rail })
  stopTheClock(test)
  owner = await ownerOf(test.database.url)
})
beforeEach(async () => {
  rail.asked.length = 0
  rail.answering = null
  partner = await aPartner(test)
})
afterEach(releaseWhatIsBeingSent)
afterAll(async () => {
  await owner.end()
  await test.close()
})

const scope = () => ({ partnerId: partner.id, environment: 'sandbox' as const })
const post = (key: string, body = {}) => firstInstance(test).post(partner, key, body)

type Held = Pick<NewPayout, 'id' | 'leaseToken'>

/** Records, as the holder of the lease, that the bank refused these. */
const recordRefusal = (payouts: readonly Held[], deps: Parameters<typeof recordOutcomes>[0] = test.deps) =>
  recordOutcomes(
    deps,
    scope(),
    payouts.map(({ id, leaseToken }) => ({
      payoutId: id,
      leaseToken,
      answer: { kind: 'rejected', reason: 'No such account.' },
      isFirstHand: true,
    })),
  )

/** What a test reserved by hand is let go again, so that the books are right at the end. */
async function releaseWhatIsBeingSent(): Promise<void> {
  const held = await owner.query<Held>(
    `select p.id, f.lease_token as "leaseToken" from payouts p join payout_follow_ups f on f.payout_id = p.id
      where p.partner_id = $1 and p.send_state = 'sending'`,
    [partner.id],
  )
  if (held.length > 0) await recordRefusal(held)
}

/** A transaction of somebody else's that has these payouts, until it is told to go on. */
async function somebodyHolding(payoutId: string) {
  const client = new pg.Client({ connectionString: test.database.url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin')
  await client.query('select 1 from payouts where id = $1 for no key update', [payoutId])
  return {
    query: (sql: string) => client.query(sql, [payoutId]),
    finish: async (how: 'commit' | 'rollback') => {
      await client.query(how)
      await client.end()
    },
  }
}

describe('a batch of reservations', () => {
  it.each([
    { what: 'a country that the database refuses', bad: { country: 'FR' } },
    { what: 'fee parts that do not add up', bad: { feeOnInvoice: 92n as NewPayout['feeOnInvoice'] } },
    { what: 'a key that the database refuses', bad: { idempotencyKey: 'no good' } },
    { what: 'a text that the database cannot keep', bad: { recipientName: 'A\u0000Name' } },
    { what: 'an id that is none', bad: { id: 'no-uuid' } },
  ])('with $what fails that one alone', async ({ bad }) => {
    const payouts = Array.from({ length: 20 }, (_, index) => aNewPayout(index === 10 ? bad : {}))
    const outcomes = await Promise.allSettled(payouts.map((payout) => test.deps.lanes.reserve(scope(), payout)))
    expect(outcomes.map(({ status }) => status)).toEqual(
      payouts.map((_, index) => (index === 10 ? 'rejected' : 'fulfilled')),
    )
    expect(await payoutsOf(test, partner)).toEqual({ count: 19, visible: 0 })
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - 19n * SENDS, held: 19n * SENDS })
  })

  it('answers each by its own: too dear, a key that is another’s, a repeat, and the good ones', async () => {
    partner = await aPartner(test, { usdc: '400.00' })
    const repeated = anIdempotencyKey()
    const reused = anIdempotencyKey()
    await post(repeated)
    await post(reused)
    const replies = await Promise.all([
      ...Array.from({ length: 8 }, () => post(anIdempotencyKey())),
      ...Array.from({ length: 8 }, () => post(anIdempotencyKey(), { amount_gbp: '20000.00' })),
      ...Array.from({ length: 8 }, () => post(repeated)),
      ...Array.from({ length: 8 }, () => post(reused, { amount_gbp: '1.00' })),
      ...Array.from({ length: 8 }, () => post(anIdempotencyKey(), { amount_gbp: '0.99' })),
    ])
    const statuses = replies.map((reply) => reply.statusCode)
    const runs = [0, 8, 16, 24, 32].map((start) => [...new Set(statuses.slice(start, start + 8))])
    expect(runs).toEqual([[201], [402], [200], [422], [422]])
    expect(await walletOf(test, partner)).toEqual({
      ...UNTOUCHED,
      available: 400_000_000n - 10n * SENDS,
      in_transit: 10n * SENDS,
    })
  })

  it('answers each by what the bank said to it: accepted, refused, not sent and in doubt side by side', async () => {
    const stories = ['ok', 'sandbox:reject', 'sandbox:down', 'sandbox:late']
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => post(anIdempotencyKey(), { reference: stories[index % 4] })),
    )
    replies.forEach((reply, index) => expect(reply.statusCode).toBe([201, 422, 502, 201][index % 4]))
    expect(await walletOf(test, partner)).toEqual({
      available: FLOAT - 20n * SENDS,
      held: 10n * SENDS,
      in_transit: 10n * SENDS,
      paid_out: 0n,
    })
  })
})

describe('a key that is given back at the very moment somebody asks for it', () => {
  it('is simply free: neither the one who asks nor anybody in the same batch fails', async () => {
    // An attempt is under way in another process, which is about to record that the bank refused it.
    const attempt = aNewPayout()
    await reserveIn(test.deps, scope(), [attempt])
    const recording = await somebodyHolding(attempt.id)

    const asking = [aNewPayout(), aNewPayout({ idempotencyKey: attempt.idempotencyKey }), aNewPayout(), aNewPayout()]
    const outcomes = Promise.allSettled(asking.map((payout) => test.deps.lanes.reserve(scope(), payout)))
    await untilWaiting(owner, 1)
    await recording.query(`update payouts set send_state = 'rejected', released_at = now() where id = $1`)
    await recording.query('delete from payout_follow_ups where payout_id = $1')
    await recording.query(
      `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
       select partner_id, environment, id, 'release', 'held', 'available', wallet_sends_micro, now()
         from payouts where id = $1`,
    )
    await recording.finish('commit')

    const answers = (await outcomes).map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value.kind : String(outcome.reason),
    )
    // Reserved, or told to ask again: both are answers. A failure is not.
    expect(answers).toEqual(['reserved', expect.stringMatching(/^(reserved|retry)$/), 'reserved', 'reserved'])
  })
})

describe('repeats of payouts whose outcomes are being recorded', () => {
  it('wait for them in one order and never in two: no deadlock, whatever the order of keys and ids', async () => {
    // The order of the keys is not the order of the ids.
    const ids = Array.from({ length: 3 }, () => randomUUID()).toSorted()
    const prefix = anIdempotencyKey()
    const first = aNewPayout({ id: ids[2]!, idempotencyKey: `${prefix}-a` })
    const middle = aNewPayout({ id: ids[1]!, idempotencyKey: `${prefix}-b` })
    const last = aNewPayout({ id: ids[0]!, idempotencyKey: `${prefix}-c` })
    await reserveIn(test.deps, scope(), [last, middle, first])

    // Somebody has the middle one, so that the repeats stop half-way through their locks.
    const holding = await somebodyHolding(middle.id)
    const repeats = [first, middle, last].map(({ idempotencyKey }) => aNewPayout({ idempotencyKey }))
    const deps = { ...test.deps, db: unhurried(test.deps.db) }
    const repeating = Promise.allSettled([reserveIn(deps, scope(), repeats)])
    await untilWaiting(owner, 1)
    const recording = Promise.allSettled([recordRefusal([last, first], deps)])
    await untilWaiting(owner, 2)
    await holding.finish('rollback')

    const outcomes = [...(await repeating), ...(await recording)]
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'done'))).toEqual([
      'done',
      'done',
    ])
  })
})

describe('a round of the worker', () => {
  it('does not stop at a payout that it cannot even read: its neighbours are followed', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => post(anIdempotencyKey(), { reference: 'sandbox:late' })),
    )
    expect(tally(replies)).toEqual({ 201: 6 })
    const ids = replies.map((reply) => reply.json<{ id: string }>().id)
    const [{ sealed }] = (await owner.query(SEALED, [ids[2]])) as [{ sealed: Buffer }]
    await seal(ids[2]!, Buffer.from([0]))
    for (let round = 0; round < 4; round++) {
      test.clock.advance(31_000)
      await followPayouts(test.deps).catch(() => undefined)
    }
    const statuses = await Promise.all(
      ids.map(async (id) => (await get(test, partner, `/v1/payouts/${id}`)).json<{ status: string }>().status),
    )
    // What was made unreadable is nothing that the worker should meet again.
    await seal(ids[2]!, sealed)
    expect(statuses).toEqual(ids.map((_, index) => (index === 2 ? 'pending' : 'completed')))
  })

  it('goes on with the next wallet in the same round when the bank breaks over one', async () => {
    const other = await aPartner(test)
    const bad = await post(anIdempotencyKey(), { reference: 'sandbox:late' })
    test.clock.advance(10)
    const good = await firstInstance(test).post(other, anIdempotencyKey(), { reference: 'sandbox:late' })
    // An adapter that throws before it even returns a promise.
    const broken: WatchedRail = {
      ...rail,
      submit: (request) => {
        if (request.clientReference === bad.json<{ id: string }>().id) throw new Error('a bug in the adapter')
        return rail.submit(request)
      },
    }
    test.clock.advance(1_600)
    await followPayouts({ ...test.deps, rails: { ...test.deps.rails, simulated: broken } }).catch(() => undefined)
    const after = await get(test, other, `/v1/payouts/${good.json<{ id: string }>().id}`)
    expect(after.json<{ status: string }>().status).toBe('processing')
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, held: SENDS })
  })

  it('pays the others when one of them ended in 0000', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        post(anIdempotencyKey(), { recipient: aRecipient(index === 5 ? { account_number: '12340000' } : {}) }),
      ),
    )
    expect(replies.map((reply) => reply.json<{ status: string }>().status)).toEqual(
      replies.map((_, index) => (index === 5 ? 'failed' : 'processing')),
    )
    expect(await walletOf(test, partner)).toEqual({
      ...UNTOUCHED,
      available: FLOAT - 9n * SENDS,
      in_transit: 9n * SENDS,
    })
  })
})

const SEALED = 'select recipient_sealed as sealed from payouts where id = $1'

/** Writes over what nobody else can change. */
async function seal(payoutId: string, sealed: Buffer): Promise<void> {
  await owner.query('alter table payouts disable trigger guard_payout')
  await owner.query('update payouts set recipient_sealed = $2 where id = $1', [payoutId, sealed])
  await owner.query('alter table payouts enable trigger guard_payout')
}
