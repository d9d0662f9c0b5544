// One real PostgreSQL for the whole run, with migrated template databases that every test file clones.
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createBankDatabase, migrateBank } from '@kestrel/bank'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

import { startEmbeddedPostgres } from '../../src/local/embedded/index.ts'
import { migrate } from '../../src/storage/migrate.ts'
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
const MIGRATIONS = join(import.meta.dirname, '../../migrations')

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Every project of the run inherits this set-up and what it provides: one database is enough for all of them.
  if (!project.isRootProject()) return undefined
  // Threads run what is built, whatever runs the tests.
  const { ensureBuilt } = (await import(join(LIB, 'build.mjs'))) as Scripts
  await ensureBuilt(process.stdout)
  await rm(LOG_DIR, { recursive: true, force: true })
  await mkdir(LOG_DIR, { recursive: true })
  const dataDir = await mkdtemp(join(tmpdir(), 'kestrel-test-'))
  // Open to the user that PostgreSQL runs as when the tests run as root.
  await chmod(dataDir, 0o755)
  const postgres = await startEmbeddedPostgres({
    dataDir,
    password: 'only-for-tests',
    database: TEMPLATE,
    preferredPort: 25_499,
    // Nothing here has to survive a power cut.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  })
  await migrate({ url: postgres.url, serviceUrl: postgres.serviceUrl, folder: MIGRATIONS })
  await migrateBank(await createBankDatabase({ adminUrl: postgres.url, database: BANK_TEMPLATE }))
  await closeToConnections(postgres.url)
  project.provide('databaseUrl', postgres.url)
  project.provide('serviceUrl', postgres.serviceUrl)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A template can only be cloned while nobody is connected to it. */
async function closeToConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const template of [TEMPLATE, BANK_TEMPLATE]) await client.query(`alter database ${template} is_template true`)
  await client.end()
}
