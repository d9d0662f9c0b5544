// How a command reaches the database: through DATABASE_URL, at the running server, or by starting the stopped server's
// for the moment. A command creates nothing: no directory, no secrets, no database, no tables.
import { type Config, ConfigError, isLocalDatabase } from '../config/config.ts'
import { type Secrets, readSecrets } from '../config/secrets.ts'
import { keysAsBound } from '../bind-database.ts'
import { type ServiceOptions, composeDeps } from '../compose.ts'
import { systemClock } from '../core/clock.ts'
import type { Deps } from '../domain/deps.ts'
import { keyProblemOfCommand } from '../domain/secrets/bind-keys.ts'
import {
  DataDirInUseError,
  existingCluster,
  findRunningPostgres,
  lockDataDirPatiently,
} from '../local/embedded/index.ts'
import { createLogger } from '../logging.ts'
import { MIGRATIONS_FOLDER } from '../package-root.ts'
import { mailServer } from '../serve/dashboard-options.ts'
import { bundledBank, liveBank, sandboxBank } from '../serve/open-bank.ts'
import { EMBEDDED_DATABASE, type OpenedDatabase, openOrStartDatabase } from '../serve/open-database.ts'
import { findRunningBank } from '../serve/sandbox-bank.ts'
import { readSchemaState, schemaProblem } from '../storage/schema-state.ts'
import { ringForWork } from '../storage/work-bell.ts'
import type { CommandContext } from './command-context.ts'

/** The embedded database of a service that runs: it starts the database again by itself. */
class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError'
  /** PostgreSQL's own for "cannot connect now". */
  readonly code = '57P03'

  constructor(pid: number) {
    super(`The service runs as process ${pid}, and its database does not answer. Try again shortly.`)
  }
}

export type DatabaseUrls = Pick<OpenedDatabase, 'url' | 'ownerUrl'>

/** What a command wrote with other keys than the database's could be read by nobody, so it changes nothing with them. */
export function withDeps<T>(context: CommandContext, work: (deps: Deps) => Promise<T>): Promise<T> {
  return withDepsOfAnyKeys(context, async (deps) => {
    const why = await keyProblemOfCommand(deps.db, deps.secrets)
    if (why !== null) throw new ConfigError([why])
    return work(deps)
  })
}

/** For a look at the keys themselves. */
export async function withDepsOfAnyKeys<T>(context: CommandContext, work: (deps: Deps) => Promise<T>): Promise<T> {
  const secrets = await existingSecrets(context)
  return withDatabase(context.config, secrets, async ({ url: databaseUrl, ownerUrl }) => {
    const problem = schemaProblem(await readSchemaState({ url: ownerUrl, folder: MIGRATIONS_FOLDER }))
    if (problem !== null) throw new Error(problem)
    return withDepsOn(context, { databaseUrl, secrets }, work)
  })
}

/** On a database that is known to have this version. */
export async function withDepsOn<T>(
  { config }: CommandContext,
  { databaseUrl, secrets }: { databaseUrl: string; secrets: Secrets },
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  const deps = composeDeps({
    databaseUrl,
    secrets: { ...secrets, ...(await keysAsBound({ databaseUrl, secrets })) },
    clock: systemClock,
    log: createLogger({ level: 'silent', destination: process.stderr }),
    banks: runningBanks(config, secrets),
    smtp: mailServer(config, secrets),
    operator: config.operator,
  })
  try {
    const result = await work(deps)
    // A worker at rest need not find out by itself what the operator has done.
    await ringForWork(deps.db).catch(() => undefined)
    return result
  } finally {
    await deps.studio.close()
    await deps.post.settled()
    await deps.alarms.settled()
    deps.mailer?.close()
    await deps.db.close()
  }
}

/** The secrets that the service was started with; a command never makes any. */
export function existingSecrets({ config, env }: CommandContext): Promise<Secrets> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl === null && existingCluster(dataDir) === null) {
    throw new ConfigError([
      `There is no database in ${dataDir}. Run this where the service runs, set DATA_DIR or DATABASE_URL as it has them, or start it first: npm start`,
    ])
  }
  const mayMake = databaseUrl === null || isLocalDatabase(databaseUrl)
  return readSecrets(env, { dataDir, mayMake, onlyExisting: true })
}

/** The banks as a running server sees them; the bundled one answers only while that server runs. */
function runningBanks(config: Config, secrets: Secrets): NonNullable<ServiceOptions['banks']> {
  const bundled = config.sandboxBankUrl === null ? findRunningBank(config.dataDir) : null
  const sandbox = bundled === null ? sandboxBank(config, secrets) : bundledBank(bundled, secrets)
  return { sandbox, live: liveBank(config, secrets) }
}

/** The database that can be asked right now; null when the embedded one is not running. */
export async function runningDatabase(config: Config, secrets: Secrets): Promise<DatabaseUrls | null> {
  const { dataDir, databaseUrl } = config
  if (databaseUrl !== null) {
    // A command is a single caller: it has no use for a pooler.
    const url = config.sessionDatabaseUrl ?? databaseUrl
    return { url, ownerUrl: config.migrateDatabaseUrl ?? url }
  }
  const password = secrets.databasePassword
  const found = await findRunningPostgres({ dataDir, password, database: EMBEDDED_DATABASE })
  return found === null ? null : { url: found.serviceUrl, ownerUrl: found.url }
}

/**
 * For as long as the work takes. An embedded database that is not running is started for it, and created if there is
 * none.
 */
export async function withDatabase<T>(
  config: Config,
  secrets: Secrets,
  work: (database: DatabaseUrls) => Promise<T>,
): Promise<T> {
  const running = await runningDatabase(config, secrets)
  if (running !== null) return work(running)
  const lock = await lockDataDirPatiently(config.dataDir).catch((error: unknown) => {
    if (error instanceof DataDirInUseError) return error
    throw error
  })
  if (lock instanceof DataDirInUseError) {
    // It may have come back meanwhile.
    const back = await runningDatabase(config, secrets)
    if (back === null) throw new DatabaseAwayError(lock.pid)
    return work(back)
  }
  try {
    const database = await openOrStartDatabase(config, secrets, (path) => path)
    try {
      return await work(database)
    } finally {
      await database.stop()
    }
  } finally {
    lock.release()
  }
}
