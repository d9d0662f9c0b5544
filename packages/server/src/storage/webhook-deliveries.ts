// What is sent to endpoints: made from a wallet's events, taken under a lease, and ended.
import type { DELIVERY_CAUSES, DELIVERY_STATES } from '@kestrel/contract'

import type { Scope } from '../core/scope.ts'
import { itemColumns, itemList } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'
import { ENDPOINT_COLUMNS, type EndpointRow } from './webhook-endpoints.ts'
import { isFree } from './wrong-clocks.ts'

export type DeliveryState = (typeof DELIVERY_STATES)[number]
export type DeliveryCause = (typeof DELIVERY_CAUSES)[number]

export interface DeliveryRow extends Scope {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: string
  readonly subjectId: string
  readonly sequence: number
  readonly cause: DeliveryCause
  readonly state: DeliveryState
  readonly attempts: number
  readonly createdAt: Date
  readonly nextTryAt: Date | null
  readonly endedAt: Date | null
}

export const DELIVERY_COLUMNS = `d.partner_id as "partnerId", d.environment, d.id, d.endpoint_id as "endpointId",
  d.event_id as "eventId", d.event_type as "eventType", d.subject_id as "subjectId", d.sequence, d.cause, d.state, d.attempts,
  d.created_at as "createdAt", d.next_try_at as "nextTryAt", d.ended_at as "endedAt"`

// Which index is right is never left to what PostgreSQL believes of the table's size, which is wrong whenever much happens at
// once: each begins with something of its own, `endpoint_id::text` or `subject_id::text`, and a statement that is for one of them
// names nothing that another begins with, nor what another has only. What stands in `array[]` is compared, and looked up by no index.

/** Nobody takes a delivery for longer. */
const LONGEST_LEASE_MS = 30_000
const isFreeToSend = (alias: string, now: string): string =>
  isFree({ until: `${alias}.lease_until`, by: now, now, longestMs: LONGEST_LEASE_MS })

// Of each endpoint only the first row is looked for: with `exists`, PostgreSQL may read all rows of everybody instead.
export const BUSY_ENDPOINTS = `from webhook_endpoints e
     left join lateral (
       select true as is_there from events v
        where v.partner_id = e.partner_id and v.environment = e.environment and v.position > e.position
        order by v.position limit 1) news on true
     left join lateral (
       select true as is_there from webhook_deliveries d
        where d.endpoint_id::text = e.id::text
          and d.state = 'waiting' and d.next_try_at <= $1 and ${isFreeToSend('d', '$1')}
        limit 1) due on true
    where e.status = 'active' and e.deleted_at is null
      and (news.is_there or (due.is_there and (e.quiet_until is null or e.quiet_until <= $1)))`

const BUSY = statement(
  'busy_webhook_endpoints',
  `select ${ENDPOINT_COLUMNS}, news.is_there is true as "hasNews", due.is_there is true as "hasDue"
     ${BUSY_ENDPOINTS}`,
)

export interface BusyEndpoint extends EndpointRow {
  /** There are events that no delivery was made of yet. */
  readonly hasNews: boolean
  readonly hasDue: boolean
}

/** Endpoints with something to do, of everybody. There are few, and of each only the first row is looked for. */
export function listBusyEndpoints(db: Db, now: Date): Promise<BusyEndpoint[]> {
  return db.query<BusyEndpoint>(BUSY, [now])
}

type NewDelivery = Pick<DeliveryRow, 'id' | 'eventId' | 'eventType' | 'subjectId' | 'sequence'>

const NEW = itemColumns<keyof NewDelivery>(7, {
  id: ['id', 'uuid'],
  eventId: ['event_id', 'uuid'],
  eventType: ['event_type', 'text'],
  subjectId: ['subject_id', 'uuid'],
  sequence: ['sequence', 'int'],
})

const INSERT = statement(
  'insert_webhook_deliveries',
  `insert into webhook_deliveries
     (partner_id, environment, endpoint_id, cause, state, created_at, next_try_at, in_order_until, ${NEW.names})
   select $1, $2, $3, $4, 'waiting', $5, $5, $6, ${NEW.selected} from ${NEW.from}`,
)

/** Call it under `lockEndpoint`. The first attempt writes another `inOrderUntil`; older programs go by this one. */
export function insertDeliveries(
  tx: Tx,
  endpoint: Scope & { readonly id: string },
  made: { cause: DeliveryCause; at: Date; inOrderUntil: Date; deliveries: readonly NewDelivery[] },
): void {
  if (made.deliveries.length === 0) return
  const { partnerId, environment, id } = endpoint
  tx.defer(INSERT, [partnerId, environment, id, made.cause, made.at, made.inOrderUntil, ...NEW.values(made.deliveries)])
}

