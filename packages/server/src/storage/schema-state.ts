// Which migrations a database has had, read without changing it.
import { readdir } from 'node:fs/promises'

import type pg from 'pg'

import { lookAtDatabase } from './look-at-database.ts'

export interface SchemaState {
  /** Migrations of this program that the database lacks, in order. */
  readonly missing: readonly string[]
  /** Migrations of the database that this program does not know. */
  readonly unknown: readonly string[]
  /** Whether the database has had none at all. */
  readonly isEmpty: boolean
}

export async function readSchemaState(options: {
  url: string
  folder: string
}): Promise<SchemaState & { readonly total: number }> {
  const files = (await readdir(options.folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const done = new Set(await lookAtDatabase(options.url, migrationsOf))
  return {
    missing: files.filter((name) => !done.has(name)),
    unknown: [...done].filter((name) => !files.includes(name)),
    isEmpty: done.size === 0,
    total: files.length,
  }
}

async function migrationsOf(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('migrations') is not null as found`,
  )
  if (tables[0]?.found !== true) return []
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  return rows.map(({ name }) => name)
}

/** Why a command must not work on such a database, and what to run instead; null when it may. */
export function schemaProblem({ missing, unknown, isEmpty }: SchemaState): string | null {
  if (unknown.length > 0) {
    return `The database has migration ${unknown.at(-1)}, which this program does not know. It was last used by a newer version: run that one.`
  }
  if (isEmpty) {
    return 'The database has no tables of Kestrel’s. Is it the right one? If it is: run `kestrel migrate`, or start the service.'
  }
  if (missing.length === 0) return null
  return `The database is of an older version: it lacks ${missing.length === 1 ? '' : `${missing.length} migrations, the first is `}${missing[0]}. Run \`kestrel migrate\`, or start this version of the service.`
}
