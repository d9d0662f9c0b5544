import { isLostConnection } from '../core/outage.ts'
import { type Database, statement } from './sql.ts'

export const NEEDED_ENCODING = 'UTF8'

export interface DatabaseFacts {
  readonly version: string
  readonly majorVersion: number
  readonly encoding: string
  readonly now: Date
  /** A standby, or a database or a role that was set so. */
  readonly isReadOnly: boolean
  /** What the service's own role could do to the books. It should be nothing. */
  readonly isSuperuser: boolean
  readonly mayChangeHistory: boolean
  /** Temporary tables too: they can hide ours by their names. */
  readonly mayMakeTables: boolean
}

const FACTS = statement(
  'database_facts',
  `select current_setting('server_version') as version,
          current_setting('server_version_num')::int / 10000 as "majorVersion",
          current_setting('server_encoding') as encoding,
          clock_timestamp() as now,
          (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
          has_table_privilege(current_user, 'ledger_entries', 'update, delete, truncate') as "mayChangeHistory",
          has_database_privilege(current_user, current_database(), 'temp, create')
            or has_schema_privilege(current_user, current_schema(), 'create') as "mayMakeTables"`,
)

const ONLY_READS = statement(
  'database_only_reads',
  `select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
)

type Asked = { readonly db: Pick<Database, 'query' | 'inOneTrip'> }

export async function readDatabaseFacts({ db }: Asked): Promise<DatabaseFacts> {
  const [facts] = await db.query<Omit<DatabaseFacts, 'isReadOnly'>>(FACTS)
  return { ...facts!, isReadOnly: await takesNoWrites(db) }
}

/** A standby refuses even to begin a transaction that writes. */
async function takesNoWrites(db: Asked['db']): Promise<boolean> {
  try {
    const [found] = await db.inOneTrip<{ isReadOnly: boolean }>([[ONLY_READS, []]])
    return found!.isReadOnly
  } catch (error) {
    if (isLostConnection(error) && (error as { code?: unknown }).code === '25006') return true
    throw error
  }
}
