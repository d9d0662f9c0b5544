// What /readyz says: whether this process can do its work now. Asked by anybody, as often as they like, so one look is
// under way at a time, and the writing is done once in a while.
import { monotonicMs, sleep } from './core/clock.ts'
import { askDatabase, writeToDatabase } from './storage/readiness.ts'
import type { Database } from './storage/sql.ts'

export type Problems = Readonly<Record<string, string>>

const BETWEEN_WRITES_MS = 1_000
/** Whoever asks has limits too; a database that takes longer than this is as good as away. */
const LONGEST_LOOK_MS = 4_000

export function createReadiness(db: Database): () => Promise<Problems> {
  let underWay: Promise<Problems> | null = null
  let written = { at: -Infinity, problems: {} as Problems }

  const write = async (): Promise<Problems> => {
    if (monotonicMs() - written.at < BETWEEN_WRITES_MS) return written.problems
    const problems = await problemsOf(writeToDatabase(db), 'The database takes no writes.')
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
