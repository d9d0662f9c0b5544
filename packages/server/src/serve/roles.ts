// In production the same program runs as roles: any number of `kestrel api` and `kestrel worker`, one database.
// They log to standard output, one JSON line each, as supervisors like it.
import { type Config, ConfigError, isLocalDatabase } from '../config/config.ts'
import type { Env } from '../config/env.ts'
import { readSecrets } from '../config/secrets.ts'
import { type Service, composeService } from '../compose.ts'
import { systemClock } from '../core/clock.ts'
import { createLogger, type Logger } from '../logging.ts'
import { MIGRATIONS_FOLDER } from '../package-root.ts'
import { migrate } from '../storage/migrate.ts'
import { boundHeap } from './bounded-heap.ts'
import { apiOptions } from './dashboard-options.ts'
import { gatherLines } from './gathered-lines.ts'
import { listen } from './listen.ts'
import { openStdout } from './log-writer.ts'
import { requireDurable, requirePooled } from './require-settings.ts'
import { openAdmin, useModulusTable } from './open-admin.ts'
import { openTraces } from './open-traces.ts'
import { liveBank, sandboxBank, sandboxControls } from './open-bank.ts'
import { optionsFromSettings } from './service-options.ts'
import type { Life } from './shutdown.ts'

export async function runApi(config: Config, env: Env, life: Life): Promise<void> {
  const { closeFirst } = life
  const { service, log } = await startRole(config, env, { role: 'api', life })
  const { url, notes, close } = await listen({
    ...config,
    build: (publicUrl) => service.api(apiOptions(config, publicUrl, null)),
  })
  closeFirst('API', close)
  await openAdminDoor(config, service, { role: 'api', log, closeFirst })
  if (config.publicUrl !== null)
    closeFirst('bank messages', service.listenToBank({ sandbox: config.publicUrl, live: config.publicUrl }).stop)
  log.info({ url, notes }, 'serving')
}

export async function runWorker(config: Config, env: Env, life: Life): Promise<void> {
  const { service, log } = await startRole(config, env, { role: 'worker', life })
  life.closeFirst('worker', service.worker().stop)
  await openAdminDoor(config, service, { role: 'worker', log, closeFirst: life.closeFirst })
  log.info('working')
}

async function openAdminDoor(
  config: Config,
  service: Service,
  { role, log, closeFirst }: Pick<Started, 'log'> & Pick<Life, 'closeFirst'> & { role: Role },
): Promise<void> {
  const door = await openAdmin(config, service, role)
  if (door === null) return
  closeFirst('admin port', door.close)
  log.info({ url: door.url }, 'may be watched')
}

type Role = 'api' | 'worker'

interface Started {
  readonly service: Service
  readonly log: Logger
}

async function startRole(config: Config, env: Env, { role, life }: { role: Role; life: Life }): Promise<Started> {
  const { databaseUrl } = config
  if (databaseUrl === null) {
    throw new ConfigError(['DATABASE_URL must be set for this role. `kestrel serve` brings a database of its own.'])
  }
  boundHeap()
  useModulusTable(config)
  const secrets = await readSecrets(env, { dataDir: config.dataDir, mayMake: isLocalDatabase(databaseUrl) })
  const destination = gatherLines(openStdout())
  const log = createLogger({ level: config.logLevel, destination })
  life.closeFirst('log', async () => destination.flushSync())
  life.reportTo((problem) => log.error({ problem }, 'shutdown'))
  life.endOnUnknownError((error) => log.fatal({ err: error }, 'an error that nobody caught: ending'))
  await migrate({
    url: config.migrateDatabaseUrl ?? config.sessionDatabaseUrl ?? databaseUrl,
    serviceUrl: databaseUrl,
    folder: MIGRATIONS_FOLDER,
  })
  const banks = { sandbox: sandboxBank(config, secrets), live: liveBank(config, secrets) }
  const database = { url: databaseUrl, sessionUrl: config.sessionDatabaseUrl }
  await requirePooled(database)
  if (banks.live !== null) await requireDurable(database)
  const service = await composeService({
    databaseUrl,
    sessionDatabaseUrl: config.sessionDatabaseUrl,
    secrets,
    clock: systemClock,
    log,
    banks,
    sandboxControls: sandboxControls(config, env),
    ...optionsFromSettings(config, secrets),
    traces: await openTraces(config, role, log),
  })
  life.closeFirst('service', service.close)
  if (service.deps.mailer === null) log.warn('SMTP_URL is not set: mail is kept and nobody gets it')
  return { service, log }
}
