// The deliveries that are still to be made. A delivery belongs to the process that holds its lease. Events about one
// object go out in order, each when the one before has arrived or been given up.
import { EVENT_COLUMNS, type RecordedEvent } from './events.ts'
import type { Db, Tx } from './sql.ts'

export interface ClaimedDelivery {
  readonly deliveryId: bigint
  readonly lease: string
  readonly webhookId: string
  readonly url: string
  readonly isManual: boolean
  readonly attempts: number
  readonly firstAttemptAt: Date | null
  readonly event: RecordedEvent
}

interface ClaimedRow extends RecordedEvent {
  readonly deliveryId: bigint
  readonly webhookId: string
  readonly url: string
  readonly isManual: boolean
  readonly attempts: number
  readonly firstAttemptAt: Date | null
}

/** Events about one object go out in turn, but for those that were asked for, and those that the next one may overtake. */
const IS_IN_TURN = (delivery: string): string =>
  `${delivery}.state = 'waiting' and not ${delivery}.is_manual and not ${delivery}.may_be_overtaken`
const IS_FREE = '(d.lease_until is null or d.lease_until < clock_timestamp())'

/**
 * The longest due first, of each webhook that is switched on, and not more of it than are taken.
 * Leases run on the database's clock: the bank's can be advanced by hours in a moment, and a delivery that is under way
 * must not be sent again because of it.
 */
export async function claimDeliveries(
  db: Db,
  claim: { now: Date; limit: number; lease: string; leaseMs: number },
): Promise<ClaimedDelivery[]> {
  const rows = await db.query<ClaimedRow>(
    `with in_turn as (
       select due.* from webhooks w cross join lateral (
         select d.id, d.due_at, d.event_seq from deliveries d
          where lower(d.webhook_id) = w.id and ${IS_IN_TURN('d')} and ${IS_FREE} and d.due_at <= $1
            -- one row, asked for each: as a join it could be planned by reading all that wait
            and (select true from deliveries earlier
                  where earlier.webhook_id = d.webhook_id and earlier.object_id = d.object_id
                    and earlier.event_seq < d.event_seq and ${IS_IN_TURN('earlier')}
                  order by earlier.event_seq limit 1) is null
          order by d.due_at, d.event_seq limit $2 for no key update of d skip locked) due
        where w.status = 'active'
     ), out_of_turn as (
       select d.id, d.due_at, d.event_seq from deliveries d
        where d.state = 'waiting' and (d.is_manual or d.may_be_overtaken) and ${IS_FREE}
          and case (select w.status from webhooks w where w.id = d.webhook_id)
                when 'active' then true when 'deleted' then false else d.is_manual end
          and (d.due_at <= $1 or (d.may_be_overtaken and exists (
                select from deliveries newer where newer.webhook_id = d.webhook_id and newer.object_id = d.object_id
                   and newer.event_seq > d.event_seq and newer.state = 'done' and not newer.is_manual)))
        order by d.due_at, d.event_seq limit $2 for no key update of d skip locked
     ), ready as (
       select id from (table in_turn union all table out_of_turn) due order by due_at, event_seq limit $2
     ), claimed as (
       update deliveries d
          set lease = $3, lease_until = clock_timestamp() + make_interval(secs => $4::double precision / 1000)
         from ready where d.id = ready.id returning d.*
     )
     select d.id as "deliveryId", d.webhook_id as "webhookId", w.url,
            d.is_manual as "isManual", d.attempts, d.first_attempt_at as "firstAttemptAt", ${EVENT_COLUMNS}
       from claimed d join webhooks w on w.id = d.webhook_id join events e on e.seq = d.event_seq order by e.seq`,
    [claim.now, claim.limit, claim.lease, claim.leaseMs],
  )
  return rows.map(({ deliveryId, webhookId, url, isManual, attempts, firstAttemptAt, ...event }) => {
    return { deliveryId, lease: claim.lease, webhookId, url, isManual, attempts, firstAttemptAt, event }
  })
}

export async function queueManualDelivery(
  tx: Tx,
  delivery: { webhookId: string; eventId: string; now: Date },
): Promise<boolean> {
  const queued = await tx.query(
    `insert into deliveries (webhook_id, event_seq, object_id, due_at, is_manual)
     select $1, seq, object_id, $3, true from events where id = $2 and available_at <= $3 returning true`,
    [delivery.webhookId, delivery.eventId, delivery.now],
  )
  return queued.length > 0
}

/** How one attempt went. Only the holder of the lease may say so. */
export interface AttemptResult {
  readonly state: 'waiting' | 'done' | 'given_up'
  readonly attempts: number
  readonly dueAt: Date
  readonly mayBeOvertaken: boolean
  readonly at: Date
}

export interface Attempt {
  readonly delivery: ClaimedDelivery
  readonly result: AttemptResult
  /** What the receiver said; null where nothing was sent. */
  readonly answer: { readonly status: number; readonly body: string } | null
}

/** Writes down how attempts went, and logs those that sent something. All in one statement: many end at once. */
export async function recordAttempts(db: Db, attempts: readonly Attempt[]): Promise<void> {
  await db.query(
    `with tried as (
       select * from unnest($1::bigint[], $2::uuid[], $3::text[], $4::int[], $5::timestamptz[], $6::boolean[],
                            $7::timestamptz[], $8::int[], $9::text[])
         as tried (id, lease, state, attempts, due_at, may_be_overtaken, at, status, answer)
     ), settled as (
       update deliveries d
          set state = tried.state, attempts = tried.attempts, due_at = tried.due_at,
              may_be_overtaken = tried.may_be_overtaken, first_attempt_at = coalesce(first_attempt_at, tried.at),
              lease = null, lease_until = null
         from tried where d.id = tried.id and d.lease = tried.lease
       returning d.*, tried.status, tried.answer, tried.at
     ), held_back as (
       -- what waits for one that is put off is due with it, and not looked at before
       update deliveries behind set due_at = settled.due_at
         from settled
        where behind.webhook_id = settled.webhook_id and behind.object_id = settled.object_id
          and behind.event_seq > settled.event_seq and behind.due_at < settled.due_at and behind.lease is null
          and ${IS_IN_TURN('behind')} and ${IS_IN_TURN('settled')}
     )
     insert into delivery_logs (webhook_id, event_id, status, response_body, created_at)
     select settled.webhook_id, e.id, settled.status, settled.answer, settled.at
       from settled join events e on e.seq = settled.event_seq
      where settled.status is not null order by settled.at, e.seq`,
    [
      attempts.map(({ delivery }) => delivery.deliveryId),
      attempts.map(({ delivery }) => delivery.lease),
      attempts.map(({ result }) => result.state),
      attempts.map(({ result }) => result.attempts),
      attempts.map(({ result }) => result.dueAt),
      attempts.map(({ result }) => result.mayBeOvertaken),
      attempts.map(({ result }) => result.at),
      attempts.map(({ answer }) => answer?.status ?? null),
      attempts.map(({ answer }) => answer?.body ?? null),
    ],
  )
}

/** Our own shutdown cut the attempt short, so the next process may try at once. */
export async function releaseDelivery(db: Db, delivery: ClaimedDelivery): Promise<void> {
  await db.query('update deliveries set lease = null, lease_until = null where id = $1 and lease = $2', [
    delivery.deliveryId,
    delivery.lease,
  ])
}
