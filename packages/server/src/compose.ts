// The only file that builds real dependencies and joins the layers.
import type { FastifyInstance } from 'fastify'

import { type Secrets, secretsCheck } from './config/secrets.ts'
import type { Clock } from './core/clock.ts'
import { type ActivityRecorder, createActivityRecorder } from './domain/activity/activity-recorder.ts'
import type { Deps } from './domain/deps.ts'
import type { PayoutDeps } from './domain/payouts/create-payout.ts'
import { createPayoutLanes } from './domain/payouts/payout-lanes.ts'
import type { HealthChecks } from './http/routes/health.ts'
import { buildServer } from './http/server.ts'
import { startFollowingPayouts } from './jobs/follow-payouts.ts'
import type { Loop } from './jobs/loop.ts'
import type { Logger } from './logging.ts'
import { type Metrics, createMetrics } from './metrics.ts'
import { createSimulatedRail } from './rail/simulated-rail.ts'
import { unconnectedRail } from './rail/unconnected-rail.ts'
import { openDatabase } from './storage/database.ts'
import { bindSecrets } from './storage/installation.ts'
import { type Database, statement } from './storage/sql.ts'

export interface ServiceOptions {
  readonly databaseUrl: string
  readonly secrets: Pick<Secrets, 'sealKey' | 'fingerprintKey' | 'metricsToken'>
  readonly clock: Clock
  readonly log: Logger
}

export interface Service {
  readonly deps: PayoutDeps & { readonly activity: ActivityRecorder }
  readonly api: (options: { publicUrl: string; rateLimitPerSecond: number }) => Promise<FastifyInstance>
  readonly worker: () => Loop
  /** Writes what is still in memory and lets the database go. */
  readonly close: () => Promise<void>
}

const LARGEST_POOL = 10

export class OtherSecretsError extends Error {
  override readonly name = 'OtherSecretsError'
}

/** What the command line needs: the domain on a database, and nothing that listens or repeats. */
export function composeDeps(options: ServiceOptions): Deps {
  const { clock, secrets, log } = options
  const db = openDatabase({
    url: options.databaseUrl,
    applicationName: 'kestrel',
    largestPool: LARGEST_POOL,
    onConnectionError: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  return { db, clock, secrets, rails: { sandbox: createSimulatedRail(clock), live: unconnectedRail } }
}

export async function composeService(options: ServiceOptions): Promise<Service> {
  const { clock, log, secrets } = options
  const metrics = createMetrics()
  const base = composeDeps(options)
  await refuseOtherSecrets(base.db, options)
  const activity = createActivityRecorder(base.db, (error, dropped) =>
    log.warn({ err: error, dropped }, 'activity could not be written yet'),
  )
  const lanes = createPayoutLanes(base, (step, size) => metrics.batches.observe({ step }, size))
  const deps = { ...base, lanes, activity }
  return {
    deps,
    api: async ({ publicUrl, rateLimitPerSecond }) => {
      const checks = healthChecks(base.db, metrics, secrets.metricsToken)
      const app = await buildServer({ deps, log, publicUrl, rateLimitPerSecond, checks })
      app.addHook('onResponse', async (request, reply) => {
        const labels = {
          method: request.method,
          route: request.routeOptions.url ?? 'unknown',
          status: reply.statusCode,
        }
        metrics.requests.observe(labels, reply.elapsedTime / 1_000)
      })
      return app
    },
    worker: () =>
      startFollowingPayouts(deps, {
        onRound: (followed) => {
          metrics.followed.inc(followed)
          metrics.lastRound.set(clock.now().getTime() / 1_000)
        },
        onError: (error) => log.error({ err: error }, 'a round of following payouts failed'),
      }),
    close: async () => {
      await activity.close()
      await base.db.close()
    },
  }
}

async function refuseOtherSecrets(db: Database, options: ServiceOptions): Promise<void> {
  const isSame = await db.inTransaction((tx) => bindSecrets(tx, secretsCheck(options.secrets), options.clock.now()))
  if (isSame) return
  await db.close()
  throw new OtherSecretsError(
    'This database was set up with other secrets, so its recipients could not be read. Use the DATA_DIR or the KESTREL_SEAL_KEY and KESTREL_FINGERPRINT_KEY that it was first started with.',
  )
}

const PING = statement('ping', 'select 1')

function healthChecks(db: Database, metrics: Metrics, metricsToken: string | null): HealthChecks {
  return {
    metricsToken,
    metrics: async () => ({ contentType: metrics.registry.contentType, text: await metrics.registry.metrics() }),
    problems: async () => {
      try {
        await db.query(PING)
        return {}
      } catch {
        return { database: 'The database cannot be reached.' }
      }
    },
  }
}
