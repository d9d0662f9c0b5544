// /readyz: whether this process can do its work now. Anybody may ask at any rate, so only one check runs at a time, and
// the write is tried only now and then.
import { monotonicMs } from './core/clock.ts'
import type { DataKeys } from './domain/deps.ts'
import { keyProblem } from './domain/secrets/bind-keys.ts'
import type { Logger } from './logging.ts'
import { type Loop, startLoop } from './jobs/loop.ts'
import type { Rest } from './core/rest.ts'
import { within } from './core/within.ts'
import { losingSettings, readDurability } from './storage/durability.ts'
import { askDatabase, findNewerMigration, writeToDatabase } from './storage/readiness.ts'
import type { Database } from './storage/sql.ts'

export type Problems = Readonly<Record<string, string>>

const BETWEEN_WRITES_MS = 1_000
/** Monitoring has limits too; a database that takes longer than this counts as away. */
const LONGEST_LOOK_MS = 4_000

const LOOK_AT_SCHEMA_MS = 2_000

/** What a process needs to notice that it is out of date. */
export interface Expected {
  readonly db: Database
  readonly secrets: DataKeys
  /** The migrations of this program: a database with more has been taken over by a newer version. */
  readonly known: readonly string[]
}

export function createReadiness(
  /** With whether real money is paid. */
  expected: Expected & { readonly isLive: boolean },
): () => Promise<Problems> {
  const { db } = expected
  let underWay: Promise<Problems> | null = null
  let written = { at: -Infinity, problems: {} as Problems }

  const write = async (): Promise<Problems> => {
    if (monotonicMs() - written.at < BETWEEN_WRITES_MS) return written.problems
    const problems = {
      ...(await problemsOf(writeToDatabase(db), 'The database takes no writes.')),
      ...(await outOfDate(expected).catch(() => ({}))),
      ...(expected.isLive ? await mayLose(db).catch(() => ({})) : {}),
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
    return within(LONGEST_LOOK_MS, underWay, { database: 'The database does not answer.' })
  }
}

/** After a failover the database may be another, with other settings. */
async function mayLose(db: Database): Promise<Problems> {
  const losing = losingSettings(await readDurability(db))
  return losing.length === 0 ? {} : { durability: losingInWords(losing) }
}

export function losingInWords(settings: readonly string[]): string {
  const which = settings.length === 1 ? `${settings[0]} is` : `${settings.join(', ')} are`
  return `The database may lose what it acknowledges: ${which} not on.`
}

/** A newer version, or newer keys, are at work on the database: this process should be replaced. */
async function outOfDate({ db, secrets, known }: Expected): Promise<Problems> {
  const newer = await findNewerMigration(db, known)
  const keys = await keyProblem(db, secrets)
  return {
    ...(newer === null
      ? {}
      : {
          schema: `The database has migration ${newer}, which this version does not know: replace this process by the newer one.`,
        }),
    ...(keys === null ? {} : { keys }),
  }
}

/** Stops the work as soon as this process is out of date, and says so: newer processes do it differently. */
export function untilReplaced(work: Loop, options: Expected & { readonly log: Logger; readonly rest?: Rest }): Loop {
  let ended: Promise<void> | null = null
  const watch = startLoop({
    round: async () => {
      if (ended !== null) return false
      const [problem] = Object.values(await outOfDate(options))
      if (problem === undefined) return false
      options.log.error({ problem }, 'the worker takes no more work')
      ended = work.stop()
      return false
    },
    pauseMs: LOOK_AT_SCHEMA_MS,
    ...(options.rest === undefined ? {} : { rest: options.rest }),
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