const MOVE = statement(
  'move_webhook_endpoint',
  'update webhook_endpoints set position = $4 where partner_id = $1 and environment = $2 and id = $3',
)

/** Of the events up to there deliveries are made. */
export function movePosition(tx: Tx, endpoint: Scope & { readonly id: string }, position: bigint): void {
  tx.defer(MOVE, [endpoint.partnerId, endpoint.environment, endpoint.id, position])
}

// Called with the endpoint's row locked, by the only one that serves it. What was never tried holds back what comes after it in its
// subject, however long we were away, and so does what is due itself; what was tried and failed does so for a while. A single
// row, and not `exists`, which PostgreSQL may turn into a reading of all that wait.
const CLAIM = statement(
  'claim_webhook_deliveries',
  `update webhook_deliveries d set lease_token = $5, lease_until = $6
    where d.ctid = any(array(
      select c.ctid from webhook_deliveries c
       where array[c.partner_id] = array[$1::uuid] and c.environment::text = $2::text and c.endpoint_id::text = $3::text
         and c.state = 'waiting' and c.next_try_at <= $4
         and ${isFreeToSend('c', '$4')} and (c.lease_token is null or c.lease_token <> $5)
         and (
           select 1 from webhook_deliveries b
            where array[b.partner_id] = array[$1::uuid] and array[b.endpoint_id] = array[$3::uuid] and b.ended_at is null
              and b.subject_id::text = c.subject_id::text and b.sequence < c.sequence
              and (b.attempts = 0 or b.next_try_at <= $4 or b.in_order_until > $4)
            limit 1) is null
       order by c.next_try_at, c.id limit $7))
    returning ${DELIVERY_COLUMNS}`,
)
const SERVE = statement(
  'serve_webhook_endpoint',
  'update webhook_endpoints set served_by = $4, served_until = $5 where partner_id = $1 and environment = $2 and id = $3',
)

export interface Claim {
  readonly now: Date
  /** Of whoever serves the endpoint. */
  readonly leaseToken: string
  readonly leaseUntil: Date
  readonly most: number
}

