// What `migrate` would do to a database, read without changing it or making anybody wait.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import pg from 'pg'

import { type KnownTables, readTables } from './known-tables.ts'
import { isOutsideTransaction, stepsOf } from './migration-steps.ts'
import { readSchemaState, type SchemaState } from './schema-state.ts'
import { type TableLock, indexesMade, stepLocks, tablesMade } from './step-locks.ts'

export interface PlannedLock extends TableLock {
  /** About how many rows it has, by PostgreSQL's own estimate; null: it has not counted yet. */
  readonly rows: number | null
}

export interface PlannedStep {
  readonly isInTransaction: boolean
  /** Only tables that are there before: nobody waits for one that the step makes. */
  readonly locks: readonly PlannedLock[]
}

export interface PlannedMigration {
  readonly name: string
  readonly steps: readonly PlannedStep[]
}

export interface MigrationPlan {
  readonly state: SchemaState
  readonly total: number
  readonly migrations: readonly PlannedMigration[]
}

export async function planMigrations(options: { url: string; folder: string }): Promise<MigrationPlan> {
  const { total, ...state } = await readSchemaState(options)
  const { rows, indexes, keys } = await readTablesOf(options.url)
  const made = new Set<string>()
  const migrations: PlannedMigration[] = []
  for (const name of state.missing) {
    const steps: PlannedStep[] = []
    for (const step of stepsOf(await readFile(join(options.folder, name), 'utf8'))) {
      for (const table of tablesMade(step)) if (!rows.has(table)) made.add(table)
      const locks = stepLocks(step, { indexes, keys }).filter(({ table }) => !made.has(table))
      for (const [index, table] of indexesMade(step)) indexes.set(index, table)
      steps.push({
        isInTransaction: !isOutsideTransaction(step),
        locks: locks.map((each) => ({ ...each, rows: rows.get(each.table) ?? null })),
      })
    }
    migrations.push({ name, steps })
  }
  return { state, total, migrations }
}

async function readTablesOf(url: string): Promise<KnownTables> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    options: '-c default_transaction_read_only=on',
  })
  await client.connect()
  try {
    return await readTables(client)
  } finally {
    await client.end()
  }
}
