// Alarms that were raised already: one about one thing, for one cause, is raised once.
import type { Scope } from '../core/scope.ts'
import { type Db, type Tx, statement } from './sql.ts'

const KEEP = statement(
  'keep_told_alarms',
  `insert into told_alarms (partner_id, environment, about, cause, told_at)
   select distinct $1::uuid, $2::environment, item.about, item.cause, $3::timestamptz
     from unnest($4::text[], $5::text[]) as item (about, cause)
   on conflict do nothing returning about, cause`,
)

/** Returns those of the given alarms that nobody was told of before. */
export function keepToldAlarms(
  tx: Tx,
  scope: Scope,
  told: readonly { about: string; cause: string }[],
  at: Date,
): Promise<{ about: string; cause: string }[]> {
  const values = [
    scope.partnerId,
    scope.environment,
    at,
    told.map((each) => each.about),
    told.map((each) => each.cause),
  ]
  return tx.query(KEEP, values)
}

const CAUSES = statement(
  'told_alarms_about',
  'select cause from told_alarms where partner_id = $1 and environment = $2 and about = $3',
)

/** The causes for which alarms about one thing were raised. */
export async function readToldAlarms(db: Db, { partnerId, environment }: Scope, about: string): Promise<string[]> {
  const rows = await db.query<{ cause: string }>(CAUSES, [partnerId, environment, about])
  return rows.map(({ cause }) => cause)
}

const TOLD = statement(
  'payouts_told_of_for_a_cause',
  'select about as id from told_alarms where partner_id = $1 and environment = $2 and cause = $3',
)

/** The payouts that an alarm with this cause was about. */
export async function listToldOf(db: Db, { partnerId, environment }: Scope, cause: string): Promise<string[]> {
  return (await db.query<{ id: string }>(TOLD, [partnerId, environment, cause])).map(({ id }) => id)
}