/** Takes leases on what is due, the oldest first. What it took before and holds too long is another's to take. */
export async function claimDeliveries(
  tx: Tx,
  endpoint: Scope & { readonly id: string },
  claim: Claim,
): Promise<DeliveryRow[]> {
  const { partnerId, environment, id } = endpoint
  const { now, leaseToken, leaseUntil, most } = claim
  const rows = await tx.query<DeliveryRow>(CLAIM, [partnerId, environment, id, now, leaseToken, leaseUntil, most])
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** Nobody else takes anything from the endpoint until then. Null: anybody may. */
export function serveAlone(
  tx: Tx,
  endpoint: Scope & { readonly id: string },
  by: { readonly leaseToken: string; readonly until: Date } | null,
): void {
  const { partnerId, environment, id } = endpoint
  tx.defer(SERVE, [partnerId, environment, id, by?.leaseToken ?? null, by?.until ?? null])
}

const GIVEN_BACK = itemList(5, 'id', 'uuid')
const GIVE_BACK = statement(
  'give_back_webhook_deliveries',
  `update webhook_deliveries set lease_token = null, lease_until = null
    where lease_token = $4 and ctid = any(array(
      select found.ctid from ${GIVEN_BACK.from} cross join lateral (
        select ctid from webhook_deliveries
         where partner_id = $1 and environment = $2 and endpoint_id = $3 and id = item.id limit 1) found))`,
)

/** What was taken and not sent is anybody's again. */
export function giveBackDeliveries(
  tx: Tx,
  endpoint: Scope & { readonly id: string },
  leaseToken: string,
  ids: readonly string[],
): void {
  tx.defer(GIVE_BACK, [endpoint.partnerId, endpoint.environment, endpoint.id, leaseToken, GIVEN_BACK.value(ids)])
}

export interface AttemptResult {
  readonly state: DeliveryState
  readonly nextTryAt: Date | null
  readonly endedAt: Date | null
  readonly at: Date
  readonly ms: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string
}

interface AttemptOfDelivery extends AttemptResult {
  readonly id: string
  /** It could not even be sent: it does not count against the receiver. */
  readonly isOurs: boolean
}

const RESULTS = itemColumns<keyof AttemptOfDelivery>(6, {
  id: ['id', 'uuid'],
  state: ['state', 'text'],
  nextTryAt: ['next_try_at', 'timestamptz'],
  endedAt: ['ended_at', 'timestamptz'],
  at: ['at', 'timestamptz'],
  ms: ['ms', 'int'],
  status: ['status', 'int'],
  error: ['error', 'text'],
  answer: ['answer', 'text'],
  isOurs: ['is_ours', 'boolean'],
})

const RECORD = statement(
  'record_webhook_attempts',
  `with ended as (
     update webhook_deliveries d set attempts = d.attempts + 1, state = item.state, next_try_at = item.next_try_at,
            ended_at = item.ended_at, lease_token = null, lease_until = null,
            in_order_until = case d.attempts when 0 then item.at + $5::float8 * interval '1 millisecond' else d.in_order_until end
       from (select item.*, found.ctid as found_at from ${RESULTS.from} cross join lateral (
               select ctid from webhook_deliveries
                where partner_id = $1 and environment = $2 and endpoint_id = $3 and id = item.id limit 1) found) item
      where d.ctid = item.found_at and d.next_try_at is not null and d.lease_token = $4
      returning d.id, d.attempts as number, d.state, item.at, item.ms, item.status, item.error, item.answer, item.is_ours),
   counted as (
     insert into webhook_hours (partner_id, environment, endpoint_id, hour, attempts, delivered)
     select $1, $2, $3, date_trunc('hour', at, 'UTC'), count(*), count(*) filter (where state = 'delivered')
       from ended where not is_ours group by 4
     on conflict (partner_id, environment, endpoint_id, hour) do update
       set attempts = webhook_hours.attempts + excluded.attempts, delivered = webhook_hours.delivered + excluded.delivered)
   insert into webhook_attempts (partner_id, environment, endpoint_id, delivery_id, number, at, ms, status, error, answer)
   select $1, $2, $3, id, number, at, ms, status, error, answer from ended`,
)

interface Attempted {
  readonly leaseToken: string
  /** After its first attempt a delivery holds back so long what comes after it in its subject. */
  readonly inOrderMs: number
  readonly results: readonly AttemptOfDelivery[]
}

/** Only the holder of a lease can record; a late one changes nothing. */
export function recordAttempts(
  tx: Tx,
  endpoint: Scope & { readonly id: string },
  { leaseToken, inOrderMs, results }: Attempted,
): void {
  const { partnerId, environment, id } = endpoint
  tx.defer(RECORD, [partnerId, environment, id, leaseToken, inOrderMs, ...RESULTS.values(results)])
}

const WAITING_AT_ENDPOINT = `ctid = any(array(
      select w.ctid from webhook_deliveries w
       where array[w.partner_id] = array[$1::uuid] and w.environment::text = $2::text and w.endpoint_id::text = $3::text
         and w.state = 'waiting'))`

const GIVE_UP = statement(
  'give_up_webhook_deliveries',
  `update webhook_deliveries set state = 'failed', next_try_at = null, ended_at = $4, lease_token = null, lease_until = null
    where ${WAITING_AT_ENDPOINT}`,
)

/** Whatever still waits at an endpoint is not sent any more. */
export function giveUpDeliveries(tx: Tx, endpoint: Scope & { readonly id: string }, at: Date): void {
  tx.defer(GIVE_UP, [endpoint.partnerId, endpoint.environment, endpoint.id, at])
}

const AGAIN_IN_ORDER = statement(
  'send_webhooks_in_order_again',
  `update webhook_deliveries set in_order_until = $4
    where ${WAITING_AT_ENDPOINT}`,
)

/** After a pause: what waited goes out in its order. */
export function keepInOrder(tx: Tx, endpoint: Scope & { readonly id: string }, until: Date): void {
  tx.defer(AGAIN_IN_ORDER, [endpoint.partnerId, endpoint.environment, endpoint.id, until])
}

const OK = statement(
  'webhook_endpoint_works',
  `update webhook_endpoints set failing_since = null, told_at = null, quiet_until = coalesce($4, quiet_until)
    where partner_id = $1 and environment = $2 and id = $3 and (failing_since is not null or $4::timestamptz is not null)`,
)
const FAILS = statement(
  'webhook_endpoint_fails',
  `update webhook_endpoints set failing_since = coalesce(failing_since, $4), quiet_until = coalesce($5, quiet_until)
    where partner_id = $1 and environment = $2 and id = $3 and (failing_since is null or $5::timestamptz is not null)`,
)

/** Writes nothing when it is known already. A receiver that wants to be left alone is, whatever else it accepted meanwhile. */
export function noteHealth(
  tx: Tx,
  endpoint: Scope & { readonly id: string },
  { isWorking, now, quietUntil }: { isWorking: boolean; now: Date; quietUntil: Date | null },
): void {
  const key = [endpoint.partnerId, endpoint.environment, endpoint.id]
  if (isWorking) tx.defer(OK, [...key, quietUntil])
  else tx.defer(FAILS, [...key, now, quietUntil])
}
