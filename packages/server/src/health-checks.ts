// What a process reports about itself and the service to a monitoring system.
import type { Clock } from './core/clock.ts'
import type { Deps } from './domain/deps.ts'
import { modulusTableDate } from './domain/modulus/chosen-table.ts'
import { readWatch } from './domain/watch/read-watch.ts'
import type { WorkerLife } from './domain/watch/worker-life.ts'
import type { HealthChecks } from './http/routes/health.ts'
import { type Metrics, showPools } from './metrics.ts'
import { createReadiness } from './readiness.ts'
import { showWatch } from './watch-metrics.ts'

/** A worker runs a round every few seconds, even at rest: after this long without one it hangs. */
const LONGEST_ROUND_MS = 60_000

export function createHealthChecks(
  /** With the migrations that this program knows. */
  deps: Pick<Deps, 'db' | 'reports' | 'clock' | 'secrets' | 'banks'> & { readonly known: readonly string[] },
  metrics: Metrics,
  metricsToken: string | null,
): HealthChecks {
  return {
    metricsToken,
    metrics: async () => {
      // The process's own metrics are shown even when the database does not answer.
      const watch = await readWatch(deps).catch(() => null)
      metrics.isDatabaseUp.set(watch === null ? 0 : 1)
      showWatch(metrics.watched, watch)
      showPools(metrics, { payments: deps.db.use(), reports: deps.reports.use() })
      const date = modulusTableDate()
      if (date !== null) metrics.modulusTableAge.set((deps.clock.now().getTime() - date.getTime()) / 1_000)
      return { contentType: metrics.registry.contentType, text: await metrics.registry.metrics() }
    },
    problems: createReadiness({ ...deps, isLive: deps.banks.live !== null }),
  }
}

/** The same for a process that works in rounds: one that hangs is not ready. */
export function withRounds(checks: HealthChecks, life: WorkerLife, clock: Clock): HealthChecks {
  const startedAt = clock.now()
  return {
    ...checks,
    problems: async () => {
      const since = clock.now().getTime() - (life.lastRoundAt() ?? startedAt).getTime()
      const worker =
        since > LONGEST_ROUND_MS ? { worker: `No round was finished for ${Math.round(since / 1_000)} seconds.` } : {}
      return { ...(await checks.problems()), ...worker }
    },
  }
}
