import { spawn, type SpawnOptions } from 'node:child_process'
import { readEnv } from '../../config/env.ts'
import { EmbeddedPostgresError, errorCode } from './errors.ts'
import type { RuntimeUser } from './runtime-user.ts'

export interface Run {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
}

interface RunOptions {
  readonly user: RuntimeUser | null
  /** A directory that `user` can enter: PostgreSQL insists on knowing where it is. */
  readonly cwd: string
  /** True puts it in a session of its own, out of reach of the terminal's Ctrl-C. */
  readonly ownSession: boolean
}

/** Runs one of PostgreSQL's programs to its end and gives everything it printed. */
export function runBinary(path: string, args: string[], options: RunOptions): Promise<Run> {
  const spawnOptions: SpawnOptions = {
    cwd: options.cwd,
    detached: options.ownSession && process.platform !== 'win32',
    env: plainEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    ...(options.user === null ? {} : { uid: options.user.uid, gid: options.user.gid }),
  }
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, spawnOptions)
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error) => reject(explain(error, path)))
    child.on('close', (code, signal) => {
      resolve({ code, signal, output: Buffer.concat(chunks).toString() })
    })
  })
}

/** Nothing of ours: our environment may hold secrets, and PGDATA or PGPORT would mislead. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = readEnv()
  return {
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(PATH === undefined ? {} : { PATH }),
    ...(SystemRoot === undefined ? {} : { SystemRoot }),
  }
}

export function explain(error: Error, path: string): Error {
  // The file is there (we looked), so what is missing is the C library it was linked with.
  const isForeign = errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOEXEC'
  if (!isForeign) return new EmbeddedPostgresError(`${path} cannot be run: ${error.message}`)
  return new EmbeddedPostgresError(
    'the embedded PostgreSQL does not run on this system; set DATABASE_URL to a PostgreSQL server',
  )
}
