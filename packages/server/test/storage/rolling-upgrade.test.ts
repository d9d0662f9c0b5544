// Two versions on one database: what the older one notices, and how a migration keeps out of everybody's way.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { migrate } from '../../src/storage/migrate.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, createPayout, sql } from '../support/fixtures.ts'
import { type Owner, PATIENT, emptyDatabase, ownerOf } from './owner.ts'

describe('a process on a database that a newer version has migrated', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await startTestApp()
  })
  afterAll(() => test.close())

  it('is not ready and says why, follows no more payouts, and serves whoever is still sent to it', async () => {
    const partner = await aPartner(test)
    const worker = test.service.worker()
    await expect.poll(async () => (await test.app.inject('/readyz')).statusCode, PATIENT).toBe(200)
    await sql(test, `insert into migrations (name) values ('9999_from_the_future.sql')`)
    await expect
      .poll(async () => (await test.app.inject('/readyz')).json<{ problems: unknown }>().problems, PATIENT)
      .toEqual({
        schema:
          'The database has migration 9999_from_the_future.sql, which this version does not know: replace this process by the newer one.',
      })
    // From now on nothing that becomes due is looked at.
    const due = async () =>
      (
        await sql<{ due: number }>(
          test,
          `select count(*)::int as due from payout_follow_ups where next_check_at <= $1`,
          [test.clock.now()],
        )
      )[0]!.due
    await expect
      .poll(async () => {
        const made = await createPayout(test, partner)
        test.clock.advance(3_600_000)
        for (let look = 0; look < 20 && (await due()) > 0; look++)
          await new Promise((resolve) => setTimeout(resolve, 25))
        return [made.statusCode, (await due()) > 0]
      }, PATIENT)
      .toEqual([201, true])
    expect((await createPayout(test, partner)).statusCode).toBe(201)
    await worker.stop()
  })
})

describe('a migration', () => {
  let database: Awaited<ReturnType<typeof emptyDatabase>>
  let owner: Owner
  let folder: string
  beforeEach(async () => {
    database = await emptyDatabase()
    owner = await ownerOf(database.url)
    folder = mkdtempSync(join(tmpdir(), 'kestrel-migrations-'))
    writeFileSync(join(folder, '0001_one.sql'), 'create table one (id int)')
    await migrate({ url: database.url, folder })
  })
  afterEach(async () => {
    await owner.end()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('of a busy table steps back and comes again, so that nobody queues behind it for long', async () => {
    writeFileSync(join(folder, '0002_two.sql'), 'alter table one add column more text')
    await owner.query('begin')
    await owner.query('select * from one')
    const migrating = migrate({ url: database.url, folder })
    const onlooker = await ownerOf(database.url)
    const waiting = async () =>
      (await onlooker.query(`select 1 from pg_locks where relation = 'one'::regclass and not granted`)).length
    await expect.poll(waiting, PATIENT).toBe(1)
    await expect.poll(waiting, PATIENT).toBe(0)
    expect(await onlooker.query('select * from one')).toEqual([])
    await owner.query('commit')
    expect(await migrating).toEqual({ applied: 1, total: 2 })
    await onlooker.end()
  })

  it('that waits in a circle with somebody at work is the one to step back, and comes again', async () => {
    await owner.query('create table other (id int)')
    writeFileSync(join(folder, '0002_two.sql'), 'alter table one add more text; alter table other add more text')
    await owner.query('begin')
    await owner.query(`set local deadlock_timeout = '20s'`)
    await owner.query('select * from other')
    const migrating = migrate({ url: database.url, folder })
    const onlooker = await ownerOf(database.url)
    const waiting = `select 1 from pg_locks where relation = 'other'::regclass and not granted`
    await expect.poll(() => onlooker.query(waiting), PATIENT).toHaveLength(1)
    expect(await owner.query('select * from one')).toEqual([])
    await owner.query('commit')
    expect(await migrating).toEqual({ applied: 1, total: 2 })
    await onlooker.end()
  })

  it('that needs more of a table as it goes on takes the most at once, and nobody at work is ended for it', async () => {
    writeFileSync(
      join(folder, '0002_two.sql'),
      `create function nothing() returns trigger language plpgsql as $$ begin return null; end $$;
       create trigger one_is_watched after delete on one for each row execute function nothing();
       alter table one add column more text;`,
    )
    await owner.query('begin')
    await owner.query('select * from one')
    const migrating = migrate({ url: database.url, folder })
    const onlooker = await ownerOf(database.url)
    const waiting = `select 1 from pg_locks where relation = 'one'::regclass and not granted`
    await expect.poll(() => onlooker.query(waiting), PATIENT).toHaveLength(1)
    // With the lock of the trigger in its hands, the migration would wait for us, and we for it.
    expect(await owner.query('insert into one values (1)')).toEqual([])
    await owner.query('commit')
    expect(await migrating).toEqual({ applied: 1, total: 2 })
    await onlooker.end()
  })

  it('that says so is run outside of a transaction, while others wait for their turn', async () => {
    writeFileSync(
      join(folder, '0002_two.sql'),
      `-- outside a transaction: the index is built beside the work.
drop index concurrently if exists one_by_id;
create index concurrently one_by_id on one (id);
`,
    )
    const reports = await Promise.all(Array.from({ length: 4 }, () => migrate({ url: database.url, folder })))
    expect(reports.filter(({ applied }) => applied === 1)).toHaveLength(1)
    expect(await owner.query(`select indisvalid from pg_index where indexrelid = 'one_by_id'::regclass`)).toEqual([
      { indisvalid: true },
    ])
  })

  it('gives the service its part of every table, and cannot be run by it', async () => {
    const service = `upgrade_${process.pid}`
    await owner.query(`create role ${service} login password 'only-for-tests'`)
    try {
      const serviceUrl = new URL(database.url)
      serviceUrl.username = service
      serviceUrl.password = 'only-for-tests'
      const may = async (table: string) =>
        (
          await owner.query<{ may: boolean }>('select has_table_privilege($1, $2, $3) as may', [
            service,
            table,
            'update',
          ])
        )[0]!.may
      await expect(migrate({ url: serviceUrl.href, folder })).rejects.toThrow('permission denied')
      await migrate({ url: database.url, serviceUrl: serviceUrl.href, folder })
      expect(await may('one')).toBe(true)
      expect(await migrate({ url: serviceUrl.href, folder })).toEqual({ applied: 0, total: 1 })
      writeFileSync(join(folder, '0002_two.sql'), 'create table activity (id int)')
      await expect(migrate({ url: serviceUrl.href, folder })).rejects.toThrow('Set MIGRATE_DATABASE_URL')
      await migrate({ url: database.url, serviceUrl: serviceUrl.href, folder })
      expect(await may('activity')).toBe(false)
    } finally {
      await owner.query(`drop owned by ${service}`)
      await owner.query(`drop role ${service}`)
    }
  })
})
