import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { binariesIn, type Binaries } from './binaries.ts'
import { EmbeddedPostgresError } from './errors.ts'

// For root only: a place that an unprivileged user can reach when the data directory, or
// node_modules, lies under a closed folder such as /root.
const OUTSIDE = '/var/lib/kestrel'

/** The home outside that this data directory already has, if any. */
export function knownHomeOutside(dataDir: string): string | null {
  const id = readText(join(dataDir, 'embedded-id'))
  return id !== null && /^[0-9a-f]{16}$/.test(id) ? join(OUTSIDE, id) : null
}

/** Makes, or finds again, the home outside for the cluster of this data directory. */
export function homeOutside(dataDir: string): string {
  const home = openHome(dataDir)
  const origin = join(home, 'data-dir')
  refuseCopies(dataDir, home, readText(origin))
  writeFileSync(origin, `${dataDir}\n`)
  return home
}

/** A copy of the binaries outside, made once per version. */
export function binariesOutside(dataDir: string, original: Binaries): Binaries {
  const home = openHome(dataDir)
  const name = `native-${original.packageVersion}`
  const folder = join(home, name)
  if (!existsSync(folder)) {
    const next = `${folder}.new-${process.pid}`
    cpSync(original.folder, next, { recursive: true, verbatimSymlinks: true })
    openTree(next)
    renameSync(next, folder)
    removeOthers(home, name)
  }
  return binariesIn(folder, original.packageVersion)
}

function openHome(dataDir: string): string {
  const known = knownHomeOutside(dataDir)
  const id = randomBytes(8).toString('hex')
  const home = known ?? join(OUTSIDE, id)
  for (const folder of [OUTSIDE, home]) openFolder(folder)
  if (known === null) writeFileSync(join(dataDir, 'embedded-id'), `${id}\n`)
  return home
}

/** `cp -r` of a data directory copies the id too; both would then share one database. */
function refuseCopies(dataDir: string, home: string, origin: string | null): void {
  if (origin === null || origin === dataDir || !existsSync(origin)) return
  if (realpathSync(origin) === dataDir || knownHomeOutside(origin) !== home) return
  throw new EmbeddedPostgresError(
    `${dataDir} is a copy of ${origin}, and both would use the database in ${home}; ` +
      `remove ${join(dataDir, 'embedded-id')} to begin with an empty one`,
  )
}

function removeOthers(home: string, keep: string): void {
  for (const name of readdirSync(home)) {
    if (name.startsWith('native-') && name !== keep) {
      rmSync(join(home, name), { recursive: true, force: true })
    }
  }
}

/** A mode given to mkdir is cut by the umask; this one is not. */
function openFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
}

function openTree(path: string): void {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return
  if (!stat.isDirectory()) return chmodSync(path, (stat.mode & 0o111) === 0 ? 0o644 : 0o755)
  chmodSync(path, 0o755)
  for (const name of readdirSync(path)) openTree(join(path, name))
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}
