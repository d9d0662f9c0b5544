// What `migrate` would do to a database, read without changing it or making anybody wait.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { readTables } from './known-tables.ts'
import { lookAtDatabase } from './look-at-database.ts'
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
  const { rows, indexes, keys } = await lookAtDatabase(options.url, readTables)
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
