// One real PostgreSQL for the whole run, with migrated template databases that every test file clones: one of our own, or the one
// that TEST_POSTGRES names.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { createBankDatabase, migrateBank } from '@kestrel/bank'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

import { startEmbeddedPostgres } from '../../src/local/embedded/index.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { makeDataFolder } from './data-folder.ts'
import { joinPostgres } from './given-postgres.ts'
import { LOG_DIR } from './log-dir.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** As the owner of everything. */
    readonly databaseUrl: string
    /** As the service connects, which owns nothing. */
    readonly serviceUrl: string
  }
}

interface Scripts {
  readonly ensureBuilt: (stream: NodeJS.WritableStream) => Promise<void>
}

const LIB = join(import.meta.dirname, '../../../../scripts/lib')

export const TEMPLATE = 'kestrel_template'
/** The same for the sandbox bank's books. */
export const BANK_TEMPLATE = 'bank_template'
const PASSWORD = 'only-for-tests'

const SETTINGS = {
  // Nothing here has to survive a power cut.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  // The log may lie in memory.
  max_wal_size: '256MB',
  // A password that is no secret needs no stretching: that was half of what a connection cost.
  scram_iterations: '1',
}
const MIGRATIONS = join(import.meta.dirname, '../../migrations')

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Every project of the run inherits this set-up and what it provides: one database is enough for all of them.
  if (!project.isRootProject()) return undefined
  // Threads run what is built, whatever runs the tests.
  const { ensureBuilt } = (await import(join(LIB, 'build.mjs'))) as Scripts
  await ensureBuilt(process.stdout)
  await rm(LOG_DIR, { recursive: true, force: true })
  await mkdir(LOG_DIR, { recursive: true })
  const given = process.env['TEST_POSTGRES']
  const postgres = given === undefined ? await startOwn() : { ...(await joinPostgres(given, TEMPLATE)), stop: nothing }
  await migrate({ url: postgres.url, serviceUrl: postgres.serviceUrl, folder: MIGRATIONS })
  await migrateBank(await createBankDatabase({ adminUrl: postgres.url, database: BANK_TEMPLATE }))
  await makeTemplates(postgres.url)
  project.provide('databaseUrl', postgres.url)
  project.provide('serviceUrl', postgres.serviceUrl)
  return postgres.stop
}

async function nothing(): Promise<void> {}

async function startOwn() {
  const dataDir = makeDataFolder()
  const postgres = await startEmbeddedPostgres({
    dataDir,
    password: PASSWORD,
    database: TEMPLATE,
    preferredPort: 25_499,
    settings: SETTINGS,
  })
  // Its password was stretched when the files were made, before there were settings.
  await asOwner(postgres.url, (client) =>
    client.query(`alter role current_user password ${client.escapeLiteral(PASSWORD)}`),
  )
  const stop = async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { url: postgres.url, serviceUrl: postgres.serviceUrl, stop }
}

/** A template can only be cloned while nobody is connected to it. */
async function makeTemplates(url: string): Promise<void> {
  await asOwner(url, async (client) => {
    for (const template of [TEMPLATE, BANK_TEMPLATE]) await client.query(`alter database ${template} is_template true`)
  })
}

async function asOwner(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await work(client)
  await client.end()
}
