// The tables of a database, their indexes and their keys, by name, as they are now.
import type pg from 'pg'

import type { KnownNames } from './step-locks.ts'

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

export interface KnownTables extends KnownNames {
  /** Every table, with about how many rows it has; null: PostgreSQL has not counted yet. */
  readonly rows: Map<string, number | null>
  readonly indexes: Map<string, string>
  readonly keys: Map<string, string>
}

export async function readTables(client: pg.Client): Promise<KnownTables> {
  const { rows: found } = await client.query<FoundTable>(TABLES)
  const { rows: keys } = await client.query<{ name: string; refersTo: string }>(KEYS)
  return {
    keys: new Map(keys.map(({ name, refersTo }) => [name, refersTo])),
    rows: new Map(found.filter(({ isIndex }) => !isIndex).map(({ name, rows }) => [name, rows])),
    indexes: new Map(found.flatMap(({ name, ofTable }) => (ofTable === null ? [] : [[name, ofTable]]))),
  }
}
