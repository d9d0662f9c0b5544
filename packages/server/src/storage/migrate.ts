// Applies the numbered files of migrations/ in order under one lock, each in a transaction of its own, or in several
// steps. Forward only: a database that is ahead of this program is refused rather than guessed at.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import pg from 'pg'

import { sleep } from '../core/clock.ts'
import { readTables } from './known-tables.ts'
import { isOutsideTransaction, statementsOf, stepsOf } from './migration-steps.ts'
import { NEEDED_ENCODING } from './database-facts.ts'
import { grantPrivileges } from './privileges.ts'
import { MEANING, asOptions } from './session-settings.ts'
import { CONNECT_AT_START_WITHIN_MS, unlessSilent } from './silence.ts'
import { stepLocks } from './step-locks.ts'

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/
// Any constant will do, as long as nothing else takes an advisory lock with it.
const MIGRATION_LOCK = 7_340_211
const LOOK_AGAIN_MS = 100

// Whoever waits for a table's lock makes everybody behind wait too: better to step back and try again. Well below the second
// after which PostgreSQL looks for those who wait in a circle, and would end whoever looks: a request, and not the migration.
export const LOCK_TIMEOUT_MS = 500
export const LOCK_TRIES = 40
/**
 * Another transaction holds what is needed (55P03), or each waits for the other (40P01): the step is rolled back and
 * tried again.
 */
const IN_THE_WAY = new Set(['55P03', '40P01'])
const NO_PRIVILEGE = '42501'

export interface MigrationReport {
  readonly applied: number
  readonly total: number
}

export interface MigrationOptions {
  /** As the owner of the tables. */
  readonly url: string
  /** As whom the service connects: a role other than the owner's is given what it needs, and no more. */
  readonly serviceUrl?: string
  readonly folder: string
  /** How long the database may take to let us in, and then to say something. */
  readonly patienceMs?: number
}

export async function migrate(options: MigrationOptions): Promise<MigrationReport> {
  const { patienceMs = CONNECT_AT_START_WITHIN_MS } = options
  const files = await migrationFiles(options.folder)
  const client = new pg.Client({
    connectionString: options.url,
    connectionTimeoutMillis: patienceMs,
    keepAlive: true,
    // A month that begins at another moment than those before it would overlap with them.
    options: asOptions(MEANING),
  })
  // A caller that waits for an answer gets the error too; between two answers it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await takeTurn(client, patienceMs)
    const missing = await missingFrom(client, files)
    if (missing.length > 0) await makeRegister(client)
    for (const name of missing) await applyOne(client, name, await readFile(join(options.folder, name), 'utf8'))
    const serviceRole = roleOf(options.serviceUrl ?? options.url)
    if (serviceRole !== null && serviceRole !== roleOf(options.url)) await grantPrivileges(client, serviceRole)
    return { applied: missing.length, total: files.length }
  } finally {
    await client.end()
  }
}

export async function migrationFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => FILE_NAME.test(name)).toSorted()
}

const TRY_LOCK = `select pg_try_advisory_lock(${MIGRATION_LOCK}) as ours`

/** Polls rather than waits: `create index concurrently` would wait for every transaction that waits here. */
async function takeTurn(client: pg.Client, patienceMs: number): Promise<void> {
  for (;;) {
    // It waits for nobody: a database that lets us in and then says nothing to this is one that cannot be asked.
    const asked = client.query<{ ours: boolean }>(TRY_LOCK)
    const { rows } = await unlessSilent(client, patienceMs, asked)
    if (rows[0]?.ours === true) return
    await sleep(LOOK_AGAIN_MS)
  }
}

async function missingFrom(client: pg.Client, files: readonly string[]): Promise<string[]> {
  const { rows: found } = await client.query<{ there: boolean; encoding: string }>(
    `select to_regclass('migrations') is not null as there, current_setting('server_encoding') as encoding`,
  )
  const { there, encoding } = found[0]!
  // One that is in use goes on as it is; doctor tells of it.
  if (!there && encoding !== NEEDED_ENCODING) {
    throw new Error(
      `The database is encoded in ${encoding}, which does not hold everybody’s name. Make another for the service, with: create database kestrel encoding '${NEEDED_ENCODING}' template template0`,
    )
  }
  if (!there) return [...files]
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  const done = new Set(rows.map((row) => row.name))
  const unknown = [...done].find((name) => !files.includes(name))
  if (unknown !== undefined) {
    throw new Error(
      `The database has migration ${unknown}, which this program does not know. It was last used by a newer version: run that one.`,
    )
  }
  return files.filter((name) => !done.has(name))
}

async function makeRegister(client: pg.Client): Promise<void> {
  try {
    await client.query(`create table if not exists migrations
      (name text primary key, applied_at timestamptz not null default now())`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== NO_PRIVILEGE) throw error
    throw new Error(
      'The database is to be migrated, and the role of DATABASE_URL may not. Set MIGRATE_DATABASE_URL to the owner’s, or let a process that has it start first.',
      { cause: error },
    )
  }
}

async function applyOne(client: pg.Client, name: string, sql: string): Promise<void> {
  const steps = stepsOf(sql)
  const register = () => client.query('insert into migrations (name) values ($1)', [name])
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1
    await patiently(client, name, () => applyStep(client, step, isLast ? register : () => Promise.resolve(undefined)))
  }
  // A file of nothing but comments counts as applied too.
  if (steps.length === 0) await register()
}

async function applyStep(client: pg.Client, sql: string, atItsEnd: () => Promise<unknown>): Promise<void> {
  if (isOutsideTransaction(sql)) {
    for (const statement of statementsOf(sql)) await client.query(statement)
    await atItsEnd()
    return
  }
  await client.query('begin')
  await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
  await takeLocks(client, sql)
  await client.query(sql)
  await atItsEnd()
  await client.query('commit')
}

/**
 * The strongest lock that the step will need of each table, before any weaker one. A step that has a weak one and asks for more
 * waits for those who write, and they for it: PostgreSQL would end one of them, and mostly the one who writes.
 */
async function takeLocks(client: pg.Client, sql: string): Promise<void> {
  const known = await readTables(client)
  for (const { table, mode } of stepLocks(sql, known)) {
    if (mode !== 'row exclusive' && known.rows.has(table)) await client.query(`lock table ${table} in ${mode} mode`)
  }
}

async function patiently(client: pg.Client, name: string, step: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await step()
      return
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      if (attempt < LOCK_TRIES && error instanceof pg.DatabaseError && IN_THE_WAY.has(error.code ?? '')) {
        await sleep(LOOK_AGAIN_MS * attempt)
        continue
      }
      throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
    }
  }
}

/** Null when the address does not say, and the system's user is meant. */
function roleOf(url: string): string | null {
  const { username, searchParams } = new URL(url)
  const role = searchParams.get('user') ?? decodeURIComponent(username)
  return role === '' ? null : role
}
