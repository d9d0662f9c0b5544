// PostgreSQL as a child of ours, in a session of its own: Ctrl-C leaves it alone, it tells us when it has ended, and it lives on
// when we are killed.
import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { monotonicMs, sleep } from '../../core/clock.ts'
import { openOwned } from './own-files.ts'
import type { Placement } from './placement.ts'
import { isReady } from './postmaster.ts'
import { explain, plainEnvironment } from './run-binary.ts'

/** The state is one line of a small file; whatever we wait for here, everybody waits for. */
const LOOK_EVERY_MS = 4

export interface ServerProcess {
  /** Resolves when the server has ended, for whatever reason. */
  readonly ended: Promise<void>
}

/** Resolves when it takes connections; null when it ended before that, or was not ready in time. */
export async function startServer(
  placement: Placement,
  { withinMs, onSpawned }: { withinMs: number; onSpawned: () => void },
): Promise<ServerProcess | null> {
  const { binaries, cluster, user, logFile } = placement
  const log = openOwned(logFile, user)
  const child = spawn(binaries.postgres, ['-D', cluster], {
    cwd: cluster,
    detached: true,
    env: plainEnvironment(),
    stdio: ['ignore', log, log],
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  })
  closeSync(log)
  child.unref()
  onSpawned()
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', (error) => reject(explain(error, binaries.postgres)))
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const deadline = monotonicMs() + withinMs
  const ready = async (): Promise<ServerProcess | null> => {
    while (child.exitCode === null && child.signalCode === null && monotonicMs() < deadline) {
      if (child.pid !== undefined && isReady(cluster, child.pid)) return { ended }
      await sleep(LOOK_EVERY_MS)
    }
    return null
  }
  return await Promise.race([ready(), failed])
}
