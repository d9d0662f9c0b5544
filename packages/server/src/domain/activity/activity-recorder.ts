// Every authenticated request leaves a trace, also when it is refused. Traces are collected and written together after
// the answer; a clean shutdown writes what is left.
import { monotonicMs } from '../../core/clock.ts'
import { groupBy } from '../../core/group-by.ts'
import { isLostConnection } from '../../core/outage.ts'
import { insertActivity, insertActivityAgain } from '../../storage/activity.ts'
import { type KeyUse, touchKeys } from '../../storage/api-keys.ts'
import { isForItsValues } from '../../storage/database.ts'
import { type NewMilestone, keepMilestones } from '../../storage/milestones.ts'
import { type RequestBodies, insertRequestBodies } from '../../storage/request-bodies.ts'
import type { Database } from '../../storage/sql.ts'
import { CountedTraces, type KeptTrace, type Trace, keptTrace } from './counted-traces.ts'

export interface ActivityRecorder {
  record(trace: Trace): void
  /** Writes the collected traces. Never throws: what cannot be written now is kept for the next time. */
  flush(): Promise<void>
  close(): Promise<void>
}

const FLUSH_EVERY_MS = 250
/** More at once keep a core of the database busy while payouts wait for it, and cost no less. */
const FLUSH_AT = 100
/** When a key was last used is written down no more often: under load that is a row per key and write. */
const USES_EVERY_MS = 5_000
/**
 * With more than this the database has been away for long: the oldest traces are dropped, and the log says how many.
 */
const MOST_KEPT = 50_000
/** Of so many traces the bodies are kept as well while the database is away or slow: up to some 8 KB each. */
const MOST_BODIES_KEPT = 2_000

export function createActivityRecorder(
  db: Pick<Database, 'inTransaction'>,
  onProblem: (error: unknown, dropped: number) => void,
): ActivityRecorder {
  let gathered: KeptTrace[] = []
  const counted = new CountedTraces()
  // By themselves: what is counted has its trace when the minute is over.
  let uses: KeyUses = new Map()
  let usesDueAt = 0
  let writing: Promise<void> = Promise.resolve()
  // What could not be written may be there all the same: only the answer was lost.
  let insert = insertActivity
  const timer = setInterval(() => {
    gathered.push(...counted.due())
    void write()
  }, FLUSH_EVERY_MS)
  timer.unref()

  function flush(): Promise<void> {
    gathered.push(...counted.all())
    return begin(allUses)
  }

  const write = () => begin(dueUses)

  function begin(takeUses: () => KeyUses): Promise<void> {
    writing = writing.then(() => writeGathered(takeUses()))
    return writing
  }

  const dueUses = () => (monotonicMs() < usesDueAt ? NO_USES : allUses())

  function allUses(): KeyUses {
    if (uses.size === 0) return NO_USES
    const taken = uses
    uses = new Map()
    usesDueAt = monotonicMs() + USES_EVERY_MS
    return taken
  }

  async function writeGathered(takenUses: KeyUses): Promise<void> {
    if (gathered.length === 0 && takenUses.size === 0) return
    const taken = { traces: gathered, uses: takenUses, insert }
    gathered = []
    const failed = await writeOrReturn(db, taken, (error, { left, lost }) =>
      onProblem(error, lost + Math.max(0, left + gathered.length - MOST_KEPT)),
    )
    insert = failed.traces.length > 0 ? insertActivityAgain : insertActivity
    if (failed.traces.length > 0) gathered = keptForLater([...failed.traces, ...gathered])
    if (failed.uses.size > 0) uses = new Map([...failed.uses, ...uses])
  }

  return {
    record(trace) {
      const { partnerId, keyId, at, request } = trace
      if (keyId !== null) uses.set(keyId, { partnerId, keyId, at, ip: request?.ip ?? null })
      if (counted.take(trace)) return
      gathered.push(keptTrace(trace))
      // A write that hangs is no failure yet, and meanwhile there are more.
      const old = gathered.length - 1 - MOST_BODIES_KEPT
      if (old >= 0) gathered[old] = withoutBodies(gathered[old]!)
      if (gathered.length === FLUSH_AT) void write()
    },
    flush,
    close() {
      clearInterval(timer)
      return flush()
    },
  }
}

/** The latest of each key. */
type KeyUses = Map<string, KeyUse>

interface Gathered {
  readonly traces: readonly KeptTrace[]
  readonly uses: KeyUses
}

