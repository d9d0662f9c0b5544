// Whether the database can be worked with. Answering is not enough: one that has become read-only, or whose disk is
// full, still answers every question.
import { type Database, type Db, statement } from './sql.ts'

const PING = statement('ping', 'select 1')
const WRITE = statement(
  'write_readiness',
  `insert into readiness (checked_at) values (now()) on conflict (only_row) do update set checked_at = excluded.checked_at`,
)

const NEWER = statement('newer_migration', 'select name from migrations where name <> all($1) order by name limit 1')

/** A migration that this program does not know: the database is from a newer version. Null when it knows all. */
export async function findNewerMigration(db: Db, known: readonly string[]): Promise<string | null> {
  return (await db.query<{ name: string }>(NEWER, [known]))[0]?.name ?? null
}

export async function askDatabase(db: Db): Promise<void> {
  await db.query(PING)
}

export async function writeToDatabase(db: Pick<Database, 'inOneTrip'>): Promise<void> {
  await db.inOneTrip([[WRITE, []]])
}
