// inTransaction: everything or nothing, and never a success that is not stored.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { isServerRefusal, openDatabase } from '../../src/storage/database.ts'
import { type Database, type Tx, statement } from '../../src/storage/sql.ts'
import { type TestDatabase, cloneDatabase } from '../support/database.ts'
import { type Owner, PATIENT, ownerOf } from './owner.ts'

let database: TestDatabase
let owner: Owner
let db: Database
beforeAll(async () => {
  database = await cloneDatabase()
  owner = await ownerOf(database.url)
  await owner.query("create table notes (id int primary key, text text not null check (text <> 'bad'))")
  db = openDatabase({
    url: database.ownerUrl,
    applicationName: 'tx',
    largestPool: 2,
    onConnectionError: () => undefined,
  })
})
beforeEach(() => owner.query('delete from notes'))
afterAll(async () => {
  await db.close()
  await owner.end()
  await database.drop()
})

const INSERT = statement('insert_note', 'insert into notes (id, text) values ($1, $2)')
const LOCK = statement('lock_notes', 'select id from notes for update')
const READ = statement('read_notes', 'select id from notes order by id')
const BROKEN = statement('broken', 'select * from no_such_table')
const WAIT = statement('wait', 'select pg_sleep(5)')
const DEFERRED_CHECK = statement('insert_child', 'insert into children (note) values ($1)')

const kept = async () => (await owner.query<{ id: number }>('select id from notes order by id')).map(({ id }) => id)
const outcomeOf = (work: (tx: Tx) => Promise<unknown>) =>
  db.inTransaction(work).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )

