// Over a rail without a bank a payout is reserved and sent in one transaction. It must be the same payout as one that took
// all three steps, in every table, and no less safe when two ask at once or the database dies in between.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { type Owner, ownerOf } from '../storage/owner.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, anIdempotencyKey, createPayout, sql } from '../support/fixtures.ts'
import { type Instance, anotherInstance, firstInstance, idsOf, tally } from './instances.ts'
import { stopTheClock } from './stopped-clock.ts'
import { WAITING, untilWaiting } from './waiting.ts'
import { FLOAT, SENDS, UNTOUCHED, entriesOf, payoutsOf, walletOf } from './wallet.ts'

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

const TABLES = {
  payouts: ['recipient_sealed', 'fingerprint', 'created_by', 'spender_id'],
  // Only where the rail has said it, which in three steps it has not.
  payout_follow_ups: ['completes_at'],
  payout_recipients: [],
  "ledger_entries where kind <> 'credit'": ['id'],
  ledger_accounts: [],
  'events where facts is null': ['id', 'request_id'],
  usage_months: [],
  payout_days: [],
  wallet_days: [],
  spend_days: [],
  refund_checks: [],
}

/** What a partner's payouts have written, in each table, without what is different each time. Payouts are named by their order. */
async function allThatWasWritten({ id }: TestPartner): Promise<Record<string, unknown[]>> {
  const payouts = await sql<{ id: string }>(
    test,
    'select id from payouts where partner_id = $1 order by idempotency_key',
    [id],
  )
  const written: Record<string, unknown[]> = {}
  for (const [table, without] of Object.entries(TABLES)) {
    const rows = await sql<{ row: string }>(
      test,
      `select (to_jsonb(t) - $2::text[])::text as row from (select * from ${table}) t where partner_id = $1`,
      [id, ['partner_id', ...without]],
    )
    const named = rows.map(({ row }) => payouts.reduce((text, each, nth) => text.replaceAll(each.id, `#${nth}`), row))
    written[table] = named.toSorted().map((row) => JSON.parse(row) as unknown)
  }
  return written
}

async function inThreeSteps<T>(work: () => Promise<T>): Promise<T> {
  const { simulated } = test.deps.rails
  const { foretell } = simulated
  Object.assign(simulated, { foretell: undefined })
  return work().finally(() => Object.assign(simulated, { foretell }))
}

describe('a payout over a rail without a bank', () => {
  it.each([
    { story: 'settles', body: {} },
    { story: 'settles with a reference', body: { reference: 'Invoice 1042' } },
    { story: 'comes back', body: { reference: 'sandbox:return' } },
    { story: 'fails', body: { reference: 'sandbox:fail' } },
    { story: 'is cancelled', body: { reference: 'sandbox:cancel' } },
    { story: 'stays on its way', body: { reference: 'sandbox:hold' } },
    { story: 'is answered late', body: { reference: 'sandbox:late' } },
    { story: 'is refused', body: { reference: 'sandbox:reject' } },
    { story: 'is not sent', body: { reference: 'sandbox:down' } },
  ])('that $story is written as in three steps, and goes on as it would', async ({ body }) => {
    const other = await aPartner(test)
    // Twice each, so that there are warnings and a second position too.
    const pay = async (each: TestPartner) => [
      (await firstInstance(test).post(each, 'the-first', body)).statusCode,
      (await firstInstance(test).post(each, 'the-second', body)).statusCode,
    ]
    const atOnce = await pay(partner)
    expect(atOnce).toEqual(await inThreeSteps(() => pay(other)))
    const known = [await allThatWasWritten(partner)]
    expect(known[0]).toEqual(await allThatWasWritten(other))
    for (const later of [2_000, 3_000, 60_000]) {
      test.clock.advance(later)
      await test.follow()
      known.push(await allThatWasWritten(partner))
      expect(known.at(-1)).toEqual(await allThatWasWritten(other))
    }
  })

  it('counts in the month in which it completes in London, which is not the one of the rest of the world', async () => {
    const other = await aPartner(test)
    const now = test.clock.now()
    const july = Date.UTC(now.getUTCFullYear() + 1, 5, 30, 23)
    test.clock.advance(july - 1_000 - now.getTime())
    await firstInstance(test).post(partner, 'the-first')
    await inThreeSteps(() => firstInstance(test).post(other, 'the-first'))
    test.clock.advance(2_000)
    await test.follow()
    const used = `select to_char(month, 'MM') as month, created, completed from usage_months where partner_id = $1 order by 1`
    expect(await sql(test, used, [partner.id])).toEqual([
      { month: '06', created: 1n, completed: 0n },
      { month: '07', created: 0n, completed: 1n },
    ])
    expect(await allThatWasWritten(partner)).toEqual(await allThatWasWritten(other))
  })

  it('asks the rail nothing, has its two events from the request, and is in nobody’s hands', async () => {
    const submit = vi.spyOn(test.deps.rails.simulated, 'submit')
    const reply = await createPayout(test, partner)
    expect(reply.statusCode).toBe(201)
    expect(submit).not.toHaveBeenCalled()
    const { id } = reply.json<{ id: string }>()
    const events = await sql(test, 'select type, sequence, request_id from events where subject_id = $1 order by 2', [
      id,
    ])
    const requestId = reply.headers['x-request-id']
    expect(events).toEqual([
      { type: 'payout.created', sequence: 1, request_id: requestId },
      { type: 'payout.processing', sequence: 2, request_id: requestId },
    ])
    expect(await sql(test, 'select lease_token from payout_follow_ups where payout_id = $1', [id])).toEqual([
      { lease_token: null },
    ])
  })

  it('is asked for all the same when its answer is none that can be written ahead', async () => {
    const submit = vi.spyOn(test.deps.rails.simulated, 'submit')
    const late = await createPayout(test, partner, { reference: 'sandbox:late' })
    expect([late.statusCode, late.json<{ status: string }>().status]).toEqual([201, 'pending'])
    expect(submit).toHaveBeenCalledOnce()
  })
})

