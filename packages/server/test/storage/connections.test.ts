// The connections to PostgreSQL: what happens when one of them is cut, and that none is left behind.
import { randomUUID } from 'node:crypto'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { isOutage } from '../../src/core/outage.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { type Database, statement } from '../../src/storage/sql.ts'
import { type TestDatabase, cloneDatabase } from '../support/database.ts'
import { type Owner, PATIENT, ownerOf } from './owner.ts'

let database: TestDatabase
let owner: Owner
beforeAll(async () => {
  database = await cloneDatabase()
  owner = await ownerOf(database.url)
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

let db: Database
let name: string
let heard: Error[]
beforeEach(() => {
  name = `under-test-${randomUUID()}`
  heard = []
  db = openDatabase({
    url: database.url,
    applicationName: name,
    largestPool: 4,
    onConnectionError: (error) => heard.push(error),
  })
})
afterEach(async () => {
  await db.close()
  const deadline = Date.now() + PATIENT.timeout
  while ((await openConnections()) > 0) {
    if (Date.now() > deadline) throw new Error('A connection was left behind')
  }
})

const openConnections = async () =>
  (await owner.query('select 1 from pg_stat_activity where application_name = $1', [name])).length
const cutAll = () =>
  owner.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [name])

/** The failures among these that do not mean "not now". */
const otherThanOutages = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' && !isOutage(outcome.reason) ? [outcome.reason] : []))

const ONE = statement('one', 'select 1 as one')
const ECHO = statement('echo', 'select $1::int as echo')
const SLOW = statement('slow', 'select pg_sleep(5)')
const BAD = statement('bad', 'select 1 / $1::int as quotient')

describe('the look-up connection', () => {
  it('is one connection, however many ask at once, and each gets its own answer', async () => {
    const answers = await Promise.all(Array.from({ length: 500 }, (_, index) => db.lookup.query(ECHO, [index])))
    expect(answers).toEqual(Array.from({ length: 500 }, (_, index) => [{ echo: index }]))
    expect(await openConnections()).toBe(1)
  })

  it('answers the others when one of them fails', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        db.lookup.query(index % 3 === 0 ? BAD : ECHO, [index % 3 === 0 ? 0 : index]),
      ),
    )
    expect(answers).toMatchObject(
      answers.map((_, index) =>
        index % 3 === 0
          ? { status: 'rejected', reason: { code: '22012' } }
          : { status: 'fulfilled', value: [{ echo: index }] },
      ),
    )
  })

  it('answers the others when one of them takes too long and is cancelled', async () => {
    await db.lookup.query(ONE)
    const slow = db.lookup.query(SLOW).then(
      () => null,
      (error: unknown) => error,
    )
    const others = Array.from({ length: 20 }, (_, index) => db.lookup.query(ECHO, [index]))
    const settled = Promise.allSettled(others)
    await expect
      .poll(
        () =>
          owner.query(`select 1 from pg_stat_activity where application_name = $1 and wait_event = 'PgSleep'`, [name]),
        PATIENT,
      )
      .toHaveLength(1)
    await owner.query('select pg_cancel_backend(pid) from pg_stat_activity where application_name = $1', [name])
    expect(await slow).toMatchObject({ code: '57014' })
    expect(await settled).toEqual(others.map((_, index) => ({ status: 'fulfilled', value: [{ echo: index }] })))
  })

  it('that was cut while it was idle is made anew for the next look-up', async () => {
    await db.lookup.query(ONE)
    await cutAll()
    await expect.poll(() => heard.length, PATIENT).toBeGreaterThan(0)
    expect(await db.lookup.query(ONE)).toEqual([{ one: 1 }])
    expect(await openConnections()).toBe(1)
  })

  it('that was cut under a look-up fails that one with an outage, and serves the next', async () => {
    await db.lookup.query(ONE)
    const slow = db.lookup.query(SLOW).then(
      () => null,
      (error: unknown) => error,
    )
    await expect
      .poll(
        () => owner.query(`select 1 from pg_stat_activity where application_name = $1 and state = 'active'`, [name]),
        PATIENT,
      )
      .toHaveLength(1)
    await cutAll()
    expect(await slow).toSatisfy(isOutage)
    expect(await db.lookup.query(ONE)).toEqual([{ one: 1 }])
  })

  it('that is asked at the very moment it is cut either answers or says that it is an outage, every time', async () => {
    for (let round = 0; round < 10; round++) {
      await db.lookup.query(ONE)
      const cut = cutAll()
      const answers = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => db.lookup.query(ECHO, [index])))
      await cut
      expect(otherThanOutages(answers)).toEqual([])
      // The cut is known by now or soon; from then on everything is as before.
      await expect.poll(() => db.lookup.query(ONE).catch(() => null), PATIENT).toEqual([{ one: 1 }])
    }
  })

  it('is asked again as soon as it is heard to be cut, and still there is only one', async () => {
    for (let round = 0; round < 5; round++) {
      await db.lookup.query(ONE)
      const seen = heard.length
      await cutAll()
      // As quick as a busy server would be: the error is heard before the socket is closed.
      while (heard.length === seen) await new Promise<void>((resolve) => setImmediate(resolve))
      await db.lookup.query(ONE)
      await db.lookup.query(ONE)
    }
    await expect.poll(openConnections, PATIENT).toBe(1)
  })
})

describe('the pool', () => {
  it('goes on after all of its connections were cut under their queries', async () => {
    await Promise.all(Array.from({ length: 4 }, () => db.query(ONE)))
    const busy = Promise.allSettled(Array.from({ length: 4 }, () => db.query(SLOW)))
    await expect
      .poll(
        () => owner.query(`select 1 from pg_stat_activity where application_name = $1 and state = 'active'`, [name]),
        PATIENT,
      )
      .toHaveLength(4)
    await cutAll()
    const outcomes = await busy
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'))
    expect(otherThanOutages(outcomes)).toEqual([])
    expect(await db.query(ONE)).toEqual([{ one: 1 }])
  })

  it('has its settings on every connection', async () => {
    const settings = statement(
      'settings',
      `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement,
              current_setting('idle_in_transaction_session_timeout') as idle, current_setting('TimeZone') as zone,
              current_setting('jit') as jit`,
    )
    const expected = [{ lock: '3s', statement: '10s', idle: '10s', zone: 'UTC', jit: 'off' }]
    expect(await db.lookup.query(settings)).toEqual([{ ...expected[0], statement: '4s' }])
    const answers = await Promise.all(Array.from({ length: 4 }, () => db.query(settings)))
    for (const answer of answers) expect(answer).toEqual(expected)
  })

  it('gives whole numbers as bigint and days as text', async () => {
    const typed = statement('typed', `select 9007199254740993::bigint as large, '2026-03-29'::date as day`)
    expect(await db.query(typed)).toEqual([{ large: 9_007_199_254_740_993n, day: '2026-03-29' }])
  })
})

describe('a database that is not there', () => {
  it('is an outage, for a look-up and for a transaction, and not a crash', async () => {
    const away = openDatabase({
      url: 'postgres://nobody@127.0.0.1:1/nothing',
      applicationName: 'away',
      largestPool: 1,
      onConnectionError: (error) => heard.push(error),
    })
    for (const ask of [() => away.lookup.query(ONE), () => away.query(ONE), () => away.inTransaction(async () => 1)]) {
      const error = await ask().then(
        () => null,
        (reason: unknown) => reason,
      )
      expect(error).toSatisfy(isOutage)
    }
    await away.close()
  })
})