interface Writing extends Gathered {
  readonly insert: typeof insertActivity
}

const NO_USES: KeyUses = new Map()

interface Failure {
  /** Traces that are kept for the next time, and those that can never be written. */
  readonly left: number
  readonly lost: number
}

/**
 * All together, which is the rule; else partner by partner, so that what is wrong with one's is nobody else's loss. Returns what is
 * left for the next time.
 */
async function writeOrReturn(
  db: Pick<Database, 'inTransaction'>,
  writing: Writing,
  onFailure: (error: unknown, failure: Failure) => void,
): Promise<Gathered> {
  const { traces, uses } = writing
  try {
    await writeTraces(db, writing)
    return { traces: [], uses: NO_USES }
  } catch (error) {
    if (!isForItsValues(error)) {
      onFailure(error, { left: traces.length, lost: 0 })
      return { traces, uses }
    }
  }
  const left: KeptTrace[] = []
  let isAway = false
  for (const own of groupBy(traces, (trace) => trace.partnerId).values()) {
    // Each try would wait for a connection, and meanwhile there are more traces.
    const { rest, lost, error } = isAway ? { rest: own, lost: 0, error: null } : await writeOwn(db, own)
    left.push(...rest)
    if (error !== null) onFailure(error, { left: left.length, lost })
    isAway ||= isLostConnection(error)
  }
  return { traces: left, uses }
}

interface Written {
  /** For the next time. */
  readonly rest: readonly KeptTrace[]
  /** How many can never be written. */
  readonly lost: number
  readonly error: unknown
}

/** Together, or one by one until one fails for another reason than what it says. */
async function writeOwn(db: Pick<Database, 'inTransaction'>, traces: readonly KeptTrace[]): Promise<Written> {
  try {
    await writeTraces(db, { traces, uses: NO_USES, insert: insertActivityAgain })
    return { rest: [], lost: 0, error: null }
  } catch (error) {
    if (!isForItsValues(error)) return { rest: traces, lost: 0, error }
    let lost = 0
    for (const [index, trace] of traces.entries()) {
      try {
        if (!(await isWritten(db, trace))) lost++
      } catch (reason) {
        return { rest: traces.slice(index), lost, error: reason }
      }
    }
    return { rest: [], lost, error }
  }
}

/** False for one that can never be: not even without its bodies, which may be why. */
async function isWritten(db: Pick<Database, 'inTransaction'>, trace: KeptTrace): Promise<boolean> {
  try {
    await writeTraces(db, { traces: [trace], uses: NO_USES, insert: insertActivityAgain })
    return true
  } catch (error) {
    if (!isForItsValues(error)) throw error
    return trace.bodies !== null && isWritten(db, withoutBodies(trace))
  }
}

function writeTraces(db: Pick<Database, 'inTransaction'>, { traces, insert, uses }: Writing): Promise<void> {
  return db.inTransaction(async (tx) => {
    if (traces.length > 0) insert(tx, traces)
    insertRequestBodies(tx, bodiesOf(traces))
    for (const [partnerId, own] of groupBy(traces.filter(hasMilestone), (trace) => trace.partnerId)) {
      keepMilestones(tx, partnerId, milestonesIn(own))
    }
    if (uses.size > 0) touchKeys(tx, [...uses.values()])
  })
}

const hasMilestone = ({ milestone = null }: KeptTrace) => milestone !== null
const withoutBodies = (trace: KeptTrace): KeptTrace => ({ ...trace, bodies: null })

function keptForLater(traces: readonly KeptTrace[]): KeptTrace[] {
  const first = traces.length - MOST_BODIES_KEPT
  return traces.map((trace, index) => (index < first ? withoutBodies(trace) : trace)).slice(-MOST_KEPT)
}

function bodiesOf(traces: readonly KeptTrace[]): (RequestBodies & { partnerId: string })[] {
  return traces.flatMap(({ partnerId, id, at, bodies }) => (bodies === null ? [] : [{ ...bodies, partnerId, id, at }]))
}

/** One per kind and environment, however many traces there are. */
function milestonesIn(traces: readonly KeptTrace[]): NewMilestone[] {
  const reached = new Map<string, NewMilestone>()
  for (const { milestone = null, environment, at } of traces) {
    if (milestone === null || environment === null) continue
    const name = `${environment}/${milestone}`
    if (!reached.has(name)) reached.set(name, { environment, name: milestone, at })
  }
  return [...reached.values()]
}
