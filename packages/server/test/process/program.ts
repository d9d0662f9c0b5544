// The real program as a child process: `node packages/server/bin/kestrel.mjs …`, on a database made for it.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Owner, emptyDatabase, ownerOf } from '../storage/owner.ts'
import { TEMPLATE } from '../support/global-setup.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const PROGRAM = join(ROOT, 'packages/server/bin/kestrel.mjs')

export type Settings = Readonly<Record<string, string>>

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly pid: number
  /** What it has printed so far. */
  readonly output: { stdout: string; stderr: string }
  readonly ended: Promise<Ended>
  kill(signal: NodeJS.Signals): Promise<Ended>
}

/** A database, a data directory and the settings that make the program use them. */
export interface Home {
  readonly settings: Settings
  readonly dataDir: string
  readonly owner: Owner
  leave(): Promise<void>
}

const started = new Set<ChildProcess>()

/** The tables and the secrets are there, as after a first start, unless the test is about their absence. */
export async function aHome({ isMigrated = true } = {}): Promise<Home> {
  const database = await emptyDatabase(isMigrated ? TEMPLATE : undefined)
  const owner = await ownerOf(database.url)
  const dataDir = mkdtempSync(join(tmpdir(), 'kestrel-process-'))
  const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir, RATE_LIMIT_PER_SECOND: '0' }
  if (isMigrated) {
    // What is left of it to do: the secrets.
    const ended = await run(['migrate'], settings)
    if (ended.code !== 0) throw new Error(ended.stderr)
  }
  return {
    settings,
    dataDir,
    owner,
    leave: async () => {
      endEverythingStarted()
      await owner.end()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Only what this file started, each by its own id. */
export function endEverythingStarted(): void {
  for (const child of started) child.kill('SIGKILL')
  started.clear()
}

/** Which program, when it is not this checkout's own. */
export interface Which {
  readonly program?: string
}

export function launch(args: readonly string[], settings: Settings, { program = PROGRAM }: Which = {}): Running {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: ROOT,
    // Nothing of the test's own environment: the program must get along with what it is given.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.add(child)
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    started.delete(child)
    // The first to start after an edit builds the program, and says so on stderr: no word of the command's.
    const stderr = output.stderr.replace(/^ {2}✔ Build .*\n/, '')
    return { code: code as number | null, signal: signal as NodeJS.Signals | null, stdout: output.stdout, stderr }
  })
  return {
    pid: child.pid!,
    output,
    ended,
    kill: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}

/** Runs a command to its end; one that does not end is ended, and has no exit code. */
export async function run(
  args: readonly string[],
  settings: Settings,
  longestMs = 20_000,
  which: Which = {},
): Promise<Ended> {
  const running = launch(args, settings, which)
  const timer = setTimeout(() => void running.kill('SIGKILL'), longestMs)
  const ended = await running.ended
  clearTimeout(timer)
  return ended
}

export interface Served extends Running {
  readonly url: string
}

/** Starts `serve` or `api` on a port of its own and waits until requests can be served. */
export async function serveOn(
  role: 'serve' | 'api',
  settings: Settings,
  port?: number,
  which: Which = {},
): Promise<Served> {
  const wanted = port ?? (await freePort())
  const running = launch([role], { PORT: String(wanted), ...settings }, which)
  const requireAlive = aliveOr('serving', running)
  const pattern = role === 'serve' ? /API and worker +(http:\S+)/ : /"url":"(http:[^"]+)"/
  for (;;) {
    requireAlive()
    const url = pattern.exec(running.output.stdout)?.[1]
    const isUp = url !== undefined && (await fetch(`${url}/healthz`).catch(() => null))?.status === 200
    if (isUp) return { ...running, url }
    await moment(20)
  }
}

/** Starts a worker and waits until it works. */
export async function workOn(settings: Settings, longestMs: number): Promise<Running> {
  const running = launch(['worker'], settings)
  const requireAlive = aliveOr('working', running)
  const works = () => {
    requireAlive()
    return running.output.stdout.includes('"working"')
  }
  await until('the worker works', works, longestMs)
  return running
}

/** Throws when it has ended, with all that it said: nobody waits for it in vain then, and everybody knows why. */
function aliveOr(what: string, running: Running): () => void {
  let hasEnded: Ended | null = null
  void running.ended.then((ended) => (hasEnded = ended))
  return () => {
    if (hasEnded !== null) throw new Error(`It ended instead of ${what}: ${JSON.stringify(hasEnded)}`)
  }
}

/** A port below those that the system hands out, that nobody listens on now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const probe = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

export const moment = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Waits for what another process does; there is no clock of its to move. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean, longestMs = 30_000): Promise<void> {
  const deadline = Date.now() + longestMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Waited ${longestMs} ms in vain until ${what}`)
    await moment(25)
  }
}
