// Activity is stored in one table per month. The service may not create or drop tables: a function of the owner's does
// it, and refuses a term that is too short (migrations, activity by month).
import { type Tx, statement } from './sql.ts'

const KEEP = statement('keep_activity', 'select keep_activity($1::integer) as dropped')

/** Creates the coming months and drops those wholly older than `months` (null: none). Returns the dropped ones. */
export async function keepActivity(tx: Tx, months: number | null): Promise<readonly string[]> {
  return (await tx.query<{ dropped: string[] }>(KEEP, [months]))[0]!.dropped
}
