// The only file that builds real dependencies and joins the layers.
import type { Environment } from '@kestrel/contract'
import type { FastifyInstance } from 'fastify'

import { bindDatabase } from './bind-database.ts'
import type { Secrets } from './config/secrets.ts'
import { type BankOptions, connectBanks } from './connect-banks.ts'
import type { Clock } from './core/clock.ts'
import type { Rest } from './core/rest.ts'
import { type Operator, UNNAMED_OPERATOR } from './core/operator.ts'
import { createActivityRecorder } from './domain/activity/activity-recorder.ts'
import { registerWebhook } from './domain/banking/feeds/register-webhook.ts'
import { createChangeFeed } from './domain/changes/change-feed.ts'
import type { DataKeys, Deps, Outbound } from './domain/deps.ts'
import { createStudio } from './documents/studio.ts'
import { readEvents } from './domain/events/read-events.ts'
import { createPost } from './domain/mail/post.ts'
import { createRateBook } from './domain/quotes/rate-book.ts'
import { createPayoutLanes } from './domain/payouts/create/payout-lanes.ts'
import { createAlarmBook, idsOnly } from './domain/watch/alarm-book.ts'
import { type ProxyBook, createProxyBook } from './domain/watch/proxy-book.ts'
import { createWorkerLife } from './domain/watch/worker-life.ts'
import type { TraceExporter } from './export-traces.ts'
import { createHealthChecks, withRounds } from './health-checks.ts'
import type { Forwarded } from './http/access/unnamed-proxy.ts'
import { presentEvent } from './http/present/event.ts'
import type { DashboardOptions, ServerDeps } from './http/routes/route-context.ts'
import { type Loop, startLoop } from './jobs/loop.ts'
import { startWorker } from './jobs/worker.ts'
import type { Logger } from './logging.ts'
import { type SmtpOptions, createSmtpMailer } from './mail/smtp-mailer.ts'
import { createMetrics, measureRequests } from './metrics.ts'
import { traceRequests, watchBankCalls } from './observe.ts'
import { DASHBOARD_FOLDER, GUIDES_FOLDER, MIGRATIONS_FOLDER, STUDIO_THREAD } from './package-root.ts'
import { createWebhookSender } from './outbound/send-webhook.ts'
import { type ControlOptions, createSandboxControls } from './rail/provider/sandbox-control-client.ts'
import { untilReplaced } from './readiness.ts'
import { type DatabaseOptions, type StatementLimits, openDatabase } from './storage/database.ts'
import { migrationFiles } from './storage/migrate.ts'
import { createWaking, ringAfterChanges } from './waking.ts'

export interface ServiceOptions extends BankOptions {
  readonly databaseUrl: string
  /** The database itself, when the other is a pooler of transactions before it. */
  readonly sessionDatabaseUrl?: string | null
  readonly secrets: DataKeys & Pick<Secrets, 'metricsToken'>
  readonly clock: Clock
  readonly log: Logger
  /** The controls of the sandbox bank, when it is our own. */
  readonly sandboxControls?: ControlOptions | null
  /** How often the bank's lists are read, in case its webhooks do not come. */
  readonly sweepMs?: number
  /** How many months of activity are kept; null or absent: all. */
  readonly activityMonths?: number | null
  /** The mail server; without one, mail is kept in the mailbox. */
  readonly smtp?: SmtpOptions | null
  /** The business that runs the service, as invoices name it. */
  readonly operator?: Operator
  /** How partners' receivers are spoken to; by default over the internet, and never to this machine. */
  readonly outbound?: Partial<Outbound>
  /** Networks that nothing is sent to for a partner, besides those that are not public. */
  readonly outboundRefuse?: readonly string[]
  /** Where finished parts of traces go; without it none is begun, and those of callers are only passed on. */
  readonly traces?: TraceExporter | null
  /** How long the database may take; tests use shorter limits. */
  readonly databaseLimits?: Partial<StatementLimits>
}

export interface ApiOptions {
  readonly publicUrl: string
  readonly rateLimitPerSecond: number
  readonly networkLimitPerSecond?: number
  readonly dashboard?: Partial<DashboardOptions>
  /** Proxies that are trusted to name a caller's address. */
  readonly trustProxy?: readonly string[]
}

