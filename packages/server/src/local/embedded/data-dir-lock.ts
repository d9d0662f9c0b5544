import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { monotonicMs, sleep } from '../../core/clock.ts'
import { DataDirInUseError, errorCode } from './errors.ts'
import { isAlive, lifeOf } from './processes.ts'

export interface DataDirLock {
  /** Call when a shutdown begins: whoever is next then waits instead of giving up. */
  announceStop(): void
  /** Gives the data directory back. Harmless when called twice. */
  release(): void
}

interface Holder {
  readonly pid: number
  readonly life: string | null
  /** Differs for every lock taken, so that we only ever remove our own. */
  readonly token: string
  readonly isStopping?: boolean
}

const ATTEMPTS = 20
const PATIENCE_MS = 1_000
const STOPPING_PATIENCE_MS = 60_000

/**
 * Claims a data directory for this process, making the directory when it is missing. A lock
 * left by a process that died is taken over. Throws DataDirInUseError while another lives.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  mkdirSync(dataDir, { recursive: true })
  const path = join(dataDir, 'kestrel.pid')
  const token = randomBytes(8).toString('hex')
  const mine: Holder = { pid: process.pid, life: lifeOf(process.pid), token }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (appearsWhole(path, mine)) return handleFor(path, mine)
    const holder = readHolder(path)
    if (holder !== null && holds(holder)) {
      throw new DataDirInUseError(dataDir, holder.pid, holder.isStopping === true)
    }
    moveStaleAside(path, token)
  }
  throw new Error(`could not take the lock ${path}; remove it if no Kestrel is running`)
}

/**
 * Like lockDataDir, but gives a Kestrel that is shutting down the time to finish, and any other a
 * moment: one whose `npm start` was ended from outside takes a moment to notice.
 */
export async function lockDataDirPatiently(dataDir: string): Promise<DataDirLock> {
  const startedAt = monotonicMs()
  for (;;) {
    try {
      return lockDataDir(dataDir)
    } catch (error) {
      if (!(error instanceof DataDirInUseError)) throw error
      const patience = error.isStopping ? STOPPING_PATIENCE_MS : PATIENCE_MS
      if (monotonicMs() - startedAt > patience) throw error
    }
    await sleep(50)
  }
}

/** The pid of the living Kestrel that holds this data directory, or null. */
export function holderOf(dataDir: string): number | null {
  const holder = readHolder(join(dataDir, 'kestrel.pid'))
  return holder !== null && holds(holder) ? holder.pid : null
}

const ownTokens = new Set<string>()

function holds(holder: Holder): boolean {
  // Our own pid with a token we never issued is from an earlier life: a restarted container.
  if (holder.pid === process.pid) return ownTokens.has(holder.token)
  if (!isAlive(holder.pid)) return false
  return holder.life === null || holder.life === lifeOf(holder.pid)
}

function handleFor(path: string, mine: Holder): DataDirLock {
  return {
    announceStop: () => {
      if (readHolder(path)?.token !== mine.token) return
      const next = `${path}.${mine.token}`
      writeFileSync(next, JSON.stringify({ ...mine, isStopping: true }))
      renameSync(next, path)
    },
    release: () => releaseOwn(path, mine.token),
  }
}

/** Linking a finished file means nobody ever sees a half-written lock. */
function appearsWhole(path: string, mine: Holder): boolean {
  const next = `${path}.${mine.token}`
  writeFileSync(next, JSON.stringify(mine), { flag: 'wx', mode: 0o644 })
  try {
    linkSync(next, path)
    ownTokens.add(mine.token)
    return true
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(next, { force: true })
  }
}

function readHolder(path: string): Holder | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isHolder(value) ? value : null
  } catch {
    return null
  }
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false
  if (!('pid' in value && 'life' in value && 'token' in value)) return false
  const { pid, life, token } = value
  return typeof pid === 'number' && (life === null || typeof life === 'string') && typeof token === 'string'
}

/** Of two processes that find the same stale lock only one can rename it. */
function moveStaleAside(path: string, token: string): void {
  const aside = `${path}.${token}.stale`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  const moved = readHolder(aside)
  // The other one may already have put its own lock there: then it is not stale, give it back.
  if (moved !== null && holds(moved)) renameSync(aside, path)
  else rmSync(aside, { force: true })
}

function releaseOwn(path: string, token: string): void {
  ownTokens.delete(token)
  if (readHolder(path)?.token === token) rmSync(path, { force: true })
}
