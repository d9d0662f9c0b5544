import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { locateBinaries, type Binaries } from './binaries.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { binariesOutside, homeOutside, knownHomeOutside } from './outside-home.ts'
import { runBinary } from './run-binary.ts'
import { unprivilegedUser, userName, weAreRoot, type RuntimeUser } from './runtime-user.ts'

/** Where everything lies and whom PostgreSQL runs as. */
export interface Placement {
  readonly binaries: Binaries
  /** The folder that holds the cluster and its log: the data directory, if at all possible. */
  readonly home: string
  readonly cluster: string
  readonly logFile: string
  /** Null when PostgreSQL runs as ourselves. */
  readonly user: RuntimeUser | null
  readonly notes: readonly string[]
}

/** The cluster of a data directory, or null when there is none yet. */
export function existingCluster(dataDir: string): string | null {
  if (!existsSync(dataDir)) return null
  const real = realpathSync(dataDir)
  const homes = [real, knownHomeOutside(real)].filter((home) => home !== null)
  return homes.map(clusterIn).find((cluster) => existsSync(cluster)) ?? null
}

export async function choosePlacement(dataDir: string): Promise<Placement> {
  mkdirSync(dataDir, { recursive: true })
  const real = realpathSync(dataDir)
  const cluster = existingCluster(real)
  if (!weAreRoot()) return ownPlacement(real, cluster)
  const user = userForCluster(cluster)
  const [home, binaries] = await Promise.all([homeFor(real, cluster, user), reachableBinaries(real, user)])
  const why = `because user ${user.name} could not enter ${real}`
  const notes = home === real ? [] : [`the database lies in ${clusterIn(home)}, ${why}`]
  return placementIn(home, binaries, user, notes)
}

function ownPlacement(dataDir: string, cluster: string | null): Placement {
  if (cluster === null) return placementIn(dataDir, locateBinaries(), null, [])
  const { uid } = statSync(cluster)
  if (process.getuid !== undefined && process.getuid() !== uid) {
    throw new EmbeddedPostgresError(
      `${cluster} belongs to user ${userName(uid)}; start Kestrel as root or as that user`,
    )
  }
  return placementIn(dirname(cluster), locateBinaries(), null, [])
}

function placementIn(home: string, binaries: Binaries, user: RuntimeUser | null, notes: readonly string[]): Placement {
  for (const path of [home, binaries.folder]) refuseShellCharacters(path)
  const logFile = join(home, 'postgres.log')
  return { binaries, home, cluster: clusterIn(home), logFile, user, notes }
}

/** pg_ctl and initdb put paths between double quotes into a shell command, and no more. */
function refuseShellCharacters(path: string): void {
  if (process.platform === 'win32' || !/["$`\\\n]/.test(path)) return
  throw new EmbeddedPostgresError(`PostgreSQL cannot work in ${path}: the path contains one of " $ \` \\`)
}

function clusterIn(home: string): string {
  return join(home, 'postgres')
}

/** A cluster that somebody made before us keeps its owner; only root's has to change hands. */
function userForCluster(cluster: string | null): RuntimeUser {
  const { uid, gid } = cluster === null ? { uid: 0, gid: 0 } : statSync(cluster)
  return uid === 0 ? unprivilegedUser() : { uid, gid, name: userName(uid) }
}

/** A cluster stays where it is; a new one goes into the data directory if its user can. */
async function homeFor(dataDir: string, cluster: string | null, user: RuntimeUser): Promise<string> {
  if (cluster !== null && dirname(cluster) !== dataDir) return homeOutside(dataDir)
  if (await canReach([dataDir], user)) return dataDir
  if (cluster === null) return homeOutside(dataDir)
  throw new EmbeddedPostgresError(
    `user ${user.name}, who owns the database, can no longer enter ${dataDir}; ` +
      'open it and the folders above it with chmod o+x',
  )
}

async function reachableBinaries(dataDir: string, user: RuntimeUser): Promise<Binaries> {
  const binaries = locateBinaries()
  const { initdb, pgCtl, postgres } = binaries
  if (await canReach([initdb, pgCtl, postgres], user)) return binaries
  return binariesOutside(dataDir, binaries)
}

/** Asks the system rather than reading modes: access lists and mounts have their say as well. */
async function canReach(paths: string[], user: RuntimeUser): Promise<boolean> {
  const script = 'for path; do [ -x "$path" ] || exit 1; done'
  const run = await runBinary('/bin/sh', ['-c', script, 'sh', ...paths], {
    user,
    cwd: '/',
    ownSession: false,
  })
  return run.code === 0
}