describe('a batch of all kinds', () => {
  it('pays what the wallet covers, in order, whatever way each goes', async () => {
    const poor = await aPartner(test, { usdc: '128.28' })
    const references = [undefined, 'sandbox:late', 'sandbox:reject', undefined, undefined, undefined, undefined]
    const replies = await Promise.all(
      references.map((reference) => createPayout(test, poor, reference === undefined ? {} : { reference })),
    )
    const { 422: refused = 0, 402: unfunded = 0, 201: paid = 0, ...others } = tally(replies)
    expect(others).toEqual({})
    expect(refused + unfunded + paid).toBe(7)
    const wallet = await walletOf(test, poor)
    expect(wallet['available']! + wallet['held']! + wallet['in_transit']!).toBe(4n * SENDS)
    expect(wallet['held']! + wallet['in_transit']!).toBe(BigInt(paid) * SENDS)
    expect((await payoutsOf(test, poor)).visible).toBe(paid)
  })
})

describe('one key asked for twenty times at once', () => {
  it.each([
    { where: 'in one process', instances: () => [firstInstance(test)] },
    { where: 'in two processes', instances: () => [firstInstance(test), second] },
  ])('makes one payout, $where', async ({ instances }) => {
    const [key, all] = [anIdempotencyKey(), instances()]
    const replies = await Promise.all(Array.from({ length: 20 }, (_, nth) => all[nth % all.length]!.post(partner, key)))
    expect(tally(replies)).toEqual({ 201: 1, 200: 19 })
    expect(idsOf(replies)).toHaveLength(1)
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, in_transit: SENDS })
    expect(await entriesOf(test, partner)).toEqual({ credit: 1, hold: 1, capture: 1 })
  })
})

describe('a connection that is lost before the transaction is over', () => {
  const LOCKED = `select 1 from ledger_accounts
    where partner_id = $1 and account = 'available' and environment = 'sandbox' for no key update`

  it('leaves nothing behind, and the same key pays once afterwards', async () => {
    const key = anIdempotencyKey()
    const cut = await owner.rolledBack(async () => {
      await owner.query(LOCKED, [partner.id])
      const asked = firstInstance(test).post(partner, key)
      await untilWaiting(onlooker, 1)
      await onlooker.query(`select pg_terminate_backend(pid) from (${WAITING}) waiting`)
      return asked
    })
    expect(cut.statusCode).toBe(503)
    expect(await walletOf(test, partner)).toEqual(UNTOUCHED)
    expect(await payoutsOf(test, partner)).toEqual({ count: 0, visible: 0 })
    expect((await allThatWasWritten(partner))['events where facts is null']).toEqual([])
    expect((await firstInstance(test).post(partner, key)).statusCode).toBe(201)
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, in_transit: SENDS })
  })
})