export interface Service {
  readonly deps: ServerDeps & Pick<ComposedDeps, 'rails'>
  readonly api: (options: ApiOptions) => Promise<FastifyInstance>
  readonly worker: () => Loop
  /** The small server for monitoring. In a process with a worker it tells when that hangs. */
  readonly admin: (role: 'api' | 'worker') => Promise<FastifyInstance>
  /** Tells the bank where to send its webhooks. */
  readonly listenToBank: (urls: Readonly<Record<Environment, string>>) => Loop
  /** Writes what is still in memory and closes the database. */
  readonly close: () => Promise<void>
}

const DASHBOARD: DashboardOptions = {
  isSignUpOpen: true,
  mailboxToken: null,
  contactEmail: null,
  folder: DASHBOARD_FOLDER,
}
const PAYMENTS = { largestPool: 10 } as const
/** Fewer than payouts have: this many large reads at once already keep a small PostgreSQL busy. */
const REPORTS = { largestPool: 6, plansByValues: true, limits: { statementMs: 20_000 } } as const
const SWEEP_MS = 10_000
const REGISTER_AGAIN_MS = 5_000

type PoolOptions = Pick<DatabaseOptions, 'largestPool' | 'plansByValues' | 'limits'>
type ComposedDeps = Deps & ReturnType<typeof connectBanks>

/** What the command line needs: the domain on a database, and nothing that listens or repeats. */
export function composeDeps(options: ServiceOptions): ComposedDeps {
  const { clock, secrets, log } = options
  const open = (applicationName: string, { limits, ...pool }: PoolOptions) =>
    openDatabase({
      url: options.databaseUrl,
      isPooled: options.sessionDatabaseUrl != null,
      applicationName,
      ...pool,
      limits: { ...limits, ...options.databaseLimits },
      onConnectionError: (error) => log.warn({ err: error }, 'a database connection broke'),
    })
  const payments = open('kestrel', PAYMENTS)
  const reports = open('kestrel-reports', REPORTS)
  const db = { ...payments, close: async () => void (await Promise.all([payments.close(), reports.close()])) }
  const connected = connectBanks(options)
  const alarms = createAlarmBook({ db, clock }, (error) => log.warn({ err: error }, 'alarms could not be written down'))
  const onAlarm: Deps['onAlarm'] = (what, about, isWritten) => {
    // The caller may pass more than belongs in the log.
    const { err, why } = about
    const said = { ...(why === undefined ? {} : { why }), ...(err === undefined ? {} : { err }) }
    log.error({ ...idsOnly(about), ...said, alarm: what }, 'alarm')
    if (isWritten === undefined) alarms.ring(what, about)
  }
  const mailer = options.smtp == null ? null : createSmtpMailer(options.smtp)
  const post = createPost({ db, clock, secrets, mailer, onAlarm }, (error) =>
    log.warn({ err: error }, 'mail could not be sent yet'),
  )
  return {
    db,
    reports,
    clock,
    secrets,
    ...connected,
    sandboxControls: options.sandboxControls == null ? null : createSandboxControls(options.sandboxControls),
    rates: createRateBook({ db, clock, rails: connected.rails }),
    operator: options.operator ?? UNNAMED_OPERATOR,
    studio: createStudio(STUDIO_THREAD),
    mailer,
    post,
    outbound: {
      sender: options.outbound?.sender ?? createWebhookSender({ closed: options.outboundRefuse ?? [] }),
      mayReachThisMachine: false,
      eventTexts: async (scope, ids) => {
        const events = await readEvents({ clock, reports: db }, scope, ids)
        return new Map(events.map((event) => [event.id, JSON.stringify(presentEvent(connected, event))]))
      },
      ...options.outbound,
    },
    onAlarm,
    alarms,
  }
}

