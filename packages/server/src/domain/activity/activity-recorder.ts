// Every authenticated request leaves a trace, also when it is refused. Traces are collected and written together after
// the answer; a clean shutdown writes what is left.
import { groupBy } from '../../core/group-by.ts'
import { insertActivity } from '../../storage/activity.ts'
import { type KeyUse, touchKeys } from '../../storage/api-keys.ts'
import { type NewMilestone, keepMilestones } from '../../storage/milestones.ts'
import type { Database } from '../../storage/sql.ts'
import { CountedRefusals, type Trace } from './counted-refusals.ts'

export interface ActivityRecorder {
  record(trace: Trace): void
  /** Writes the collected traces. Never throws: what cannot be written now is kept for the next time. */
  flush(): Promise<void>
  close(): Promise<void>
}

const FLUSH_EVERY_MS = 250
const FLUSH_AT = 500
/**
 * With more than this the database has been away for long: the oldest traces are dropped, and the log says how many.
 */
const MOST_KEPT = 50_000

export function createActivityRecorder(
  db: Pick<Database, 'inTransaction'>,
  onProblem: (error: unknown, dropped: number) => void,
): ActivityRecorder {
  let gathered: Trace[] = []
  const counted = new CountedRefusals()
  let writing: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    gathered.push(...counted.due())
    void write()
  }, FLUSH_EVERY_MS)
  timer.unref()

  function flush(): Promise<void> {
    gathered.push(...counted.all())
    return write()
  }

  function write(): Promise<void> {
    writing = writing.then(writeGathered)
    return writing
  }

  async function writeGathered(): Promise<void> {
    if (gathered.length === 0) return
    const traces = gathered
    gathered = []
    const failed: Trace[] = []
    for (const [partnerId, own] of groupBy(traces, (trace) => trace.partnerId)) {
      try {
        await writeTraces(db, partnerId, own)
      } catch (error) {
        failed.push(...own)
        onProblem(error, Math.max(0, failed.length + gathered.length - MOST_KEPT))
      }
    }
    if (failed.length > 0) gathered = [...failed, ...gathered].slice(-MOST_KEPT)
  }

  return {
    record(trace) {
      if (counted.take(trace)) return
      gathered.push(trace)
      if (gathered.length === FLUSH_AT) void write()
    },
    flush,
    close() {
      clearInterval(timer)
      return flush()
    },
  }
}

function writeTraces(db: Pick<Database, 'inTransaction'>, partnerId: string, traces: readonly Trace[]): Promise<void> {
  const lastUse = new Map<string, KeyUse>()
  for (const { keyId, at, request } of traces) {
    if (keyId !== null) lastUse.set(keyId, { keyId, at, ip: request?.ip ?? null })
  }
  return db.inTransaction(async (tx) => {
    insertActivity(tx, partnerId, traces)
    keepMilestones(tx, partnerId, milestonesIn(traces))
    if (lastUse.size > 0) touchKeys(tx, partnerId, [...lastUse.values()])
  })
}

/** One per kind and environment, however many traces there are. */
function milestonesIn(traces: readonly Trace[]): NewMilestone[] {
  const reached = new Map<string, NewMilestone>()
  for (const { milestone = null, environment, at } of traces) {
    if (milestone === null || environment === null) continue
    const name = `${environment}/${milestone}`
    if (!reached.has(name)) reached.set(name, { environment, name: milestone, at })
  }
  return [...reached.values()]
}
