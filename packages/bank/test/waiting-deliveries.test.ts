// However much waits that cannot be sent yet, because its receiver is away or its webhook is switched off, a look for what can be
// sent does not read it.
import { afterEach, beforeEach, expect, it } from 'vitest'

import { startBank } from '../src/index.ts'
import { newEventId, newId } from '../src/core/ids.ts'
import { openDatabase } from '../src/storage/database.ts'
import {
  type AttemptResult,
  type ClaimedDelivery,
  claimDeliveries,
  queueManualDelivery,
  recordAttempts,
} from '../src/storage/deliveries.ts'
import { type BankEvent, recordEvents } from '../src/storage/events.ts'
import type { Database } from '../src/storage/sql.ts'
import { counting } from './support/pages-read.ts'
import { type BankDatabase, LogBook, aDatabase } from './support/test-bank.ts'

const OBJECTS = 1_000
const AT_ONCE = 10
/** Of a look that finds nothing. What waits fills hundreds. */
const MOST_PAGES = 20
const HOUR_MS = 60 * 60 * 1_000

let database: BankDatabase
let db: Database
let now: Date
beforeEach(async () => {
  now = new Date()
  database = await aDatabase()
  const options = { databaseUrl: database.url, host: '127.0.0.1', port: 0, apiKey: 'a', controlKey: 'c' }
  await (await startBank({ ...options, log: new LogBook().logger })).close()
  db = openDatabase({ url: database.url, largestPool: 2, onConnectionError: () => undefined })
  await db.query(`insert into webhooks (id, url, status, public_key, private_key, created_at)
                  values ('wep_a', 'http://127.0.0.1:1/', 'active', '', '', now())`)
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const objects = Array.from({ length: OBJECTS }, () => newId())
const toldOf = (deliveries: readonly ClaimedDelivery[]) => deliveries.map(({ event }) => event.objectId)

async function tell(objectIds: readonly string[]): Promise<void> {
  const about = { category: 'transfer', type: 'updated', objectStatus: null, object: {}, changes: {} } as const
  const events = objectIds.map((objectId): BankEvent => {
    return { ...about, id: newEventId(), objectId, availableAt: null, createdAt: now }
  })
  await db.inTransaction(async (tx) => recordEvents(tx, events, now))
}

const claim = (limit = AT_ONCE, through: Parameters<typeof claimDeliveries>[0] = db) =>
  claimDeliveries(through, { now, limit, lease: newId(), leaseMs: 60_000 })

/** What rows were before is not counted: the first look that comes across it clears it away. */
async function pagesOfALook(): Promise<number> {
  await db.query('vacuum deliveries')
  const pages = { read: 0 }
  expect(await claim(AT_ONCE, counting(db, pages))).toEqual([])
  return pages.read
}

async function end(deliveries: readonly ClaimedDelivery[], outcome: Partial<AttemptResult>): Promise<void> {
  const result = { state: 'waiting', attempts: 1, dueAt: now, mayBeOvertaken: false, at: now, ...outcome } as const
  await recordAttempts(
    db,
    deliveries.map((delivery) => ({ delivery, result, answer: null })),
  )
}

const inAnHour = () => new Date(now.getTime() + HOUR_MS)
const switchTo = (status: string) => db.query('update webhooks set status = $1', [status])

it('is put off: it is not read before, nor what waits for it, nor what has happened since', async () => {
  for (let times = 0; times < 3; times++) await tell(objects)
  await end(await claim(OBJECTS), { dueAt: inAnHour() })
  expect(await pagesOfALook()).toBeLessThan(MOST_PAGES)
  await tell(objects)
  expect(await pagesOfALook()).toBeLessThan(MOST_PAGES)

  now = inAnHour()
  for (let times = 0; times < 4; times++) {
    const claimed = await claim(OBJECTS)
    expect(toldOf(claimed)).toEqual(objects)
    expect(await claim()).toEqual([])
    await end(claimed, { state: 'done' })
  }
  expect(await claim()).toEqual([])
})

it('waits for a webhook that is switched off, which gets all of it when it is switched on', async () => {
  await switchTo('disabled')
  for (let times = 0; times < 3; times++) await tell(objects)
  expect(await pagesOfALook()).toBeLessThan(MOST_PAGES)
  await switchTo('active')
  for (let times = 0; times < 3; times++) {
    const claimed = await claim(OBJECTS)
    expect(toldOf(claimed)).toEqual(objects)
    await end(claimed, { state: 'done' })
  }
  expect(await claim()).toEqual([])
})

it('waits behind another that is put off: what is asked for by hand, or is another’s, goes all the same', async () => {
  const [first, other] = objects as [string, string]
  await tell([first, first])
  await end(await claim(), { dueAt: inAnHour() })
  await tell([other])
  const claimed = await claim()
  expect(toldOf(claimed)).toEqual([other])
  await end(claimed, { state: 'done' })
  await switchTo('disabled')
  const [event] = await db.query<{ id: string }>('select id from events order by seq limit 1')
  await db.inTransaction((tx) => queueManualDelivery(tx, { webhookId: 'wep_a', eventId: event!.id, now }))
  const asked = await claim()
  expect(asked).toMatchObject([{ isManual: true }])
  await end(asked, { state: 'done' })
  await switchTo('active')
  expect(await claim()).toEqual([])
})

it('may be overtaken: it goes when the next one has arrived, and not before', async () => {
  const [first] = objects as [string]
  await tell([first, first, first])
  const [overtaken] = await claim()
  await end([overtaken!], { dueAt: inAnHour(), mayBeOvertaken: true })
  const next = await claim()
  expect(next.map(({ event }) => event.seq)).toEqual([overtaken!.event.seq + 1n])
  await end(next, { state: 'done' })
  const both = await claim()
  expect(both.map(({ event }) => event.seq)).toEqual([overtaken!.event.seq, overtaken!.event.seq + 2n])
})

it('is recorded as it went, also where one before it is put off at the same moment', async () => {
  const [first] = objects as [string]
  await tell([first, first])
  const [overtaken] = await claim()
  await end([overtaken!], { mayBeOvertaken: true })
  const both = await claim()
  expect(both).toHaveLength(2)
  const at = { attempts: 1, mayBeOvertaken: false, at: now }
  await recordAttempts(db, [
    { delivery: both[0]!, result: { ...at, state: 'waiting', dueAt: inAnHour() }, answer: null },
    { delivery: both[1]!, result: { ...at, state: 'done', dueAt: now }, answer: null },
  ])
  expect(await db.query('select state from deliveries order by event_seq')).toEqual([
    { state: 'waiting' },
    { state: 'done' },
  ])
})
