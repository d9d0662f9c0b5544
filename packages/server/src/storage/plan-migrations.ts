// What `migrate` would do to a database, read without changing it or making anybody wait.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import pg from 'pg'

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
  const { rows, indexes, keys } = await readTables(options.url)
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

/** Every table with its estimated rows, and the table of every index. A table in parts has the rows of its parts. */
const TABLES = `
  select c.relname as name, c.relkind in ('i', 'I') as "isIndex", t.relname as "ofTable",
         case when c.relkind = 'p'
              then (select sum(part.reltuples) from pg_partition_tree(c.oid) tree join pg_class part on part.oid = tree.relid
                     where tree.isleaf and part.reltuples >= 0)
              else nullif(c.reltuples, -1) end as rows
    from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'i', 'I')`

const KEYS = `
  select c.conrelid::regclass::text || '.' || c.conname as name, c.confrelid::regclass::text as "refersTo"
    from pg_constraint c where c.contype = 'f' and c.connamespace = current_schema()::regnamespace`

interface FoundTable {
  readonly name: string
  readonly isIndex: boolean
  readonly ofTable: string | null
  readonly rows: number | null
}

interface Found {
  readonly rows: Map<string, number | null>
  readonly indexes: Map<string, string>
  readonly keys: Map<string, string>
}

async function readTables(url: string): Promise<Found> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    options: '-c default_transaction_read_only=on',
  })
  await client.connect()
  try {
    const { rows: found } = await client.query<FoundTable>(TABLES)
    const { rows: keys } = await client.query<{ name: string; refersTo: string }>(KEYS)
    return {
      keys: new Map(keys.map(({ name, refersTo }) => [name, refersTo])),
      rows: new Map(found.filter(({ isIndex }) => !isIndex).map(({ name, rows }) => [name, rows])),
      indexes: new Map(found.flatMap(({ name, ofTable }) => (ofTable === null ? [] : [[name, ofTable]]))),
    }
  } finally {
    await client.end()
  }
}
