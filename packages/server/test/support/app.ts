// The service as production composes it, on a database of its own. The worker runs when a test asks for it.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'

import { type ApiOptions, type Service, type ServiceOptions, composeService } from '../../src/compose.ts'
import type { PayoutRail } from '../../src/rail/port.ts'
import type { DataKeys } from '../../src/domain/deps.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { createLogger } from '../../src/logging.ts'
import type { Resolve } from '../../src/outbound/resolve-checked.ts'
import { createWebhookSender } from '../../src/outbound/send-webhook.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { findBreaks } from '../../src/storage/book-checks.ts'
import type { Database, SqlStatement } from '../../src/storage/sql.ts'
import { type TestBank, startTestBank } from './bank.ts'
import { TestClock } from './clock.ts'
import { type TestDatabase, cloneDatabase } from './database.ts'
import { keepBodiesForLater } from './kept-bodies.ts'
import { LOG_DIR } from './log-dir.ts'
import { checkAgainstSchema } from './response-schema.ts'
import { inPlaceOf } from './in-place-of.ts'

export const PUBLIC_URL = 'http://localhost:3000'

export const TEST_SECRETS = {
  sealKey: randomBytes(32),
  fingerprintKey: randomBytes(32),
  metricsToken: null,
}

/** No test asks a name server. The address is public, and no test sends anything there. */
export const resolveForTests: Resolve = () => Promise.resolve([{ address: '93.184.215.14', family: 4 }])

export interface TestApp {
  readonly app: FastifyInstance
  readonly service: Service
  readonly deps: Service['deps']
  /** The same database as its owner, for what the service itself may not do. */
  readonly owner: Database
  readonly clock: TestClock
  readonly database: TestDatabase
  /** The bank behind the sandbox, when the suite runs through one. */
  readonly bank: TestBank | null
  request(options: InjectOptions): Promise<LightMyRequestResponse>
  /** Follows what is due until nothing is, as the worker would. */
  follow(): Promise<void>
  /** Asserts that the books are right, then lets everything go. */
  close(): Promise<void>
}

