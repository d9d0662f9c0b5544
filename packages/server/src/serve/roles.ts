// In production the same program runs as roles: any number of `kestrel api` and `kestrel worker`, one database.
// They log to standard output, one JSON line each, as supervisors like it.
import { pino } from 'pino'

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
import { requireDurable, requirePooled } from './require-settings.ts'
import { openAdmin, useModulusTable } from './open-admin.ts'
import { openTraces } from './open-traces.ts'
import { liveBank, sandboxBank, sandboxControls } from './open-bank.ts'
import { optionsFromSettings } from './service-options.ts'
import { type Closable, onStopSignal, onUnknownError } from './shutdown.ts'

export async function runApi(config: Config, env: Env): Promise<void> {
  const { service, log, closeFirst } = await startRole(config, env, 'api')
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

export async function runWorker(config: Config, env: Env): Promise<void> {
  const { service, log, closeFirst } = await startRole(config, env, 'worker')
  closeFirst('worker', service.worker().stop)
  await openAdminDoor(config, service, { role: 'worker', log, closeFirst })
  log.info('working')
}

async function openAdminDoor(
  config: Config,
  service: Service,
  { role, log, closeFirst }: Pick<Started, 'log' | 'closeFirst'> & { role: 'api' | 'worker' },
): Promise<void> {
  const door = await openAdmin(config, service, role)
  if (door === null) return
  closeFirst('admin port', door.close)
  log.info({ url: door.url }, 'may be watched')
}

interface Started {
  readonly service: Service
  readonly log: Logger
  readonly closeFirst: (name: string, close: () => Promise<void>) => void
}

async function startRole(config: Config, env: Env, role: 'api' | 'worker'): Promise<Started> {
  const { databaseUrl } = config
  if (databaseUrl === null) {
    throw new ConfigError(['DATABASE_URL must be set for this role. `kestrel serve` brings a database of its own.'])
  }
  boundHeap()
  useModulusTable(config)
  const secrets = await readSecrets(env, { dataDir: config.dataDir, mayMake: isLocalDatabase(databaseUrl) })
  const destination = gatherLines(pino.destination({ dest: 1, sync: false }))
  const log = createLogger({ level: config.logLevel, destination })
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
  if (service.deps.mailer === null) log.warn('SMTP_URL is not set: mail is kept and nobody gets it')
  const parts: Closable[] = [
    { name: 'service', close: service.close },
    { name: 'log', close: async () => destination.flushSync() },
  ]
  onStopSignal(
    () => parts,
    (problem) => log.error({ problem }, 'shutdown'),
  )
  onUnknownError(
    () => parts,
    (error) => log.fatal({ err: error }, 'an error that nobody caught: ending'),
  )
  return { service, log, closeFirst: (name, close) => void parts.unshift({ name, close }) }
}
