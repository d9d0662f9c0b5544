import { monotonicMs, sleep } from '../../core/clock.ts'
import { ask, type Answer } from './ask.ts'
import { EmbeddedPostgresError, errorCode } from './errors.ts'
import { findPostmaster, removeMisleadingPidFile, type Postmaster } from './postmaster.ts'

export interface Login {
  readonly password: string
  readonly database: string
}

const PATIENCE_MS = 60_000
const PAUSE_MS = 25

/**
 * The server that is already running for this cluster: an earlier Kestrel was killed and left it
 * behind. Waits for one that is still starting, and until one that is stopping has stopped. Null
 * when there is none; then nothing stands in the way of starting one.
 */
export async function adoptPostmaster(cluster: string, login: Login): Promise<Postmaster | null> {
  const deadline = monotonicMs() + PATIENCE_MS
  for (;;) {
    const found = findPostmaster(cluster)
    if (found === null) {
      removeMisleadingPidFile(cluster)
      return null
    }
    if (found.state === 'ready' && (await answersFor(cluster, found, login))) return found
    if (monotonicMs() > deadline) {
      throw new EmbeddedPostgresError(
        `PostgreSQL (pid ${found.pid}) holds ${cluster} but does not answer; end it and try again`,
      )
    }
    await sleep(PAUSE_MS)
  }
}

/** Whether a server really is the one for this cluster and lets us in; throws if it will not. */
export async function answersFor(
  cluster: string,
  { port }: Postmaster,
  { password, database }: Login,
): Promise<boolean> {
  const answer = await answerFrom({ port, password, database })
  return answer === 'no database' || answer?.cluster === cluster
}

async function answerFrom(access: Login & { port: number }): Promise<Answer | 'no database' | null> {
  try {
    return await ask(access)
  } catch (error) {
    const code = errorCode(error)
    // To say that a database is missing it must have accepted our password.
    if (code === '3D000') return 'no database'
    if (code === '28P01') throw wrongPassword()
    return null
  }
}

export function wrongPassword(): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'the embedded PostgreSQL does not take the stored password; ' +
      'the data directory may be put together from two different ones',
  )
}
