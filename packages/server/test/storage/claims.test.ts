// What is taken from a queue is as much as was asked for, also by a plan that was made while nothing waited: plans are kept.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { claimBankEvents, thinBankEvents } from '../../src/storage/bank-events.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { claimMails } from '../../src/storage/mails.ts'
import type { Database, Tx } from '../../src/storage/sql.ts'
import { type TestDatabase, cloneDatabase } from '../support/database.ts'
import { type Owner, ownerOf } from './owner.ts'

const NOW = new Date('2026-11-17T12:00:00Z')
const LATER = new Date('2026-11-17T12:05:00Z')
const EVENTS = `insert into bank_events (environment, event_id, category, object_ref, received_at)
  select 'sandbox', to_char(n, 'FM0000'), 'transfer', 'some', $1::timestamptz - interval '1 hour' + n * interval '1 s'
    from generate_series(1, 300) n`
const MAILS = `insert into mails (id, kind, sealed, created_at, useful_until, next_try_at)
  select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, 'sign_in', '', $1, $1,
         $1::timestamptz - interval '1 hour' + n * interval '1 s' from generate_series(1, 300) n`

let database: TestDatabase
let owner: Owner
let db: Database
beforeAll(async () => {
  database = await cloneDatabase()
  owner = await ownerOf(database.url)
  for (const table of ['bank_events', 'mails']) {
    await owner.query(`alter table ${table} set (autovacuum_enabled = false)`)
    await owner.query(`analyze ${table}`)
  }
  const onConnectionError = () => undefined
  db = openDatabase({ url: database.ownerUrl, applicationName: 'claims', largestPool: 1, onConnectionError })
})
afterAll(async () => {
  await db.close()
  await owner.end()
  await database.drop()
})

const claimEvents = async (tx: Tx) =>
  (await claimBankEvents(tx, 'sandbox', { now: NOW, leaseMs: 60_000, most: 5 })).length
const claimSomeMails = async (tx: Tx) => (await claimMails(tx, { at: NOW, until: LATER, most: 5 })).length
const thinEvents = (tx: Tx) => thinBankEvents(tx, LATER, 5)

it.each([
  ['news of the bank', claimEvents, EVENTS],
  ['mails', claimSomeMails, MAILS],
])('%s that wait are taken as many as are asked for, each once', async (_, claim, fill) => {
  expect(await db.inTransaction(claim)).toBe(0)
  await owner.query(fill, [NOW])
  expect([await db.inTransaction(claim), await db.inTransaction(claim)]).toEqual([5, 5])
})

it('news of the bank that was tried before is taken after what is new, though it came earlier', async () => {
  await owner.query('delete from bank_events')
  await owner.query(EVENTS, [NOW])
  await owner.query(`update bank_events set attempts = 1 where event_id <= '0295'`)
  const claim = { now: NOW, leaseMs: 60_000, most: 8 }
  const taken = await db.inTransaction((tx) => claimBankEvents(tx, 'sandbox', claim))
  const ids = taken.map(({ eventId }) => eventId).toSorted()
  expect(ids).toEqual(['0001', '0002', '0003', '0296', '0297', '0298', '0299', '0300'])
})

it('news of the bank that is old is deleted as much at once as is asked for', async () => {
  await owner.query('update bank_events set handled_at = $1', [NOW])
  expect([await db.inTransaction(thinEvents), await db.inTransaction(thinEvents)]).toEqual([5, 5])
  expect(await owner.query('select count(*)::int as count from bank_events')).toEqual([{ count: 290 }])
})
