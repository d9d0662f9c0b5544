// A worker at rest asks one question for all of its jobs: it is told of whatever one of them would find.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { after } from '../../src/core/clock.ts'
import { RESTING_MS } from '../../src/core/rest.ts'
import { createLook } from '../../src/domain/watch/look-for-work.ts'
import { createSealer } from '../../src/domain/audit/seal-activity.ts'
import { type Work, lookForWork } from '../../src/storage/look-for-work.ts'
import { statement } from '../../src/storage/sql.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, sql } from '../support/fixtures.ts'

const NOTHING: Work = {
  payouts: false,
  bankEvents: false,
  wallets: false,
  webhooks: false,
  activity: false,
  invoices: false,
}

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
})
afterAll(() => test.close())

const look = () => lookForWork(test.deps.db, test.clock.now(), 2 * RESTING_MS)

/** What is found of a row that is there for the moment of the look only. */
async function found(text: string): Promise<Work> {
  let work = NOTHING
  const gone = new Error('taken back')
  const looking = test.owner.inTransaction(async (tx) => {
    await tx.query(statement('', 'set local session_replication_role = replica'))
    await tx.query(statement('', text))
    work = await lookForWork(tx, test.clock.now(), 2 * RESTING_MS)
    throw gone
  })
  await expect(looking).rejects.toBe(gone)
  return work
}

async function comeToRest(): Promise<void> {
  test.clock.advance(60_000)
  await test.follow()
  await test.deps.activity.flush()
  const seal = createSealer(test.deps)
  while (await seal()) continue
  await sql(test, 'update wallets set connect_at = $1', [after(test.clock.now(), 60 * 60_000)])
}

it('says of nothing that there is nothing', async () => {
  await comeToRest()
  expect(await look()).toEqual(NOTHING)
})

it('tells of a payout that is soon due, and of what is to be sealed', async () => {
  await createPayout(test, partner)
  await test.deps.activity.flush()
  expect(await look()).toEqual({ ...NOTHING, payouts: true, activity: true })
  await comeToRest()
  expect(await look()).toEqual(NOTHING)
})

it.each<[keyof Work, string]>([
  [
    'bankEvents',
    `insert into bank_events (environment, event_id, category, object_ref, received_at) values ('sandbox', 'e', 'c', 'o', now())`,
  ],
  ['wallets', `update wallets set connect_at = null where environment = 'sandbox'`],
  ['activity', `insert into audit_backfills (partner_id) select id from partners`],
  [
    'invoices',
    `insert into invoices (partner_id, id, number, month, status, total_pence, issued_at, due_at)
     select id, gen_random_uuid(), 'KP-2026-000001', '2026-01-01', 'issued', 1, now(), now() from partners limit 1`,
  ],
  [
    'webhooks',
    `insert into webhook_endpoints (partner_id, environment, id, url, events, status, position, created_at, created_by, secret_sealed)
     select id, 'sandbox', gen_random_uuid(), 'https://a.example', '{payout.created}', 'active', 0, now(), 'somebody', '\\x00' from partners limit 1`,
  ],
])('tells of %s', async (kind, text) => {
  expect(await found(text)).toEqual({ ...NOTHING, [kind]: true })
})

it('is one question for all who ask at the same moment', async () => {
  let asked = 0
  const db = { ...test.deps.db, query: () => Promise.resolve([{ ...NOTHING, invoices: (asked += 1) > 1 }]) }
  const shared = createLook({ db: db as typeof test.deps.db, clock: test.clock }, 0)
  const answers = await Promise.all([shared(), shared(), shared()])
  expect(answers).toEqual([NOTHING, NOTHING, NOTHING])
  expect(asked).toBe(1)
})
