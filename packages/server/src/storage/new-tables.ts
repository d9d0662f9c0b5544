import { type Db, statement } from './sql.ts'

const LOOK = statement('look_at_new_tables', 'select look_at_new_tables() as names')

/** Has PostgreSQL look at tables that have grown before it did by itself. Returns their names. */
export async function analyzeNewTables(db: Db): Promise<readonly string[]> {
  const [row] = await db.query<{ names: string[] }>(LOOK)
  return row?.names ?? []
}
