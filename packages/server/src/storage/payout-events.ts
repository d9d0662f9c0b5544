// The part of a payout's change that writes its events: narrow rows, from the payout as the change leaves it.
import { newIds } from '../core/ids.ts'
import { STANDING } from './event-standing.ts'
import { lastPositionOf } from './events.ts'
import type { ColumnsOf } from './item-columns.ts'

/** What the change of a payout means to the partner. The events of one payout are in this order. */
export interface PayoutNews {
  /** It is seen for the first time. */
  readonly isCreated: boolean
  /** It has a status that it did not have. */
  readonly hasNewStatus: boolean
  /** Its money is back. */
  readonly isRefunded: boolean
  readonly requestId: string | null
}

/** The ids of a payout’s new events; null where there is none. */
interface NewEvents {
  readonly createdEvent: string | null
  readonly statusEvent: string | null
  readonly refundedEvent: string | null
}

/** The columns that a change has for its events. */
export const NEWS_COLUMNS = {
  requestId: ['request_id', 'uuid'],
  createdEvent: ['created_event', 'uuid'],
  statusEvent: ['status_event', 'uuid'],
  refundedEvent: ['refunded_event', 'uuid'],
} as const satisfies ColumnsOf<keyof NewEvents | 'requestId'>

// In SQL, in the order of a payout's events: the id of each in `changed`, null where there is none, and its type.
const KINDS = {
  created: { id: 'created_event', type: `'payout.created'` },
  status: { id: 'status_event', type: `'payout.' || changed.status` },
  refunded: { id: 'refunded_event', type: `'payout.refunded'` },
} as const
type Kind = keyof typeof KINDS
const ALL = ['created', 'status', 'refunded'] as const satisfies readonly Kind[]

/** In SQL: what the events of payout `p` are made of, and of the `item` that changed it. */
export const notedOfPayout = (kinds: readonly Kind[] = ALL): string =>
  [
    ...['partner_id', 'id', 'event_count', 'updated_at', ...Object.keys(STANDING)].map((name) => `p.${name}`),
    ...['place', 'request_id', ...kinds.map((kind) => KINDS[kind].id)].map((name) => `item.${name}`),
  ].join(', ')

/** In SQL: where the events of each wallet in `changed` end. Looked up once per wallet, and not once per event. */
export const LAST_OF_CHANGED = `last as materialized (
     select own.partner_id, ${lastPositionOf('own.partner_id', '$1')} as position
       from (select distinct partner_id from changed) own)`

// Each payout has its own beside it: two lists that were joined would be compared all with all.
// Not a list of values: PostgreSQL makes the expressions of one ready for each row anew, which costs as much as the row. One kind
// alone is no list at all.
const eventsOf = (kinds: readonly Kind[]): string =>
  kinds.map((kind, index) => {
    const { id, type } = KINDS[kind]
    const later = kinds.slice(index + 1).map((other) => `changed.${KINDS[other].id}`)
    const count = later.length === 0 ? '0' : `num_nonnulls(${later.join(', ')})`
    return `select ${ALL.indexOf(kind) + 1} as nth, changed.${id} as id, ${type} as type, ${count} as later`
  }).join(`
       union all
       `)

/**
 * In SQL: writes the events of the payouts in `changed`, which are of wallets of one environment, after the `last` of each. `kinds`:
 * those that there may be of these.
 */
export const insertPayoutEvents = (environment: string, kinds: readonly Kind[] = ALL): string => `insert into events
     (partner_id, environment, id, position, type, subject_id, sequence, occurred_at, request_id,
      ${Object.keys(STANDING).join(', ')})
   select changed.partner_id, ${environment}, made.id,
          last.position + row_number() over (partition by changed.partner_id order by changed.place, made.nth),
          made.type, changed.id, changed.event_count - made.later, changed.updated_at, changed.request_id,
          ${Object.values(STANDING).join(', ')}
     from changed join last on last.partner_id = changed.partner_id cross join lateral (
       ${eventsOf(kinds)}) made
    where made.id is not null`

/** In SQL: how many events an `item` has. */
export const COUNT_OF_NEWS = 'num_nonnulls(item.created_event, item.status_event, item.refunded_event)'

/** Gives ids to what is new, in its order. */
export function idsOfNews(news: readonly PayoutNews[], now: Date): NewEvents[] {
  const isNew = news.flatMap((each) => [each.isCreated, each.hasNewStatus, each.isRefunded])
  const ids = newIds(now, isNew.filter(Boolean).length).values()
  const next = (is: boolean) => (is ? ids.next().value! : null)
  return news.map(({ isCreated, hasNewStatus, isRefunded }) => ({
    createdEvent: next(isCreated),
    statusEvent: next(hasNewStatus),
    refundedEvent: next(isRefunded),
  }))
}
