// Applies the numbered files of migrations/ in order, each in a transaction of its own, under one lock.
// Forward only: a database that is ahead of this program is refused rather than guessed at.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import pg from 'pg'

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/
// Any constant will do, as long as nothing else takes an advisory lock with it.
const MIGRATION_LOCK = 7_340_211

export interface MigrationReport {
  readonly applied: number
  readonly total: number
}

export async function migrate(options: { url: string; folder: string }): Promise<MigrationReport> {
  const files = (await readdir(options.folder)).filter((name) => FILE_NAME.test(name)).toSorted()
  const client = new pg.Client({ connectionString: options.url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
    await client.query(`create table if not exists migrations
      (name text primary key, applied_at timestamptz not null default now())`)
    const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
    const done = new Set(rows.map((row) => row.name))
    const unknown = [...done].find((name) => !files.includes(name))
    if (unknown !== undefined) {
      throw new Error(
        `The database has migration ${unknown}, which this program does not know. It was last used by a newer version: run that one.`,
      )
    }
    const missing = files.filter((name) => !done.has(name))
    for (const name of missing) await applyOne(client, name, await readFile(join(options.folder, name), 'utf8'))
    return { applied: missing.length, total: files.length }
  } finally {
    await client.end()
  }
}

async function applyOne(client: pg.Client, name: string, sql: string): Promise<void> {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (error) {
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
