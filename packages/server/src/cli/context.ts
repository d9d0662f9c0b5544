// How a command reaches the database: the one of DATABASE_URL, the running server's, or one started for the moment.
import { type Config, isLocalDatabase } from '../config/config.ts'
import type { Env } from '../config/env.ts'
import { type Secrets, readSecrets } from '../config/secrets.ts'
import { type ServiceOptions, composeDeps } from '../compose.ts'
import { systemClock } from '../core/clock.ts'
import type { Deps } from '../domain/deps.ts'
import { findRunningPostgres, lockDataDirPatiently } from '../embedded/index.ts'
import { createLogger } from '../logging.ts'
import { MIGRATIONS_FOLDER } from '../package-root.ts'
import { liveBank, sandboxBank } from '../serve/open-bank.ts'
import { EMBEDDED_DATABASE, openOrStartDatabase } from '../serve/open-database.ts'
import { findRunningBank } from '../serve/sandbox-bank.ts'
import { migrate } from '../storage/migrate.ts'

export interface CommandContext {
  readonly config: Config
  readonly env: Env
}

export async function withDeps<T>(context: CommandContext, work: (deps: Deps) => Promise<T>): Promise<T> {
  const { config, env } = context
  const mayMake = config.databaseUrl === null || isLocalDatabase(config.databaseUrl)
  const secrets = await readSecrets(env, { dataDir: config.dataDir, mayMake })
  return withDatabase(config, secrets, async (databaseUrl) => {
    await migrate({ url: databaseUrl, folder: MIGRATIONS_FOLDER })
    const log = createLogger({ level: 'silent', destination: process.stderr })
    const deps = composeDeps({ databaseUrl, secrets, clock: systemClock, log, banks: runningBanks(config, secrets) })
    try {
      return await work(deps)
    } finally {
      await deps.db.close()
    }
  })
}

/** The banks as a running server sees them; the bundled one answers only while that server runs. */
function runningBanks(config: Config, secrets: Secrets): NonNullable<ServiceOptions['banks']> {
  const bundled = config.sandboxBankUrl === null ? findRunningBank(config.dataDir) : null
  const sandbox =
    bundled === null ? sandboxBank(config, secrets) : { baseUrl: bundled, apiKey: secrets.bank.sandboxApiKey }
  return { sandbox, live: liveBank(config, secrets) }
}

async function withDatabase<T>(config: Config, secrets: Secrets, work: (url: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl !== null) return work(config.databaseUrl)
  const { dataDir } = config
  const running = await findRunningPostgres({
    dataDir,
    password: secrets.databasePassword,
    database: EMBEDDED_DATABASE,
  })
  if (running !== null) return work(running.url)
  const lock = await lockDataDirPatiently(dataDir)
  try {
    const database = await openOrStartDatabase(config, secrets, (path) => path)
    try {
      return await work(database.url)
    } finally {
      await database.stop()
    }
  } finally {
    lock.release()
  }
}
