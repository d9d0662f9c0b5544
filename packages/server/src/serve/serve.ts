// `npm start`: everything in one process, with a welcome that a newcomer can follow.
import { relative } from 'node:path'

import type { Config } from '../config/config.ts'
import { isLocalDatabase } from '../config/config.ts'
import { type Env, readEnv } from '../config/env.ts'
import { readSecrets } from '../config/secrets.ts'
import { type Service, composeService } from '../compose.ts'
import { monotonicMs, systemClock } from '../core/clock.ts'
import { lockDataDirPatiently } from '../local/embedded/index.ts'
import { paintFor, renderNote, renderStep, renderWelcome } from '../local/front-door/index.ts'
import { SERVICE_VERSION } from '../core/service-version.ts'
import { createLogger } from '../logging.ts'
import { MIGRATIONS_FOLDER } from '../package-root.ts'
import { migrate } from '../storage/migrate.ts'
import { boundHeap } from './bounded-heap.ts'
import { DEMO, createDemoBusiness, hasDemoBusiness } from './demo-business.ts'
import { listen } from './listen.ts'
import { openLogFile } from './log-file.ts'
import { requireDurable, requirePooled } from './require-settings.ts'
import { liveBank, openBank, sandboxControls } from './open-bank.ts'
import { apiOptions, mailServer, mailboxUrl, mayReachThisMachine } from './dashboard-options.ts'
import { openAdmin, useModulusTable } from './open-admin.ts'
import { openTraces } from './open-traces.ts'
import { openOrStartDatabase, tellOfDatabase } from './open-database.ts'
import { forgetAddress, noteAddress } from './noted-address.ts'
import { type Closable, closeAll, onStopSignal, onUnknownError } from './shutdown.ts'

export async function serve(config: Config, env: Env): Promise<void> {
  const door = frontDoor()
  // Closed in this order: first what takes work, last what the work depends on.
  const parts: Closable[] = []
  const closeFirst = (name: string, close: () => Promise<void>) => void parts.unshift({ name, close })
  onStopSignal(
    () => parts,
    (problem) => process.stderr.write(`  ${problem}\n`),
  )
  try {
    await start(config, env, { door, closeFirst, parts: () => parts })
  } catch (error) {
    await closeAll(parts, () => undefined)
    throw error
  }
}

interface Starting {
  readonly door: ReturnType<typeof frontDoor>
  readonly closeFirst: (name: string, close: () => Promise<void>) => void
  readonly parts: () => readonly Closable[]
}

async function start(config: Config, env: Env, { door, closeFirst, parts }: Starting): Promise<void> {
  boundHeap()
  useModulusTable(config)
  // Read while PostgreSQL and the bank start, which takes other processes. What is wrong with it is said where it is used.
  const reading = import('../http/server.ts')
  reading.catch(() => undefined)
  const lock = await lockDataDirPatiently(config.dataDir)
  closeFirst('data directory', async () => lock.release())
  const secrets = await readSecrets(env, {
    dataDir: config.dataDir,
    mayMake: config.databaseUrl === null || isLocalDatabase(config.databaseUrl),
  })
  const { log, logFile } = openLog(config, { closeFirst, parts })

  const database = await door.step(() => openOrStartDatabase(config, secrets, shortPath, tellOfDatabase(log)))
  closeFirst('database', database.stop)
  // The bank is a program of its own and takes a moment; the schema is migrated meanwhile.
  const opening = openBank(config, secrets, database.bankUrl)
  opening.catch(() => undefined)
  await door.step(async () => {
    const { applied, total } = await migrate({
      url: database.ownerUrl,
      serviceUrl: database.url,
      folder: MIGRATIONS_FOLDER,
    })
    return {
      label: 'Schema',
      detail: applied === 0 ? `${total} migrations, up to date` : `${applied} migrations applied`,
    }
  })
  await requirePooled(database)
  if (liveBank(config, secrets) !== null) await requireDurable(database)
  const bank = await door.step(() => opening)
  closeFirst('sandbox bank', bank.close)
  const service = await composeService({
    databaseUrl: database.url,
    sessionDatabaseUrl: database.sessionUrl,
    secrets,
    clock: systemClock,
    log,
    banks: { sandbox: bank.provider, live: liveBank(config, secrets) },
    sandboxControls: bank.controls ?? sandboxControls(config, env),
    sweepMs: config.sweepMs,
    activityMonths: config.activityMonths,
    smtp: mailServer(config, secrets),
    operator: config.operator,
    outbound: { mayReachThisMachine: mayReachThisMachine(config) },
    outboundRefuse: config.outboundRefuse,
    traces: await openTraces(config, 'serve', log),
  })
  closeFirst('service', service.close)
  const demo = await door.step(async () => {
    const key = await createDemoBusiness(service.deps)
    const detail = key === null ? 'partners are there already' : `${DEMO.name}, 7,900.00 GBP of test float`
    return { label: 'Demo business', detail, key, isThere: await hasDemoBusiness(service.deps) }
  })
  const mailboxToken = service.deps.mailer === null ? secrets.mailboxToken : null
  const listening = await door.step(() => openDoors(config, service, { mailboxToken, closeFirst }))
  // Said first of all: the next start then waits for this one to finish instead of giving up.
  closeFirst('announcement', async () => lock.announceStop())
  log.info({ url: listening.url }, 'serving')
  greet(door, { ...listening, logFile: logFile.path, key: demo.key, hasDemo: demo.isThere })
}

function openLog(config: Config, { closeFirst, parts }: Pick<Starting, 'closeFirst' | 'parts'>) {
  const logFile = openLogFile(config.dataDir)
  const log = createLogger({ level: config.logLevel, destination: logFile.destination })
  closeFirst('log', async () => logFile.destination.flushSync())
  onUnknownError(parts, (error) => {
    log.fatal({ err: error }, 'an error that nobody caught: ending')
    process.stderr.write(`  An error that nobody caught: ${String(error)}. See ${shortPath(logFile.path)}.\n`)
  })
  return { log, logFile }
}

/** Opens everything that listens or repeats, once all that it depends on is there. */
async function openDoors(
  config: Config,
  service: Service,
  { mailboxToken, closeFirst }: { mailboxToken: string | null } & Pick<Starting, 'closeFirst'>,
) {
  const { url, notes, close } = await listen({
    ...config,
    build: (publicUrl) => service.api(apiOptions(config, publicUrl, mailboxToken)),
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
  door: ReturnType<typeof frontDoor>,
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

interface StepResult {
  readonly label: string
  readonly detail: string
  readonly notes?: readonly string[]
}

function frontDoor() {
  const paint = paintFor(process.stdout, readEnv())
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  return {
    paint,
    print,
    async step<T extends StepResult>(work: () => Promise<T>): Promise<T> {
      const started = monotonicMs()
      const result = await work()
      for (const note of result.notes ?? []) print(renderNote(note, paint))
      print(renderStep({ label: result.label, detail: result.detail, ms: monotonicMs() - started }, paint))
      return result
    },
  }
}

function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path)
  return fromHere.startsWith('..') ? path : fromHere
}
