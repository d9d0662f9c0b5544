import { closeSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { sleep } from '../../core/clock.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { touchOwned } from './own-files.ts'
import type { Placement } from './placement.ts'
import { freePort } from './ports.ts'
import { runBinary } from './run-binary.ts'
import { settingsText, writeSettings } from './settings.ts'

// Long enough for recovery after a crash; a normal start takes a tenth of a second.
const START_TIMEOUT_S = 300
const STOP_TIMEOUT_S = 60
const LARGEST_LOG = 5 * 1024 * 1024
const ATTEMPTS = 50

/** Starts the server on the first free port at or after `preferred` and gives that port. */
export async function launch(
  placement: Placement,
  preferred: number,
  settings: Readonly<Record<string, string>>,
): Promise<number> {
  let from = preferred
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(from)
    writeSettings(placement.cluster, settingsText(port, settings), placement.user)
    const trouble = await tryToStart(placement)
    if (trouble === null) return port
    const kind = attempt < ATTEMPTS ? kindOf(trouble) : 'fatal'
    if (kind === 'fatal') throw startFailure(trouble, placement.logFile)
    // Somebody took the port between our look and the start, or the processes of a server that
    // was killed are not quite gone.
    if (kind === 'port') from = port + 1
    else await sleep(200)
  }
}

/** Starts a server that has run before, with the settings that it has: whoever uses it knows its port. */
export async function startAgain(placement: Placement): Promise<void> {
  const trouble = await tryToStart(placement)
  if (trouble !== null) throw startFailure(trouble, placement.logFile)
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

/** Null when it started, otherwise what went wrong, from pg_ctl and from the log. */
async function tryToStart(placement: Placement): Promise<string | null> {
  const { logFile, user } = placement
  rotate(logFile)
  touchOwned(logFile, user)
  const logged = statSync(logFile).size
  const args = ['start', '-w', '-t', String(START_TIMEOUT_S), '-l', logFile]
  const run = await pgCtl(placement, args)
  return run.code === 0 ? null : `${readFrom(logFile, logged)}\n${run.output}`
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
