import { closeSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { sleep } from '../../core/clock.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { touchOwned } from './own-files.ts'
import type { Placement } from './placement.ts'
import { freePort } from './ports.ts'
import { runBinary } from './run-binary.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { settingsText, writeSettings } from './settings.ts'

// Long enough for recovery after a crash; a normal start takes a tenth of a second.
const START_TIMEOUT_S = 300
const STOP_TIMEOUT_S = 60
const LARGEST_LOG = 5 * 1024 * 1024
const ATTEMPTS = 50

export interface Launched {
  readonly port: number
  /** Null where the server is no child of ours: then only a look tells whether it lives. */
  readonly process: ServerProcess | null
}

/** Starts the server on the first free port at or after `preferred` and gives that port. */
export async function launch(
  placement: Placement,
  preferred: number,
  settings: Readonly<Record<string, string>>,
  onSpawned?: () => void,
): Promise<Launched> {
  let from = preferred
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(from)
    writeSettings(placement.cluster, settingsText(port, settings), placement.user)
    const { trouble, process } = await tryToStart(placement, onSpawned)
    if (trouble === null) return { port, process }
    const kind = attempt < ATTEMPTS ? kindOf(trouble) : 'fatal'
    if (kind === 'fatal') throw startFailure(trouble, placement.logFile)
    // Somebody took the port between our look and the start, or the processes of a server that
    // was killed are not quite gone.
    if (kind === 'port') from = port + 1
    else await sleep(200)
  }
}

/** Starts a server that has run before, with the settings that it has: whoever uses it knows its port. */
export async function startAgain(placement: Placement): Promise<ServerProcess | null> {
  const { trouble, process } = await tryToStart(placement)
  if (trouble !== null) throw startFailure(trouble, placement.logFile)
  return process
}

/** Ends the server: open transactions are rolled back, everything committed is kept. */
export async function shutDown(placement: Placement): Promise<void> {
  const fast = await pgCtl(placement, ['stop', '-m', 'fast', '-w', '-t', String(STOP_TIMEOUT_S)])
  if (fast.code === 0 || /PID file .* does not exist|is server running/i.test(fast.output)) return
  // Not lossy either: the next start replays the write-ahead log.
  const now = await pgCtl(placement, ['stop', '-m', 'immediate', '-w', '-t', '10'])
  if (now.code === 0) return
  throw new EmbeddedPostgresError(`PostgreSQL did not stop: ${now.output.trim()}`)
}

/** The trouble is null when it started, otherwise what went wrong, from the log and from pg_ctl. */
async function tryToStart(
  placement: Placement,
  onSpawned: () => void = () => undefined,
): Promise<{ trouble: string | null; process: ServerProcess | null }> {
  const { logFile, user } = placement
  rotate(logFile)
  touchOwned(logFile, user)
  const logged = statSync(logFile).size
  if (process.platform !== 'win32') {
    // pg_ctl would take a shell and a look every tenth of a second to start the same program.
    const server = await startServer(placement, { withinMs: START_TIMEOUT_S * 1_000, onSpawned })
    return { trouble: server === null ? readFrom(logFile, logged) : null, process: server }
  }
  // There it takes pg_ctl to give up the rights of an administrator.
  const run = await pgCtl(placement, ['start', '-w', '-t', String(START_TIMEOUT_S), '-l', logFile])
  return { trouble: run.code === 0 ? null : `${readFrom(logFile, logged)}\n${run.output}`, process: null }
}

async function pgCtl({ binaries, cluster, user }: Placement, args: string[]): ReturnType<typeof runBinary> {
  // In a session of its own, so that Ctrl-C leaves it to us when the server stops.
  return await runBinary(binaries.pgCtl, [...args, '-D', cluster], {
    user,
    cwd: cluster,
    ownSession: true,
  })
}

function kindOf(trouble: string): 'port' | 'leftover' | 'fatal' {
  if (/could not bind|Address already in use/i.test(trouble)) return 'port'
  return /shared memory block .* is still in use/.test(trouble) ? 'leftover' : 'fatal'
}

function startFailure(trouble: string, logFile: string): EmbeddedPostgresError {
  const lines = trouble.split('\n').map((line) => line.trim())
  const fatal = lines.find((line) => /\b(FATAL|PANIC):/.test(line))
  const why = fatal?.replace(/^.*\b(FATAL|PANIC):\s*/, '') ?? lines.findLast((line) => line !== '')
  return new EmbeddedPostgresError(`PostgreSQL did not start: ${why ?? ''} (see ${logFile})`)
}

function rotate(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size <= LARGEST_LOG) return
  rmSync(`${logFile}.1`, { force: true })
  renameSync(logFile, `${logFile}.1`)
}

function readFrom(path: string, offset: number): string {
  const length = Math.min(statSync(path).size - offset, 64 * 1024)
  if (length <= 0) return ''
  const buffer = Buffer.alloc(length)
  const file = openSync(path, 'r')
  try {
    readSync(file, buffer, 0, length, offset)
  } finally {
    closeSync(file)
  }
  return buffer.toString()
}
