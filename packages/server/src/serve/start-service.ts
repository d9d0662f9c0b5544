// The service itself, once its database and its bank have begun: all that takes long to load is loaded from here.
import type { Config } from '../config/config.ts'
import type { Env } from '../config/env.ts'
import type { Secrets } from '../config/secrets.ts'
import { type Service, composeService } from '../compose.ts'
import { systemClock } from '../core/clock.ts'
import { renderWelcome } from '../local/front-door/index.ts'
import { SERVICE_VERSION } from '../core/service-version.ts'
import { createLogger } from '../logging.ts'
import { MIGRATIONS_FOLDER } from '../package-root.ts'
import { migrate } from '../storage/migrate.ts'
import { boundHeap } from './bounded-heap.ts'
import { apiOptions, mailboxUrl } from './dashboard-options.ts'
import { DEMO, createDemoBusiness, hasDemoBusiness } from './demo-business.ts'
import { listen } from './listen.ts'
import { openLogFile } from './log-file.ts'
import { forgetAddress, noteAddress } from './noted-address.ts'
import { openAdmin, useModulusTable } from './open-admin.ts'
import { type BegunBank, liveBank, sandboxControls } from './open-bank.ts'
import { type OpenedDatabase, tellOfDatabase } from './open-database.ts'
import { openTraces } from './open-traces.ts'
import { requireDurable, requirePooled } from './require-settings.ts'
import { optionsFromSettings } from './service-options.ts'
import type { Life } from './shutdown.ts'
import { type FrontDoor, frontDoor, shortPath } from './steps.ts'

export interface Begun {
  readonly config: Config
  readonly env: Env
  readonly secrets: Secrets
  readonly database: Promise<OpenedDatabase>
  readonly bank: BegunBank
  /** Takes what hears of an embedded server that ends. */
  readonly onNews: (tell: ReturnType<typeof tellOfDatabase>) => void
}

/** Returns the welcome's greeting when everything answers. */
export async function startService(begun: Begun, life: Life): Promise<() => void> {
  const { config, env, secrets, bank } = begun
  const { closeFirst } = life
  const door = frontDoor(life.ending)
  useModulusTable(config)
  // Read while PostgreSQL and the bank start, which takes other processes. What is wrong with it is said where it is used.
  const reading = import('../http/server.ts')
  reading.catch(() => undefined)
  const { log, logFile } = openLog(config, life)
  begun.onNews(tellOfDatabase(log))
  const database = await door.step(() => begun.database)
  const opening = bank.open(database.bankUrl)
  opening.catch(() => undefined)
  await door.step(() => migrateIt(database))
  await requirePooled(database)
  if (liveBank(config, secrets) !== null) await requireDurable(database)
  const service = await composeService({
    databaseUrl: database.url,
    sessionDatabaseUrl: database.sessionUrl,
    secrets,
    clock: systemClock,
    log,
    banks: { sandbox: bank.provider, live: liveBank(config, secrets) },
    sandboxControls: bank.controls ?? sandboxControls(config, env),
    ...optionsFromSettings(config, secrets),
    traces: await openTraces(config, 'serve', log),
  })
  closeFirst('service', service.close)
  const asking = door.step(() => demoOf(service))
  asking.catch(() => undefined)
  const mailboxToken = service.deps.mailer === null ? secrets.mailboxToken : null
  // The database, and the bank, which is a program of its own, take a moment: the API is put together meanwhile, and opens after them.
  const untilReady = async () => {
    await asking
    await door.step(() => opening)
  }
  const listening = await door.step(() => openDoors(config, service, { mailboxToken, closeFirst, untilReady }))
  const demo = await asking
  // Not before: what reading the program throws away would be cleared again and again.
  boundHeap()
  log.info({ url: listening.url }, 'serving')
  return () => greet(door, { ...listening, logFile: logFile.path, key: demo.key, hasDemo: demo.isThere })
}

async function migrateIt(database: OpenedDatabase) {
  const { applied, total } = await migrate({
    url: database.ownerUrl,
    serviceUrl: database.url,
    folder: MIGRATIONS_FOLDER,
  })
  const detail = applied === 0 ? `${total} migrations, up to date` : `${applied} migrations applied`
  return { label: 'Schema', detail }
}

async function demoOf(service: Service) {
  const key = await createDemoBusiness(service.deps)
  const detail = key === null ? 'partners are there already' : `${DEMO.name}, 7,900.00 GBP of test float`
  return { label: 'Demo business', detail, key, isThere: await hasDemoBusiness(service.deps) }
}

function openLog(config: Config, { closeFirst, endOnUnknownError }: Life) {
  const logFile = openLogFile(config.dataDir)
  const log = createLogger({ level: config.logLevel, destination: logFile.destination })
  closeFirst('log', async () => logFile.destination.flushSync())
  endOnUnknownError((error) => {
    log.fatal({ err: error }, 'an error that nobody caught: ending')
    process.stderr.write(`  An error that nobody caught: ${String(error)}. See ${shortPath(logFile.path)}.\n`)
  })
  return { log, logFile }
}

/** Opens everything that listens or repeats, once all that it depends on is there. */
async function openDoors(
  config: Config,
  service: Service,
  {
    mailboxToken,
    closeFirst,
    untilReady,
  }: { mailboxToken: string | null; untilReady: () => Promise<unknown> } & Pick<Life, 'closeFirst'>,
) {
  const { url, notes, close } = await listen({
    ...config,
    build: async (publicUrl) => {
      const app = await service.api(apiOptions(config, publicUrl, mailboxToken))
      await app.ready()
      await untilReady()
      return app
    },
  })
  closeFirst('API', close)
  noteAddress(config.dataDir, 'api', { url, pid: process.pid })
  closeFirst('address', async () => forgetAddress(config.dataDir, 'api'))
  closeFirst('worker', service.worker().stop)
  const admin = await openAdmin(config, service, 'worker')
  if (admin !== null) closeFirst('admin port', admin.close)
  // The bundled bank is on this machine and reaches us here; any other uses our public address.
  const outside = config.publicUrl ?? url
  const urls = { sandbox: config.sandboxBankUrl === null ? url : outside, live: outside }
  closeFirst('bank messages', service.listenToBank(urls).stop)
  const { dashboard } = apiOptions(config, outside, mailboxToken)
  return { label: 'API and worker', detail: url, url: outside, mailboxToken: dashboard?.mailboxToken ?? null, notes }
}

function greet(
  door: FrontDoor,
  started: {
    url: string
    mailboxToken: string | null
    hasDemo: boolean
    logFile: string
    key: { secret: string } | null
  },
): void {
  const { url, logFile, key } = started
  const welcome = {
    version: SERVICE_VERSION,
    apiUrl: url,
    docsUrl: `${url}/docs`,
    dashboardUrl: `${url}/dashboard/`,
    ...(started.mailboxToken === null ? {} : { mailboxUrl: mailboxUrl(url, started.mailboxToken) }),
    ...(started.hasDemo ? { signInEmail: DEMO.adminEmail } : {}),
    logFile: shortPath(logFile),
    exampleAmount: '25.00',
    isFirstStart: key !== null,
    partnerName: DEMO.name,
    partnerSlug: DEMO.slug,
    ...(key === null ? {} : { sandboxKey: key.secret }),
  }
  door.print(`\n${renderWelcome(welcome, door.paint)}`)
}
