import { type Db, statement } from './sql.ts'

export interface DatabaseFacts {
  readonly version: string
  readonly majorVersion: number
  readonly fsync: string
  readonly synchronousCommit: string
  readonly fullPageWrites: string
  readonly now: Date
}

const FACTS = statement(
  'database_facts',
  `select current_setting('server_version') as version,
          current_setting('server_version_num')::int / 10000 as "majorVersion",
          current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit",
          current_setting('full_page_writes') as "fullPageWrites", clock_timestamp() as now`,
)

export async function readDatabaseFacts(deps: { db: Db }): Promise<DatabaseFacts> {
  return (await deps.db.query<DatabaseFacts>(FACTS))[0]!
}
