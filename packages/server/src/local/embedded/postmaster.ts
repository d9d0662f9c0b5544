import { readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { EmbeddedPostgresError, errorCode } from './errors.ts'
import { commandOf, isAlive, isTaken } from './processes.ts'

/** A running PostgreSQL server, as it describes itself in postmaster.pid. */
export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly state: 'starting' | 'ready' | 'stopping'
}

/** The living server of this very cluster, or null. */
export function findPostmaster(cluster: string): Postmaster | null {
  const lines = readPidFile(cluster)
  const pid = pidFrom(lines)
  if (lines === null || pid === null) return null
  if (!isAlive(pid) || !servesCluster(pid, cluster)) return null
  return { pid, port: Number(lines[3]), state: stateFrom(lines[7]) }
}

/** Whether the server with this pid takes connections. */
export function isReady(cluster: string, pid: number): boolean {
  const lines = readPidFile(cluster)
  return lines !== null && pidFrom(lines) === pid && stateFrom(lines[7]) === 'ready'
}

/**
 * PostgreSQL copes with a left-over postmaster.pid by itself, unless its number has since gone to
 * another process of the same user: then it takes that for a server. Call this only after
 * findPostmaster gave null. Should a server live on all the same, PostgreSQL still finds its
 * shared memory in use and refuses to start a second one.
 */
export function removeMisleadingPidFile(cluster: string): void {
  const pid = pidFrom(readPidFile(cluster))
  if (pid !== null && isTaken(pid)) rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

function pidFrom(lines: string[] | null): number | null {
  const pid = Number(lines?.[0])
  return Number.isInteger(pid) && pid > 0 ? pid : null
}

function readPidFile(cluster: string): string[] | null {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    if (errorCode(error) !== 'EACCES') throw error
    throw new EmbeddedPostgresError(`${cluster} belongs to another user; run this as root or as that user`)
  }
}

/** Whoever starts the server, we or pg_ctl, starts it as `postgres -D <cluster>`. */
function servesCluster(pid: number, cluster: string): boolean {
  const command = commandOf(pid)
  // Windows does not tell; there the answer to a query decides.
  if (command === null) return process.platform === 'win32'
  const end = ` -D ${cluster}`
  return command.endsWith(end) && basename(command.slice(0, -end.length)) === 'postgres'
}

function stateFrom(line: string | undefined): Postmaster['state'] {
  const word = line?.trim()
  if (word === 'ready' || word === 'standby') return 'ready'
  return word === 'stopping' ? 'stopping' : 'starting'
}
