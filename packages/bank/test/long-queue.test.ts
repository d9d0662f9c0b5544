// What the bank reads to send a few messages, when thousands wait and PostgreSQL has never looked at the tables.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { startBank } from '../src/index.ts'
import { newEventId, newId } from '../src/core/ids.ts'
import { openDatabase } from '../src/storage/database.ts'
import { type Attempt, claimDeliveries, recordAttempts } from '../src/storage/deliveries.ts'
import { type BankEvent, recordEvents } from '../src/storage/events.ts'
import type { Database } from '../src/storage/sql.ts'
import { counting } from './support/pages-read.ts'
import { type BankDatabase, LogBook, aDatabase } from './support/test-bank.ts'

const TRANSFERS = 1_000
const AT_ONCE = 10
/** By indexes some twenty per message; all that wait fills hundreds of pages, and is read again for each. */
const MOST_PAGES = 500

let database: BankDatabase
let db: Database
beforeAll(async () => {
  database = await aDatabase()
  const options = { databaseUrl: database.url, host: '127.0.0.1', port: 0, apiKey: 'a', controlKey: 'c' }
  await (await startBank({ ...options, log: new LogBook().logger })).close()
  db = openDatabase({ url: database.url, largestPool: 2, onConnectionError: () => undefined })
  // As on a machine where nobody has had the time yet to look at what has grown.
  for (const table of ['events', 'deliveries', 'delivery_logs']) {
    await db.query(`alter table ${table} set (autovacuum_enabled = off)`)
  }
  await db.query(`insert into webhooks (id, url, status, public_key, private_key, created_at)
                  values ('wep_a', 'http://127.0.0.1:1/', 'active', '', '', now())`)
  for (let times = 0; times < 3; times++) await tellOfAll(Array.from({ length: TRANSFERS }, (_, nth) => ids[nth]!))
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

const ids = Array.from({ length: TRANSFERS }, () => newId())

async function tellOfAll(objectIds: readonly string[]): Promise<void> {
  const now = new Date()
  const about = { category: 'transfer', type: 'updated', objectStatus: null, object: {}, changes: {} } as const
  const events = objectIds.map((objectId): BankEvent => {
    return { ...about, id: newEventId(), objectId, availableAt: null, createdAt: now }
  })
  await db.inTransaction(async (tx) => recordEvents(tx, events, now))
}

it('finds the next messages without a look at all that wait', async () => {
  const pages = { read: 0 }
  const claim = { now: new Date(), limit: AT_ONCE, lease: newId(), leaseMs: 60_000 }
  const claimed = await claimDeliveries(counting(db, pages), claim)
  expect(claimed.map(({ event }) => event.objectId)).toEqual(ids.slice(0, AT_ONCE))
  expect(pages.read).toBeLessThan(MOST_PAGES)

  // Behind those whose first message is on its way, all others of the same transfers wait.
  const rest = await claimDeliveries(db, { ...claim, limit: 3 * TRANSFERS })
  expect(rest).toHaveLength(TRANSFERS - AT_ONCE)
  pages.read = 0
  const at = new Date()
  const result = { state: 'done', attempts: 1, dueAt: at, mayBeOvertaken: false, at } as const
  const attempts = rest.slice(-AT_ONCE).map((delivery): Attempt => {
    return { delivery, result, answer: { status: 200, body: 'OK' } }
  })
  await recordAttempts(counting(db, pages), attempts)
  expect(pages.read).toBeLessThan(MOST_PAGES)
  const next = await claimDeliveries(db, claim)
  expect(next.map(({ event }) => event.objectId)).toEqual(ids.slice(-AT_ONCE))
})