export async function startTestApp(
  options: {
    rateLimitPerSecond?: number
    networkLimitPerSecond?: number
    database?: TestDatabase
    rail?: PayoutRail
    liveRail?: PayoutRail
    banks?: ServiceOptions['banks']
    otherBanks?: ServiceOptions['otherBanks']
    sandboxControls?: ServiceOptions['sandboxControls']
    smtp?: ServiceOptions['smtp']
    dashboard?: ApiOptions['dashboard']
    publicUrl?: string
    trustProxy?: readonly string[]
    databaseLimits?: ServiceOptions['databaseLimits']
    metricsToken?: string
    operator?: ServiceOptions['operator']
    outbound?: ServiceOptions['outbound']
    secrets?: DataKeys
    traces?: ServiceOptions['traces']
  } = {},
): Promise<TestApp> {
  const database = options.database ?? (await cloneDatabase())
  const clock = new TestClock()
  const isThroughBank =
    process.env['TEST_RAIL'] === 'bank' &&
    options.rail === undefined &&
    options.banks === undefined &&
    options.otherBanks === undefined
  const bank = isThroughBank ? await startTestBank() : null
  const log = createLogger({
    level: 'trace',
    destination: pino.destination({ dest: join(LOG_DIR, `${process.pid}.log`), sync: true }),
  })
  const service = await composeService({
    databaseUrl: database.url,
    secrets: { ...(options.secrets ?? TEST_SECRETS), metricsToken: options.metricsToken ?? null },
    clock,
    log,
    banks: options.banks ?? { sandbox: bank?.provider ?? null, live: null },
    ...(options.otherBanks === undefined ? {} : { otherBanks: options.otherBanks }),
    sandboxControls: options.sandboxControls ?? bank?.controls ?? null,
    smtp: options.smtp ?? null,
    outbound: {
      sender: createWebhookSender({ resolve: resolveForTests }),
      mayReachThisMachine: true,
      ...options.outbound,
    },
    ...(options.databaseLimits === undefined ? {} : { databaseLimits: options.databaseLimits }),
    ...(options.operator === undefined ? {} : { operator: options.operator }),
    traces: options.traces ?? null,
  })
  if (options.rail !== undefined) {
    const { rails } = service.deps
    Object.assign(rails, { simulated: inPlaceOf(rails.simulated, options.rail) })
  }
  if (options.liveRail !== undefined) Object.assign(service.deps.rails, { provider_production: options.liveRail })
  const app = await service.api({
    publicUrl: options.publicUrl ?? PUBLIC_URL,
    rateLimitPerSecond: options.rateLimitPerSecond ?? 0,
    ...(options.networkLimitPerSecond === undefined ? {} : { networkLimitPerSecond: options.networkLimitPerSecond }),
    ...(options.dashboard === undefined ? {} : { dashboard: options.dashboard }),
    ...(options.trustProxy === undefined ? {} : { trustProxy: options.trustProxy }),
  })
  await app.ready()
  const asOwner = openDatabase({
    url: database.ownerUrl,
    applicationName: 'owner',
    largestPool: 4,
    plansByValues: true,
    limits: { statementMs: 120_000 },
    onConnectionError: () => undefined,
  })
  const owner = writingAnywhere(asOwner)
  return {
    app,
    service,
    deps: service.deps,
    owner,
    clock,
    database,
    bank,
    request: async (request) => {
      const reply = await app.inject(inBrowser(request))
      checkAgainstSchema(app, request, reply)
      return reply
    },
    follow: async () => {
      if (bank !== null) await bringNewsHome(service.deps, bank, clock)
      while ((await followPayouts(service.deps)) > 0);
    },
    close: async () => {
      await app.close()
      await service.deps.activity.flush()
      await keepBodiesForLater(owner)
      const breaks = await findBreaks(owner)
      await owner.close()
      await service.close()
      await database.drop()
      await bank?.close()
      if (breaks.length > 0) throw new Error(`The books are broken: ${JSON.stringify(breaks)}`)
    },
  }
}

/** Whatever is asked may write, as in a console: each statement is a transaction, but for one that may be in none. */
export function writingAnywhere(db: Database): Database {
  const isVacuum = ({ text }: SqlStatement) => /^vacuum\b/i.test(text)
  return { ...db, query: (asked, values = []) => (isVacuum(asked) ? db.query(asked) : db.inOneTrip([[asked, values]])) }
}

/** The browser that a test signs in with, unless it says another: a code works only where it was asked for. */
export const TEST_BROWSER = 'b'.repeat(43)

function inBrowser(request: InjectOptions): InjectOptions {
  const cookie = String(request.headers?.['cookie'] ?? '')
  const isSigningIn = typeof request.url === 'string' && /^\/v1\/auth\/(code|session|sign-up)$/.test(request.url)
  if (!isSigningIn || cookie.includes('kestrel_browser')) return request
  const own = ['kestrel_browser', '__Host-kestrel_browser'].map((name) => `${name}=${TEST_BROWSER}`)
  return {
    ...request,
    headers: { ...request.headers, cookie: [...own, ...(cookie === '' ? [] : [cookie])].join('; ') },
  }
}

const pushedMs = new WeakMap<TestBank, number>()

/** The bank's clock follows the test's, forwards; then what it did is read as the worker's sweep would. */
async function bringNewsHome(deps: Service['deps'], bank: TestBank, clock: TestClock): Promise<void> {
  const ahead = clock.forwardMs - (pushedMs.get(bank) ?? 0)
  pushedMs.set(bank, clock.forwardMs)
  if (ahead > 0) await bank.control('POST', '/clock/advance', { ms: Math.round(ahead) })
  await sweepTransfers(deps, 'sandbox')
}
