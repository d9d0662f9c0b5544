// Which alarms were raised already: one about one thing, for one cause, is raised once.
import type { Scope } from '../core/scope.ts'
import { type Tx, statement } from './sql.ts'

const KEEP = statement(
  'keep_told_alarms',
  `insert into told_alarms (partner_id, environment, about, cause, told_at)
   select distinct $1::uuid, $2::environment, item.about, item.cause, $3::timestamptz
     from unnest($4::text[], $5::text[]) as item (about, cause)
   on conflict do nothing returning about, cause`,
)

/** Those of the given ones that nobody was told of before. */
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
