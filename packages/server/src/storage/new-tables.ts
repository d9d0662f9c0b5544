import { type Db, statement } from './sql.ts'

const LOOK = statement('look_at_new_tables', 'select look_at_new_tables() as names')

/** Has PostgreSQL look at tables that have grown before it did by itself. */
export async function analyzeNewTables(db: Db): Promise<void> {
  await db.query(LOOK)
}
