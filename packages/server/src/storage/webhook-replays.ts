// Which events a replay sends again.
import type { Scope } from '../core/scope.ts'
import { type Db, statement } from './sql.ts'

/** Ids say when they were made. */
interface IdRange {
  readonly from: string
  readonly to: string
  readonly limit: number
}

const EVENTS = statement(
  'event_ids_of_a_time',
  `select id from events where partner_id = $1 and environment = $2 and id >= $3 and id < $4 order by id limit $5`,
)

export async function listEventIds(db: Db, scope: Scope, { from, to, limit }: IdRange): Promise<string[]> {
  const rows = await db.query<{ id: string }>(EVENTS, [scope.partnerId, scope.environment, from, to, limit])
  return rows.map(({ id }) => id)
}

const FAILED = statement(
  'failed_event_ids_of_a_time',
  `select failed.event_id as id from (
     select distinct d.event_id from webhook_deliveries d
      where array[d.partner_id] = array[$1::uuid] and array[d.environment] = array[$2::environment] and d.state = 'failed'
        and (d.endpoint_id::text || d.event_id::text) collate "C" >= $3::text || $4::text
        and (d.endpoint_id::text || d.event_id::text) collate "C" < $3::text || $5::text) failed
    where (
      select 1 from webhook_deliveries o
       where array[o.partner_id] = array[$1::uuid] and array[o.environment] = array[$2::environment]
         and (o.endpoint_id::text || o.event_id::text) collate "C" = $3::text || failed.event_id::text and o.state <> 'failed'
       limit 1) is null
    order by failed.event_id limit $6`,
)

/** Those that failed at this endpoint, and neither arrived nor wait since. */
export async function listFailedEventIds(
  db: Db,
  { partnerId, environment, id }: Scope & { readonly id: string },
  { from, to, limit }: IdRange,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(FAILED, [partnerId, environment, id, from, to, limit])
  return rows.map((row) => row.id)
}
