// Migrations are applied once, in order, whole or not at all, however many start at the same moment.
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MIGRATIONS_FOLDER } from '../../src/package-root.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { type Owner, emptyDatabase, ownerOf } from './owner.ts'

const FILES = readdirSync(MIGRATIONS_FOLDER).toSorted()

let database: Awaited<ReturnType<typeof emptyDatabase>>
let owner: Owner
let folder: string
beforeEach(async () => {
  database = await emptyDatabase()
  owner = await ownerOf(database.url)
  folder = mkdtempSync(join(tmpdir(), 'kestrel-migrations-'))
})
afterEach(async () => {
  await owner.end()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const applied = async () =>
  (await owner.query<{ name: string }>('select name from migrations order by name')).map(({ name }) => name)
const tables = async () =>
  (
    await owner.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    )
  ).map(({ name }) => name)
const write = (name: string, sql: string) => writeFileSync(join(folder, name), sql)

describe('the migrations', () => {
  it('are applied to an empty database, all of them, and a second time nothing happens', async () => {
    const first = await migrate({ url: database.url, folder: MIGRATIONS_FOLDER })
    expect(first).toEqual({ applied: FILES.length, total: FILES.length })
    expect(await applied()).toEqual(FILES)
    const before = await owner.query('select * from migrations order by name')
    const second = await migrate({ url: database.url, folder: MIGRATIONS_FOLDER })
    expect(second).toEqual({ applied: 0, total: FILES.length })
    expect(await owner.query('select * from migrations order by name')).toEqual(before)
  })

  it('are applied once when eight start at the same moment on an empty database', async () => {
    const reports = await Promise.all(
      Array.from({ length: 8 }, () => migrate({ url: database.url, folder: MIGRATIONS_FOLDER })),
    )
    expect(reports.map((report) => report.applied).toSorted((a, b) => b - a)).toEqual([
      FILES.length,
      ...Array.from({ length: 7 }, () => 0),
    ])
    expect(await applied()).toEqual(FILES)
  })

  it('are refused on a database that a newer program has used, which is left as it is', async () => {
    await migrate({ url: database.url, folder: MIGRATIONS_FOLDER })
    await owner.query(`insert into migrations (name) values ('9999_from_the_future.sql')`)
    await expect(migrate({ url: database.url, folder: MIGRATIONS_FOLDER })).rejects.toThrow(
      'The database has migration 9999_from_the_future.sql, which this program does not know. It was last used by a newer version: run that one.',
    )
    expect(await applied()).toEqual([...FILES, '9999_from_the_future.sql'])
  })

  it('that are new are not applied either while the database is ahead', async () => {
    write('0001_one.sql', 'create table one ()')
    await migrate({ url: database.url, folder })
    await owner.query(`insert into migrations (name) values ('0003_three.sql')`)
    write('0002_two.sql', 'create table two ()')
    await expect(migrate({ url: database.url, folder })).rejects.toThrow('0003_three.sql')
    expect(await tables()).toEqual(['migrations', 'one'])
  })
})

describe('a migration', () => {
  it('that fails half-way leaves nothing of itself, keeps those before it, and can be tried again', async () => {
    write('0001_one.sql', 'create table one ()')
    write('0002_two.sql', 'create table two (); create table two ()')
    write('0003_three.sql', 'create table three ()')
    await expect(migrate({ url: database.url, folder })).rejects.toThrow(
      'Migration 0002_two.sql failed: relation "two" already exists',
    )
    expect(await tables()).toEqual(['migrations', 'one'])
    expect(await applied()).toEqual(['0001_one.sql'])
    write('0002_two.sql', 'create table two ()')
    expect(await migrate({ url: database.url, folder })).toEqual({ applied: 2, total: 3 })
    expect(await tables()).toEqual(['migrations', 'one', 'three', 'two'])
  })

  it('that fails does not keep the others waiting: the lock is let go', async () => {
    write('0001_one.sql', 'no sql')
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => migrate({ url: database.url, folder })))
    expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'rejected'))
  })

  it('is recognised by its name: anything else in the folder is left alone', async () => {
    write('0001_one.sql', 'create table one ()')
    write('0002_two.sql.orig', 'create table two ()')
    write('README.md', 'create table three ()')
    expect(await migrate({ url: database.url, folder })).toEqual({ applied: 1, total: 1 })
    expect(await tables()).toEqual(['migrations', 'one'])
  })
})

describe('the migration that notes transfers per batch', () => {
  const NAME = '0093_transfers_kept_per_batch.sql'

  it('waits for nobody who reads payouts', async () => {
    for (const name of FILES.filter((each) => each < NAME)) cpSync(join(MIGRATIONS_FOLDER, name), join(folder, name))
    await migrate({ url: database.url, folder })
    const reader = await ownerOf(database.url)
    try {
      await reader.query('begin')
      await reader.query('select count(*) from payouts')
      cpSync(join(MIGRATIONS_FOLDER, NAME), join(folder, NAME))
      expect(await migrate({ url: database.url, folder })).toMatchObject({ applied: 1 })
    } finally {
      await reader.end()
    }
    const [{ kinds }] = (await owner.query<{ kinds: string }>(
      `select string_agg(tgname || ' ' || case when tgtype & 1 = 1 then 'row' else 'statement' end, ', ' order by tgname) as kinds
         from pg_trigger where tgrelid = 'payouts'::regclass and tgname like 'keep%transfer%'`,
    )) as [{ kinds: string }]
    expect(kinds).toBe('keep_new_transfer row, keep_transfer statement')
  })
})

describe('a database that lets us in and then says nothing', () => {
  it('is not waited for for ever, and the error says so', async () => {
    // Says that the login is done and that it is ready, and never anything else.
    const READY = Buffer.from('5200000008000000005a0000000549', 'hex')
    const silent = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.write(READY))
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    try {
      const url = `postgres://kestrel@127.0.0.1:${(silent.address() as AddressInfo).port}/kestrel`
      await expect(migrate({ url, folder: MIGRATIONS_FOLDER, patienceMs: 300 })).rejects.toThrow(
        'has not answered for 0.3 s',
      )
    } finally {
      await new Promise((resolve) => silent.close(resolve))
    }
  })
})
