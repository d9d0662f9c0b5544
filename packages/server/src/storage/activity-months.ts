// Activity lies in one table for each month. The service may not make or drop tables: a function of the owner's does, and
// refuses a term that is short (migrations, activity by month).
import { type Tx, statement } from './sql.ts'

const KEEP = statement('keep_activity', 'select keep_activity($1::integer) as dropped')

/** Makes the months to come and drops those that are wholly older than so many months, null: none; says which. */
export async function keepActivity(tx: Tx, months: number | null): Promise<readonly string[]> {
  return (await tx.query<{ dropped: string[] }>(KEEP, [months]))[0]!.dropped
}
