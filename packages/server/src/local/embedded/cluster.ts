import {
  appendFileSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './errors.ts'
import type { Placement } from './placement.ts'
import { runBinary } from './run-binary.ts'
import type { RuntimeUser } from './runtime-user.ts'
import { SETTINGS_FILE } from './settings.ts'

export const SUPERUSER = 'kestrel'

const WORKSHOP = 'postgres.new-'

interface NewCluster {
  readonly password: string
  /** False leaves out flushing the new files to the disk: for tests. */
  readonly isDurable: boolean
}

/**
 * Makes the cluster when there is none. It is built in a folder beside and renamed when finished,
 * so what carries the final name is always complete, whenever we were killed.
 */
export async function ensureCluster(placement: Placement, wanted: NewCluster): Promise<void> {
  const { home, cluster, user } = placement
  removeWorkshops(home)
  if (existsSync(cluster)) {
    requireRightVersion(placement)
    if (user !== null && statSync(cluster).uid === 0) giveAway(cluster, user)
    return
  }
  const workshop = mkdtempSync(join(home, WORKSHOP))
  try {
    await initdb(placement, workshop, wanted)
    renameSync(join(workshop, 'data'), cluster)
    flushFolder(home)
  } finally {
    removeWorkshop(workshop)
  }
}

async function initdb(placement: Placement, workshop: string, wanted: NewCluster): Promise<void> {
  const { binaries, user } = placement
  const passwordFile = join(workshop, 'password')
  writeFileSync(passwordFile, `${wanted.password}\n`, { flag: 'wx', mode: 0o600 })
  if (user !== null) {
    chownSync(passwordFile, user.uid, user.gid)
    chownSync(workshop, user.uid, user.gid)
  }
  const data = join(workshop, 'data')
  const args = ['-D', data, '-U', SUPERUSER, `--pwfile=${passwordFile}`]
  args.push('--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--data-checksums')
  args.push('--no-instructions', ...(wanted.isDurable ? [] : ['--no-sync']))
  const run = await runBinary(binaries.initdb, args, { user, cwd: workshop, ownSession: false })
  if (run.code !== 0) throw initdbFailure(run.output, run.signal)
  appendFileSync(join(data, 'postgresql.conf'), `\ninclude_if_exists = '${SETTINGS_FILE}'\n`)
}

function initdbFailure(output: string, signal: NodeJS.Signals | null): EmbeddedPostgresError {
  if (signal !== null) return new EmbeddedPostgresError(`initdb was ended by ${signal}`)
  const telling = output.split('\n').find((line) => /\b(error|fatal|could not)\b/i.test(line))
  const why = telling?.trim() ?? output.trim().split('\n').at(-1) ?? 'it gave no reason'
  return new EmbeddedPostgresError(`PostgreSQL could not set up its files: ${why}`)
}

function requireRightVersion({ cluster, binaries }: Placement): void {
  const wanted = binaries.packageVersion.split('.')[0]
  let found: string
  try {
    found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  } catch {
    throw new EmbeddedPostgresError(`${cluster} holds no PostgreSQL database; move it away, then start again`)
  }
  if (found === wanted) return
  throw new EmbeddedPostgresError(
    `${cluster} was made by PostgreSQL ${found}, and this is ${wanted}; ` +
      'use a matching version of Kestrel, or move the data with pg_dump',
  )
}

/** A cluster that root copied here, from a backup for example. */
function giveAway(path: string, user: RuntimeUser): void {
  lchownSync(path, user.uid, user.gid)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name)
    if (entry.isDirectory()) giveAway(inside, user)
    else lchownSync(inside, user.uid, user.gid)
  }
}

function removeWorkshops(home: string): void {
  for (const name of readdirSync(home)) {
    if (name.startsWith(WORKSHOP)) removeWorkshop(join(home, name))
  }
}

/** An initdb that outlived a kill -9 may still be writing there; what resists goes next time. */
function removeWorkshop(workshop: string): void {
  try {
    rmSync(workshop, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 })
  } catch {
    return
  }
}

/** Makes the rename survive a power cut. Windows cannot flush folders and need not. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
