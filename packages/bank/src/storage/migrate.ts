// Applies the migrations that a database does not have yet, each in a transaction of its own, under one lock.
// Forward only: a database that is ahead of this program is refused rather than guessed at.
import pg from 'pg'

import { CONNECT_AT_START_WITHIN_MS, MEANING, asOptions } from './database.ts'
import { MIGRATIONS, type Migration } from './migrations/index.ts'

// Any constant will do, as long as nothing else takes an advisory lock with it.
const MIGRATION_LOCK = 7_340_212

export async function migrateBank(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_AT_START_WITHIN_MS,
    options: asOptions(MEANING),
  })
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
    await client.query(`create table if not exists migrations
      (name text primary key, applied_at timestamptz not null default now())`)
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const done = new Set(rows.map((row) => row.name))
    const unknown = [...done].find((name) => !MIGRATIONS.some((migration) => migration.name === name))
    if (unknown !== undefined) {
      throw new Error(
        `The bank's database has migration ${unknown}, which this program does not know: run a newer one.`,
      )
    }
    for (const migration of MIGRATIONS.filter(({ name }) => !done.has(name))) await applyOne(client, migration)
  } finally {
    await client.end()
  }
}

async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(migration.sql)
    await client.query('insert into migrations (name) values ($1)', [migration.name])
    await client.query('commit')
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new Error(`Migration ${migration.name} of the bank failed: ${problem}`, { cause: error })
  }
}
