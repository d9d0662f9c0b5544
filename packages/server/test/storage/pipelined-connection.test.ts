// The connection that look-ups share: an answer that does not come holds up those who wait for it, and nobody who comes later.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { isOutage } from '../../src/core/outage.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { type Database, statement } from '../../src/storage/sql.ts'
import { type TestDatabase, cloneDatabase } from '../support/database.ts'
import { ownerOf } from './owner.ts'

const APPLICATION = 'kestrel-look-ups'
const STUCK = statement('stuck', 'select pg_advisory_xact_lock(1)')
const SESSIONS = statement(
  'sessions',
  `select count(*)::int as count from pg_stat_activity where application_name = $1 and datname = current_database()`,
)
const BACKEND = statement('backend', 'select pg_backend_pid() as pid')

let own: TestDatabase
let db: Database
let other: Database
const open = (applicationName: string) =>
  openDatabase({
    url: own.url,
    applicationName,
    largestPool: 2,
    onConnectionError: () => undefined,
    // An answer that is owed for a moment is owed for too long.
    limits: { patienceMs: 0 },
  })
beforeAll(async () => {
  own = await cloneDatabase()
  db = open(APPLICATION)
  other = open('kestrel-others')
})
afterAll(async () => {
  await Promise.all([db.close(), other.close()])
  await own.drop()
})

const pidOf = async () => (await db.lookup.query<{ pid: number }>(BACKEND))[0]!.pid
const sessions = async () => (await other.query<{ count: number }>(SESSIONS, [APPLICATION]))[0]!.count

/** While somebody has a lock that a look-up waits for. What it answers in the end is returned. */
async function whileStuck(work: () => Promise<void>): Promise<unknown[]> {
  const { stuck } = await other.inTransaction(async (tx) => {
    await tx.query(STUCK)
    const answer = db.lookup.query(STUCK)
    await work()
    return { stuck: answer }
  })
  return stuck
}

describe('a look-up that gets no answer', () => {
  it('holds up nobody who comes later: they share another connection, and the first one is ended when it has answered', async () => {
    const before = await pidOf()
    const stuck = await whileStuck(async () => {
      const others = await Promise.all(Array.from({ length: 5 }, pidOf))
      expect(new Set(others).size).toBe(1)
      expect(others[0]).not.toBe(before)
    })
    expect(stuck).toHaveLength(1)
    await expect.poll(sessions).toBe(1)
  })

  it('is left once, and not again while it is owed its answer: a slow database gets one connection more, not ever more', async () => {
    const behind: Promise<unknown>[] = []
    const stuck = await whileStuck(async () => {
      await pidOf()
      behind.push(db.lookup.query(STUCK), pidOf(), pidOf())
      await expect.poll(sessions).toBe(2)
      behind.push(pidOf())
    })
    expect(stuck).toHaveLength(1)
    expect(await Promise.all(behind)).toHaveLength(4)
    await expect.poll(sessions).toBe(1)
  })
})

describe('a look-up that cannot be prepared, because a table is locked', () => {
  const LOCKED = statement('of_a_locked_table', 'select count(*) from readiness')

  it('is an outage for those who have sent the same behind it, too, and the next one works', async () => {
    const hasty = openDatabase({
      url: own.url,
      applicationName: 'hasty',
      largestPool: 1,
      onConnectionError: () => undefined,
      limits: { lookupMs: 300 },
    })
    const owner = await ownerOf(own.ownerUrl)
    try {
      await owner.query('begin')
      await owner.query('lock table readiness in access exclusive mode')
      const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => hasty.lookup.query(LOCKED)))
      await owner.query('commit')
      const errors = outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as unknown) : null))
      for (const error of errors) expect(error).toSatisfy(isOutage)
      expect(errors).toContainEqual(expect.objectContaining({ code: '26000' }))
      expect(await hasty.lookup.query(LOCKED)).toHaveLength(1)
    } finally {
      await owner.end()
      await hasty.close()
    }
  })
})
