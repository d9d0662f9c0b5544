// What /readyz says: whether this process can do its work now. Asked by anybody, as often as they like, so one look is
// under way at a time, and the writing is done once in a while.
import { monotonicMs, sleep } from './core/clock.ts'
import type { Logger } from './logging.ts'
import { type Loop, startLoop } from './jobs/loop.ts'
import { askDatabase, findNewerMigration, writeToDatabase } from './storage/readiness.ts'
import type { Database } from './storage/sql.ts'

export type Problems = Readonly<Record<string, string>>

const BETWEEN_WRITES_MS = 1_000
/** Whoever asks has limits too; a database that takes longer than this is as good as away. */
const LONGEST_LOOK_MS = 4_000

const LOOK_AT_SCHEMA_MS = 2_000

/** @param known The migrations of this program: one that has more has been taken over by a newer version. */
export function createReadiness(db: Database, known: readonly string[]): () => Promise<Problems> {
  let underWay: Promise<Problems> | null = null
  let written = { at: -Infinity, problems: {} as Problems }

  const write = async (): Promise<Problems> => {
    if (monotonicMs() - written.at < BETWEEN_WRITES_MS) return written.problems
    const problems = {
      ...(await problemsOf(writeToDatabase(db), 'The database takes no writes.')),
      ...(await schemaProblems(db, known)),
    }
    written = { at: monotonicMs(), problems }
    return problems
  }
  const look = async (): Promise<Problems> => {
    const problems = await problemsOf(askDatabase(db), 'The database cannot be reached.')
    return Object.keys(problems).length > 0 ? problems : write()
  }
  return () => {
    underWay ??= look().finally(() => (underWay = null))
    return orTooLate(underWay)
  }
}

async function schemaProblems(db: Database, known: readonly string[]): Promise<Problems> {
  const newer = await findNewerMigration(db, known).catch(() => null)
  return newer === null ? {} : { schema: outOfDate(newer) }
}

function outOfDate(migration: string): string {
  return `The database has migration ${migration}, which this version does not know: replace this process by the newer one.`
}

/** Work that a newer version does otherwise is left to it: the job ends as soon as the schema is newer, and says so. */
export function untilSchemaIsNewer(work: Loop, options: { db: Database; known: readonly string[]; log: Logger }): Loop {
  let ended: Promise<void> | null = null
  const watch = startLoop({
    round: async () => {
      if (ended !== null) return false
      const newer = await findNewerMigration(options.db, options.known)
      if (newer === null) return false
      options.log.error({ problem: outOfDate(newer) }, 'the worker takes no more work')
      ended = work.stop()
      return false
    },
    pauseMs: LOOK_AT_SCHEMA_MS,
    onError: () => undefined,
  })
  return {
    stop: async () => {
      await watch.stop()
      await (ended ?? work.stop())
    },
  }
}

async function problemsOf(work: Promise<void>, database: string): Promise<Problems> {
  try {
    await work
    return {}
  } catch {
    return { database }
  }
}

async function orTooLate(look: Promise<Problems>): Promise<Problems> {
  const over = new AbortController()
  try {
    const tooLate = sleep(LONGEST_LOOK_MS, over.signal).then(() => ({ database: 'The database does not answer.' }))
    return await Promise.race([look, tooLate])
  } finally {
    over.abort()
  }
}
