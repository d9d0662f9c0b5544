// Alarms that were raised already: one about one thing, for one cause, is raised once.
import type { Scope } from '../core/scope.ts'
import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

const ITEMS = itemColumns<'about' | 'cause'>(4, { about: ['about', 'text'], cause: ['cause', 'text'] })

const KEEP = statement(
  'keep_told_alarms',
  `insert into told_alarms (partner_id, environment, told_at, ${ITEMS.names})
   select distinct $1::uuid, $2::environment, $3::timestamptz, ${ITEMS.selected} from ${ITEMS.from}
   on conflict do nothing returning about, cause`,
)

/** Returns those of the given alarms that nobody was told of before. */
export function keepToldAlarms(
  tx: Tx,
  scope: Scope,
  told: readonly { about: string; cause: string }[],
  at: Date,
): Promise<{ about: string; cause: string }[]> {
  return tx.query(KEEP, [scope.partnerId, scope.environment, at, ...ITEMS.values(told)])
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
