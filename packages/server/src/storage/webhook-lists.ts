// Deliveries as people and programs look at them, and what is forgotten in time.
import type { Scope } from '../core/scope.ts'
import { type Db, type Tx, statement } from './sql.ts'
import { DELIVERY_COLUMNS, type DeliveryRow, type DeliveryState } from './webhook-deliveries.ts'

export interface DeliveryFilter {
  readonly state: DeliveryState | null
  readonly type: string | null
  readonly eventId: string | null
  readonly from: Date | null
  /** The id of the last one of the page before. */
  readonly before: string
  readonly limit: number
}

/** One page looks at this many and no more, however few of them fit. */
export const LOOKED_THROUGH = 2_000

const LIST = statement(
  'list_webhook_deliveries',
  `select ${DELIVERY_COLUMNS}, (d.place = ${LOOKED_THROUGH}) as "isEnd",
          (($5::text is null or d.state = $5) and ($6::text is null or d.event_type = $6)
           and ($7::uuid is null or d.event_id = $7)) as fits
     from (select *, row_number() over (order by id desc) as place from webhook_deliveries
            where partner_id = $1 and environment = $2 and endpoint_id = $3 and id < $4
              and ($8::timestamptz is null or created_at >= $8)
            order by id desc limit ${LOOKED_THROUGH}) d
    where d.place = ${LOOKED_THROUGH}
       or (($5::text is null or d.state = $5) and ($6::text is null or d.event_type = $6)
           and ($7::uuid is null or d.event_id = $7))
    order by d.id desc limit $9`,
)

/** The newest first. The last that was looked at is there even if it does not fit, so that the next page can go on. */
export function listDeliveries(
  db: Db,
  scope: Scope,
  endpointId: string,
  filter: DeliveryFilter,
): Promise<(DeliveryRow & { readonly isEnd: boolean; readonly fits: boolean })[]> {
  const { partnerId, environment } = scope
  const { state, type, eventId, from, before, limit } = filter
  return db.query(LIST, [partnerId, environment, endpointId, before, state, type, eventId, from, limit])
}

/** Of a subject with more events than this, those of the newest are found. A payout has eight at most. */
export const EVENTS_LOOKED_THROUGH = 200

// By the events of the subject: an index of deliveries by subject would be one more to write for each of them.
const OF_SUBJECT = statement(
  'list_webhook_deliveries_of_subject',
  `select ${DELIVERY_COLUMNS}
     from (select id from events where partner_id = $1 and environment = $2 and subject_id = $3
            order by sequence desc limit ${EVENTS_LOOKED_THROUGH}) v
    cross join (select id from webhook_endpoints where partner_id = $1 and environment = $2 and deleted_at is null) e
    cross join lateral (
      select * from webhook_deliveries
       where array[partner_id] = array[$1::uuid] and (endpoint_id::text || event_id::text) collate "C" = e.id::text || v.id::text
         and array[id] < array[$4::uuid]
       order by id desc limit $5) d
    order by d.id desc limit $5`,
)

/** To every endpoint that is still there, the newest first. */
export function listDeliveriesOfSubject(
  db: Db,
  { partnerId, environment }: Scope,
  { subjectId, before, limit }: { subjectId: string; before: string; limit: number },
): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(OF_SUBJECT, [partnerId, environment, subjectId, before, limit])
}

const FIND = statement(
  'find_webhook_delivery',
  `select ${DELIVERY_COLUMNS} from webhook_endpoints e cross join lateral (
     select * from webhook_deliveries
      where partner_id = e.partner_id and environment = e.environment and endpoint_id = e.id and id = $3 limit 1) d
    where e.partner_id = $1 and e.environment = $2`,
)

export async function findDelivery(db: Db, scope: Scope, id: string): Promise<DeliveryRow | null> {
  return (await db.query<DeliveryRow>(FIND, [scope.partnerId, scope.environment, id]))[0] ?? null
}

export interface AttemptRow {
  readonly number: number
  readonly at: Date
  readonly ms: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string
}

const ATTEMPTS = statement(
  'list_webhook_attempts',
  `select number, at, ms, status, error, answer from webhook_attempts
    where partner_id = $1 and environment = $2 and endpoint_id = $3 and delivery_id = $4 order by number`,
)

export function listAttempts(db: Db, { partnerId, environment, endpointId, id }: DeliveryRow): Promise<AttemptRow[]> {
  return db.query<AttemptRow>(ATTEMPTS, [partnerId, environment, endpointId, id])
}

const WITH_OLD = statement(
  'webhook_endpoints_with_old_deliveries',
  `select e.partner_id as "partnerId", e.environment, e.id from webhook_endpoints e cross join lateral (
     select 1 from webhook_deliveries d
      where d.partner_id = e.partner_id and d.environment = e.environment and d.endpoint_id = e.id and d.id < $1
      limit 1) old`,
)
const FORGET = statement(
  'forget_webhook_deliveries',
  `delete from webhook_deliveries
    where ctid = any(array(
      select ctid from webhook_deliveries
       where partner_id = $1 and environment = $2 and endpoint_id = $3 and id < $4 order by id limit $5))
   returning id`,
)

type EndpointKey = Scope & { readonly id: string }

/** Endpoints to which something was sent before the moment in this id. */
export function listEndpointsWithOld(db: Db, before: string): Promise<EndpointKey[]> {
  return db.query<EndpointKey>(WITH_OLD, [before])
}

/** Returns how many deliveries were deleted, with their attempts. */
export async function forgetDeliveries(tx: Tx, of: EndpointKey, before: string, most: number): Promise<number> {
  return (await tx.query(FORGET, [of.partnerId, of.environment, of.id, before, most])).length
}

const FORGET_ENDPOINTS = statement(
  'forget_webhook_endpoints',
  `delete from webhook_endpoints e where e.deleted_at < $1 and (
     select d.id from webhook_deliveries d
      where d.partner_id = e.partner_id and d.environment = e.environment and d.endpoint_id = e.id limit 1) is null`,
)

/** Endpoints that were deleted before, once nothing of what was sent to them is kept. */
export function forgetEndpoints(tx: Tx, deletedBefore: Date): void {
  tx.defer(FORGET_ENDPOINTS, [deletedBefore])
}

const OLDEST = statement(
  'oldest_webhook_delivery',
  `select min(waiting.next_try_at) as since from webhook_endpoints e cross join lateral (
     select next_try_at from webhook_deliveries d
      where d.endpoint_id::text = e.id::text and d.state = 'waiting'
      order by next_try_at limit 1) waiting
    where e.status = 'active' and e.deleted_at is null and e.failing_since is null`,
)

/** When the next delivery to an endpoint that works is due, or was: what is long past, no worker sends. Null: none waits. */
export async function oldestDueDelivery(db: Db): Promise<Date | null> {
  return (await db.query<{ since: Date | null }>(OLDEST))[0]?.since ?? null
}
