// Statements that are sent without waiting: none is lost, and what failed first is what is told.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openDatabase } from '../src/storage/database.ts'
import type { Database } from '../src/storage/sql.ts'
import { type BankDatabase, aDatabase } from './support/test-bank.ts'

describe('a transaction', () => {
  let database: BankDatabase
  let db: Database

  beforeAll(async () => {
    database = await aDatabase()
    db = openDatabase({ url: database.url, largestPool: 2, onConnectionError: () => undefined })
    await db.query("create table notes (id int primary key, text text check (text <> 'bad'))")
  })
  afterAll(async () => {
    await db.close()
    await database.drop()
  })

  const INSERT = 'insert into notes (id, text) values ($1, $2)'
  const kept = async () => (await db.query<{ id: number }>('select id from notes order by id')).map(({ id }) => id)

  it('has written what was sent without waiting', async () => {
    await db.inTransaction(async (tx) => tx.defer(INSERT, [1, 'good']))
    expect(await kept()).toEqual([1])
  })

  it('keeps nothing if any of it failed, and says which', async () => {
    const failing = db.inTransaction(async (tx) => {
      tx.defer(INSERT, [2, 'good'])
      tx.defer(INSERT, [3, 'bad'])
      tx.defer(INSERT, [4, 'good'])
    })
    await expect(failing).rejects.toMatchObject({ constraint: 'notes_text_check' })
    expect(await kept()).toEqual([1])
  })

  it.each(['deferred', 'waited for'])(
    'tells of the first failure, which was %s, though others fail by it',
    async (how) => {
      const failing = db.inTransaction(async (tx) => {
        if (how === 'deferred') tx.defer(INSERT, [2, 'bad'])
        else await tx.query(INSERT, [2, 'bad']).catch(() => undefined)
        await tx.query('select 1 as one')
      })
      await expect(failing).rejects.toMatchObject({ constraint: 'notes_text_check' })
      expect(await kept()).toEqual([1])
    },
  )

  it('succeeds if what failed was undone', async () => {
    const result = await db.inTransaction(async (tx) => {
      tx.defer('savepoint before')
      tx.defer(INSERT, [2, 'bad'])
      await tx.query('rollback to savepoint before')
      tx.defer(INSERT, [5, 'good'])
      return 'done'
    })
    expect(result).toBe('done')
    expect(await kept()).toEqual([1, 5])
  })
})