describe('a transaction', () => {
  it('keeps what it wrote, and gives what its work returned', async () => {
    const result = await db.inTransaction(async (tx) => {
      await tx.query(INSERT, [1, 'a'])
      tx.defer(INSERT, [2, 'b'])
      return 'done'
    })
    expect(result).toBe('done')
    expect(await kept()).toEqual([1, 2])
  })

  it('sees its own deferred writes, and nobody else does before the end', async () => {
    await db.inTransaction(async (tx) => {
      tx.defer(INSERT, [1, 'a'])
      expect(await tx.query(READ)).toEqual([{ id: 1 }])
      expect(await kept()).toEqual([])
    })
    expect(await kept()).toEqual([1])
  })

  it.each([
    {
      how: 'a deferred statement fails',
      work: async (tx: Tx) => {
        tx.defer(INSERT, [1, 'a'])
        tx.defer(INSERT, [2, 'bad'])
      },
      code: '23514',
    },
    {
      how: 'the first of many deferred statements fails',
      work: async (tx: Tx) => {
        tx.defer(INSERT, [1, 'bad'])
        for (let id = 2; id < 50; id++) tx.defer(INSERT, [id, 'a'])
      },
      code: '23514',
    },
    {
      how: 'a statement fails after others succeeded',
      work: async (tx: Tx) => {
        await tx.query(INSERT, [1, 'a'])
        await tx.query(INSERT, [1, 'again'])
      },
      code: '23505',
    },
    {
      how: 'a deferred statement fails before one that is waited for',
      work: async (tx: Tx) => {
        tx.defer(INSERT, [1, 'bad'])
        await tx.query(READ)
      },
      code: '23514',
    },
    {
      how: 'a deferred statement cannot even be read',
      work: async (tx: Tx) => {
        await tx.query(INSERT, [1, 'a'])
        tx.defer(BROKEN)
      },
      code: '42P01',
    },
  ])('keeps nothing when $how, and says so', async ({ work, code }) => {
    const outcome = await outcomeOf(work)
    expect(outcome).toMatchObject({ error: { code } })
    expect(isServerRefusal((outcome as { error: unknown }).error)).toBe(true)
    expect(await kept()).toEqual([])
  })

  it('keeps nothing when its work throws, even after everything was written', async () => {
    const outcome = await outcomeOf(async (tx) => {
      tx.defer(INSERT, [1, 'a'])
      await tx.query(INSERT, [2, 'b'])
      throw new TypeError('a bug')
    })
    expect(outcome).toEqual({ error: new TypeError('a bug') })
    expect(await kept()).toEqual([])
  })

  it('does not succeed when its work overheard a failure', async () => {
    const outcome = await outcomeOf(async (tx) => {
      await tx.query(INSERT, [1, 'a'])
      await tx.query(INSERT, [2, 'bad']).catch(() => undefined)
      return 'all is well'
    })
    expect(outcome).toHaveProperty('error')
    expect(await kept()).toEqual([])
  })

  it('does not succeed when the database refuses at the very end', async () => {
    await owner.query('create table children (note int references notes deferrable initially deferred)')
    try {
      const outcome = await outcomeOf(async (tx) => {
        tx.defer(INSERT, [1, 'a'])
        tx.defer(DEFERRED_CHECK, [99])
        return 'all is well'
      })
      expect(outcome).toMatchObject({ error: { code: '23503' } })
      expect(await kept()).toEqual([])
    } finally {
      await owner.query('drop table children')
    }
  })

  it('that failed leaves its connection fit for the next one', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, id) =>
        outcomeOf(async (tx) => {
          tx.defer(INSERT, [id, id % 2 === 0 ? 'a' : 'bad'])
          return id
        }),
      ),
    )
    expect(outcomes).toMatchObject(
      outcomes.map((_, id) => (id % 2 === 0 ? { value: id } : { error: { code: '23514' } })),
    )
    expect(await kept()).toEqual(Array.from({ length: 30 }, (_, index) => index * 2))
  })

  describe.each([
    ['begins', 'begin'],
    ['ends', 'commit'],
  ])('that is cancelled just as it %s', (_, word) => {
    /** What stands there instead fails as PostgreSQL lets it when somebody cancels it. */
    const cancelled = async (work: () => Promise<unknown>): Promise<unknown> => {
      // eslint-disable-next-line typescript/unbound-method -- it is called with the client that it was called on
      const query = pg.Client.prototype.query as (...asked: unknown[]) => unknown
      let isDone = false
      const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
        this: unknown,
        ...asked: unknown[]
      ) {
        if (isDone || typeof asked[0] !== 'string' || !asked[0].startsWith(word)) return query.apply(this, asked)
        isDone = true
        return query.apply(this, ['select pg_cancel_backend(pg_backend_pid()), pg_sleep(5)', ...asked.slice(1)])
      })
      try {
        return await work().then(
          () => null,
          (error: unknown) => error,
        )
      } finally {
        spy.mockRestore()
        expect(isDone).toBe(true)
      }
    }

    it.each<[string, () => Promise<unknown>]>([
      ['with its writes behind it', () => db.inTransaction(async (tx) => tx.defer(INSERT, [1, 'a']))],
      ['with a write that it waits for', () => db.inTransaction((tx) => tx.query(INSERT, [1, 'a']))],
      ['with a lock', () => db.inTransaction((tx) => tx.query(LOCK))],
      [
        'in one trip',
        () =>
          db.inOneTrip([
            [INSERT, [1, 'a']],
            [INSERT, [2, 'b']],
          ]),
      ],
      [
        'in one trip of which a part is refused',
        () =>
          db.inOneTrip([
            [INSERT, [1, 'a']],
            [INSERT, [2, 'bad']],
          ]),
      ],
    ])('keeps nothing, says why, and leaves no connection unfit: %s', async (what, work) => {
      const error = await cancelled(work)
      const isOfItsPart = word === 'commit' && what.endsWith('refused')
      expect(error).toMatchObject({ code: isOfItsPart ? '23514' : '57014' })
      expect(await kept()).toEqual([])
      for (let time = 0; time < 3; time++) expect(await db.query(READ)).toEqual([])
      await db.inTransaction((tx) => tx.query(INSERT, [3, 'c']))
      expect(await kept()).toEqual([3])
    })
  })

  it('whose connection is cut keeps nothing, is no refusal by the server, and the next one works', async () => {
    const cut = outcomeOf(async (tx) => {
      await tx.query(INSERT, [1, 'a'])
      await tx.query(WAIT)
    })
    await expect
      .poll(
        () => owner.query(`select 1 from pg_stat_activity where application_name = 'tx' and wait_event = 'PgSleep'`),
        PATIENT,
      )
      .toHaveLength(1)
    // This connection alone: that an idle one of the pool was cut as well could not be known before it is used.
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'tx' and wait_event = 'PgSleep'`,
    )
    const outcome = await cut
    expect(outcome).toHaveProperty('error')
    // An answer that was lost proves nothing: such a batch is never tried again item by item.
    expect(isServerRefusal((outcome as { error: unknown }).error)).toBe(false)
    expect(await kept()).toEqual([])
    await db.inTransaction(async (tx) => tx.defer(INSERT, [2, 'b']))
    expect(await kept()).toEqual([2])
  })
})

describe('a statement of a transaction', () => {
  const PLANS = statement(
    'plans_of_read_some',
    `select generic_plans::int as kept, custom_plans::int as "byValues" from pg_prepared_statements where name = 'read_some'`,
  )
  const READ_SOME = statement('read_some', 'select id from notes where id = any($1::int[])')
  const plansIn = (of: Database) =>
    of.inTransaction(async (tx) => {
      for (const id of [1, 2, 3]) await tx.query(READ_SOME, [[id]])
      return (await tx.query(PLANS))[0]
    })

  it('is planned once for whatever values it has', async () => {
    expect(await plansIn(db)).toEqual({ kept: 3, byValues: 0 })
  })

  it('is planned for its values where a database is opened for large reads', async () => {
    const reports = openDatabase({
      url: database.ownerUrl,
      applicationName: 'reports',
      largestPool: 1,
      plansByValues: true,
      onConnectionError: () => undefined,
    })
    expect(await plansIn(reports)).toEqual({ kept: 0, byValues: 3 })
    await reports.close()
  })

  it('leaves the connection as it was', async () => {
    await plansIn(db)
    const MODE = statement('mode', `select current_setting('plan_cache_mode') as mode`)
    expect(await Promise.all([db.query(MODE), db.query(MODE)])).toEqual([[{ mode: 'auto' }], [{ mode: 'auto' }]])
  })
})
