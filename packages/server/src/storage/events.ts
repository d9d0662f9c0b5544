// Events as they are kept: in pages, one by one, and from a position on. A wallet's positions are committed in their order.
import type { EventSubject, EventType } from '@kestrel/contract'

import type { Scope } from '../core/scope.ts'
import { hashInWallet } from './hashed-words.ts'
import { itemList } from './item-columns.ts'
import { USUAL, ofPayout, statusOf, subjectOf } from './event-standing.ts'
import { PAYOUT_COLUMNS, type PayoutRow } from './payouts.ts'
import { type Db, statement } from './sql.ts'

/** How a payout stood. The rest of it never changes. */
export type PayoutStanding = Pick<
  PayoutRow,
  'status' | 'sendState' | 'refundState' | 'failureReason' | 'bankReason' | 'bankState' | 'completedAt' | 'refundedAt'
>

export interface EventRow extends PayoutStanding {
  readonly id: string
  /** 1, 2, 3 … in its wallet. */
  readonly position: bigint
  readonly type: EventType
  readonly subjectObject: EventSubject
  readonly subjectId: string
  /** 1, 2, 3 … of its subject. */
  readonly sequence: number
  readonly occurredAt: Date
  readonly requestId: string | null
  /** The subject, if it is no payout: its id, and how it was. */
  readonly facts: { readonly id: string; readonly data: Readonly<Record<string, unknown>> } | null
}

const COLUMNS = `id, position, type, ${subjectOf('')} as "subjectObject", subject_id as "subjectId", sequence,
  occurred_at as "occurredAt", request_id as "requestId", ${statusOf('')} as status,
  ${ofPayout('', `coalesce(send_state, '${USUAL.sendState}')`)} as "sendState",
  ${ofPayout('', `coalesce(refund_state, '${USUAL.refundState}')`)} as "refundState",
  failure_reason as "failureReason", provider_reason as "bankReason", provider_state as "bankState",
  coalesce(completed_at, case when ${statusOf('')} = 'completed' then occurred_at end) as "completedAt",
  refunded_at as "refundedAt", facts`

/** In SQL: the position of a wallet's last event. 0: it has none yet. */
export function lastPositionOf(partner: string, environment: string): string {
  return `coalesce((select position from events where partner_id = ${partner} and environment = ${environment}
       order by position desc limit 1), 0)`
}

/** In SQL: the highest position in the wallet ($1, $2), as a table of one row. Under the wallet's lock nobody gets the next one. */
export const LAST_POSITION = `(select ${lastPositionOf('$1', '$2')} as position)`

const LAST = statement('last_event_position', `select position from ${LAST_POSITION} as last`)

/** 0: the wallet has no event yet. */
export async function readLastPosition(db: Db, scope: Scope): Promise<bigint> {
  return (await db.query<{ position: bigint }>(LAST, [scope.partnerId, scope.environment]))[0]!.position
}

export interface EventFilter {
  /** Null: of any type. */
  readonly types: readonly EventType[] | null
  /** As `subjectId`. */
  readonly subject: string | null
}

export interface EventPlace {
  /** Up: from a position on, the oldest first. Down: back from one, the newest first. */
  readonly direction: 'up' | 'down'
  /** Null: from the newest back. */
  readonly position: bigint | null
  /** Nothing before this moment. */
  readonly since: Date
  readonly limit: number
}

const WAYS = { up: { passed: '>', order: 'asc' }, down: { passed: '<', order: 'desc' } } as const
const FARTHEST = 2n ** 63n - 1n

type Way = keyof typeof WAYS

const WANTED = itemList(6, 'type', 'text')

const OF_TYPE = `${hashInWallet('type', 'partner_id', 'environment')} = ${hashInWallet('item.type', '$1', '$2::environment')}
            and type = item.type`

/** Each way with its own index. Of several types the pages of each are put together. */
const PAGES = {
  all: (way: Way) => page(way, { name: 'list_events', condition: 'true', by: 'position' }),
  subject: (way: Way) =>
    page(way, {
      name: 'list_events_of_subject',
      condition: 'subject_id = $6 and ($7::text[] is null or type = any($7))',
      by: 'sequence',
    }),
  types: (way: Way) =>
    statement(
      `list_events_of_types_${way}`,
      `select found.* from ${WANTED.from} cross join lateral (
         ${select(way, OF_TYPE, 'position')}) found
        order by position ${WAYS[way].order} limit $5`,
    ),
}

function page(way: Way, { name, condition, by }: { name: string; condition: string; by: 'position' | 'sequence' }) {
  return statement(`${name}_${way}`, select(way, condition, by))
}

const select = (way: Way, condition: string, by: 'position' | 'sequence') => `select ${COLUMNS} from events
          where partner_id = $1 and environment = $2 and ${condition} and position ${WAYS[way].passed} $3
            and occurred_at >= $4
          order by ${by} ${WAYS[way].order} limit $5`

const STATEMENTS = {
  up: { all: PAGES.all('up'), subject: PAGES.subject('up'), types: PAGES.types('up') },
  down: { all: PAGES.all('down'), subject: PAGES.subject('down'), types: PAGES.types('down') },
}

export function listEvents(
  db: Db,
  scope: Scope,
  { types, subject }: EventFilter,
  place: EventPlace,
): Promise<EventRow[]> {
  const { direction, since, limit } = place
  const from = place.position ?? (direction === 'up' ? 0n : FARTHEST)
  const values = [scope.partnerId, scope.environment, from, since, limit]
  const ways = STATEMENTS[direction]
  if (subject !== null) return db.query<EventRow>(ways.subject, [...values, subject, types])
  return types === null
    ? db.query<EventRow>(ways.all, values)
    : db.query<EventRow>(ways.types, [...values, WANTED.value(types)])
}

// One by one and in their order, which only the key has: PostgreSQL may look through all events of the wallet else, for as long
// as it takes the table for small.
const IDS = itemList(4, 'id', 'uuid')
const FIND = statement(
  'find_events',
  `select found.* from ${IDS.from} cross join lateral (
     select ${COLUMNS} from events
      where partner_id = $1 and environment = $2 and id >= item.id and id <= item.id and occurred_at >= $3
      order by id limit 1) found`,
)

/** Those of the wallet among the given ids, in the order of their positions. */
export async function findEvents(db: Db, scope: Scope, ids: readonly string[], since: Date): Promise<EventRow[]> {
  const rows = await db.query<EventRow>(FIND, [scope.partnerId, scope.environment, since, IDS.value(ids)])
  return rows.toSorted((one, other) => (one.position < other.position ? -1 : 1))
}

const SUBJECT_IDS = itemList(3, 'id', 'uuid')
const SUBJECTS = statement(
  'payouts_of_events',
  `select payout.* from ${SUBJECT_IDS.from} cross join lateral (
     select ${PAYOUT_COLUMNS} from payouts
      where partner_id = $1 and environment = $2 and id = item.id and surfaced_at is not null limit 1) payout`,
)

/** The payouts that events are about, as they are now. */
export function listPayoutsOfEvents(db: Db, scope: Scope, ids: readonly string[]): Promise<PayoutRow[]> {
  return ids.length === 0
    ? Promise.resolve([])
    : db.query<PayoutRow>(SUBJECTS, [scope.partnerId, scope.environment, SUBJECT_IDS.value(ids)])
}
