// A database whose defaults are not PostgreSQL's own: the operator's zone, another way to write days, stricter transactions, another encoding.
import { migrateBank } from '@kestrel/bank'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { versionFinding } from '../../src/cli/database-findings.ts'
import { MIGRATIONS_FOLDER } from '../../src/package-root.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { lookAtDatabase } from '../../src/storage/look-at-database.ts'
import { statement } from '../../src/storage/sql.ts'
import { emptyDatabase, ownerOf } from './owner.ts'

const DEFAULTS = {
  TimeZone: 'America/New_York',
  DateStyle: 'SQL, DMY',
  default_transaction_isolation: 'serializable',
}

describe.each(['SQL_ASCII', 'LATIN1'])('a database that is encoded in %s', (encoding) => {
  const [version, majorVersion] = ['18.4', 18]
  const facts = {
    version,
    majorVersion,
    now: new Date(),
    isReadOnly: false,
    isSuperuser: false,
    mayChangeHistory: false,
    mayMakeTables: false,
  }

  it('is refused before anything is made in it, with what to do', async () => {
    const other = await emptyDatabase(`template0 encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`)
    await expect(migrate({ url: other.url, folder: MIGRATIONS_FOLDER })).rejects.toThrow(
      `The database is encoded in ${encoding}, which does not hold everybody’s name. Make another for the service, with: create database kestrel encoding 'UTF8' template template0`,
    )
    const owner = await ownerOf(other.url)
    expect(await owner.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
    await owner.end()
    await other.drop()
  })

  it('is told of by doctor, where it is in use', () => {
    expect(versionFinding({ ...facts, encoding })).toMatchObject({
      detail: expect.stringContaining(encoding) as unknown,
    })
    expect(versionFinding({ ...facts, encoding: 'UTF8' }).detail).toBe('PostgreSQL 18.4')
  })
})

let database: Awaited<ReturnType<typeof emptyDatabase>>
beforeEach(async () => {
  database = await emptyDatabase()
  const owner = await ownerOf(database.url)
  const name = new URL(database.url).pathname.slice(1)
  for (const [setting, value] of Object.entries(DEFAULTS))
    await owner.query(`alter database ${name} set ${setting} = '${value}'`)
  await owner.end()
})
afterEach(() => database.drop())

it('is migrated as any other: its months begin when those of others do', async () => {
  const { applied, total } = await migrate({ url: database.url, folder: MIGRATIONS_FOLDER })
  expect(applied).toBe(total)
  const bounds = await lookAtDatabase(database.url, async (client) => {
    const text = `select pg_get_expr(relpartbound, oid) as bound from pg_class where relname ~ '^activity_[0-9]{4}_[0-9]{2}$'`
    return (await client.query<{ bound: string }>(text)).rows.map(({ bound }) => bound)
  })
  expect(bounds.length).toBeGreaterThan(1)
  for (const bound of bounds)
    expect(bound).toMatch(/^FOR VALUES FROM \('\d{4}-\d\d-01 00:00:00\+00'\) TO \('\d{4}-\d\d-01 00:00:00\+00'\)$/)
})

it('takes the bundled bank’s books', async () => {
  await expect(migrateBank(database.url)).resolves.toBeUndefined()
})

it('is read and written by the service as any other', async () => {
  const db = openDatabase({
    url: database.url,
    applicationName: 'elsewhere',
    largestPool: 1,
    onConnectionError: (error) => expect.unreachable(error.message),
  })
  const moment = new Date('2026-03-04T05:06:07.089Z')
  const asked = statement(
    'defaults',
    `select $1::timestamptz as moment, '2026-03-04'::date as day, current_setting('transaction_isolation') as isolation`,
  )
  const answer = { moment, day: '2026-03-04', isolation: 'read committed' }
  expect(await db.query(asked, [moment])).toEqual([answer])
  expect(await db.lookup.query(asked, [moment])).toEqual([answer])
  expect(await db.inTransaction((tx) => tx.query(asked, [moment]))).toEqual([answer])
  await db.close()
})