export async function composeService(options: ServiceOptions): Promise<Service> {
  const { clock, log } = options
  const asking = Promise.all([bindDatabase(options), migrationFiles(MIGRATIONS_FOLDER)])
  const metrics = createMetrics()
  const [secrets, known] = await asking
  const observed = { ...options, ...watchBankCalls(metrics, options.traces ?? null) }
  const base = composeDeps({ ...observed, secrets: { ...options.secrets, ...secrets } })
  const activity = createActivityRecorder(base.db, (error, dropped) =>
    log.warn({ err: error, dropped }, 'activity could not be written yet'),
  )
  const changes = createChangeFeed(base, (error) => log.warn({ err: error }, 'changes could not be read'))
  const shared = { ...base, activity, changes }
  const lanes = createPayoutLanes(shared, (step, size) => metrics.batches.observe({ step }, size))
  // One object, so that a part that a test replaces is replaced everywhere.
  const deps = Object.assign(shared, { lanes })
  const checks = createHealthChecks({ ...base, known }, metrics, options.secrets.metricsToken)
  const life = createWorkerLife(base, (error) => log.warn({ err: error }, 'the worker’s rounds could not be noted'))
  const proxies = watchProxies(base, metrics, log)
  const { rest, bell, whileHearing } = createWaking(options, base.db)
  return {
    deps,
    api: async ({ dashboard, ...api }) => {
      // Loaded only by a process that answers requests: a command or a worker starts in half the time without it.
      const { buildServer } = await import('./http/server.ts')
      const onForwarded = (forwarded: Forwarded) => proxies.note(forwarded)
      const shown = { dashboard: { ...DASHBOARD, ...dashboard }, guidesFolder: GUIDES_FOLDER }
      const areTracesExported = options.traces != null
      const app = await buildServer({ deps, log, checks, ...api, onForwarded, areTracesExported, ...shown })
      measureRequests(app, metrics)
      if (options.traces != null) traceRequests(app, options.traces)
      return ringAfterChanges(app, bell)
    },
    worker: () => {
      const settings = { sweepMs: options.sweepMs ?? SWEEP_MS, activityMonths: options.activityMonths ?? null }
      const work = startWorker(deps, settings, {
        onFollowed: (followed) => metrics.followed.inc(followed),
        onForgotten: (parts) => log.info({ parts }, 'activity older than its term was removed'),
        rest,
        onRound: (job) => life.note(job, 'finished'),
        onError: (job, error) => {
          log.error({ job, err: error }, 'a job failed')
          life.note(job, 'failed')
        },
      })
      return whileHearing(untilReplaced(work, { db: base.db, secrets, known, log, rest }))
    },
    admin: async (role) => {
      const { buildAdminServer } = await import('./http/admin-server.ts')
      return buildAdminServer(role === 'api' ? checks : withRounds(checks, life, clock), log)
    },
    listenToBank: (urls) => listenToBank(deps, urls, { log, rest }),
    close: async () => {
      await base.studio.close()
      await base.post.settled()
      base.mailer?.close()
      await Promise.all([base.outbound.sender.close(), activity.close()])
      await Promise.all([base.alarms.settled(), life.settled(), proxies.settled(), bell.settled()])
      await base.db.close()
      await options.traces?.close()
    },
  }
}

/** Counts what is forwarded by something that TRUST_PROXY does not name, and tells of what looks like a proxy. */
function watchProxies(deps: Deps, { forwarded }: ReturnType<typeof createMetrics>, log: Logger): ProxyBook {
  const book = createProxyBook(deps, {
    onFound: (network) => log.warn({ network }, 'requests are forwarded by a proxy that TRUST_PROXY does not name'),
    onError: (error) => log.warn({ err: error }, 'unnamed proxies could not be noted'),
  })
  return {
    ...book,
    note: (request) => {
      forwarded.inc()
      book.note(request)
    },
  }
}

/** Registers our address at each bank, trying until it has worked. After that it only checks that it is still there. */
function listenToBank(
  deps: Deps,
  urls: Readonly<Record<Environment, string>>,
  { log, rest }: { log: Logger; rest: Rest },
): Loop {
  return startLoop({
    round: async () => {
      await registerWebhook(deps, 'sandbox', urls.sandbox)
      await registerWebhook(deps, 'live', urls.live)
      return false
    },
    pauseMs: REGISTER_AGAIN_MS,
    rest,
    onError: (error) => log.warn({ err: error }, 'the bank could not be told where to send its messages'),
  })
}
