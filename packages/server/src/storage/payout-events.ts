// The part of a payout's change that writes its events: narrow rows, from the payout as the change leaves it.
import type { EventType } from '@kestrel/contract'

import { newIds } from '../core/ids.ts'
import { lastPositionOf } from './events.ts'
import { itemColumns } from './item-columns.ts'

export type PayoutEventType = Extract<EventType, `payout.${string}`>

/** One thing that the change of a payout means to the partner. Those of one payout are in their order. */
export interface PayoutEvent {
  readonly partnerId: string
  readonly payoutId: string
  readonly type: PayoutEventType
  readonly requestId: string | null
}

const NOTED = itemColumns<keyof PayoutEvent | 'id' | 'later'>(2, {
  partnerId: ['partner_id', 'uuid'],
  id: ['id', 'uuid'],
  payoutId: ['payout_id', 'uuid'],
  type: ['type', 'text'],
  requestId: ['request_id', 'uuid'],
  /** How many of the same payout come after it. */
  later: ['later', 'int'],
})

const STANDING = [
  'status',
  'send_state',
  'refund_state',
  'failure_reason',
  'provider_reason',
  'provider_state',
  'completed_at',
  'refunded_at',
]

/** In SQL: the columns of payout `p` that its events are made of. */
export const NOTED_OF_PAYOUT = ['partner_id', 'id', 'event_count', 'updated_at', ...STANDING]
  .map((name) => `p.${name}`)
  .join(', ')

/** In SQL: where the events of each wallet in `changed` end. Looked up once per wallet, and not once per event. */
export const LAST_OF_CHANGED = `last as materialized (
     select own.partner_id, ${lastPositionOf('own.partner_id', '$1')} as position
       from (select distinct partner_id from changed) own)`

/** In SQL: writes the events $2 … $7 of wallets of environment $1 about the payouts in `changed`. */
export const INSERT_PAYOUT_EVENTS = `insert into events
     (partner_id, environment, id, position, type, subject_object, subject_id, sequence, occurred_at, request_id,
      ${STANDING.join(', ')})
   select item.partner_id, $1, item.id, last.position + item.nth, item.type, 'payout', changed.id, changed.event_count - item.later,
          changed.updated_at, item.request_id, ${STANDING.map((name) => `changed.${name}`).join(', ')}
     from (select item.*, row_number() over (partition by item.partner_id order by item.place) as nth
             from ${NOTED.fromInOrder}) item
     -- In words by which no two lists are joined: by the partner, each event would meet all of its payouts.
     join changed on changed.id = item.payout_id and changed.partner_id is not distinct from item.partner_id
     join last on last.partner_id = item.partner_id`

/** The values of `INSERT_PAYOUT_EVENTS`, and how many events a payout gets. */
export function payoutEventValues(
  events: readonly PayoutEvent[],
  now: Date,
): { countOf: (payoutId: string) => number; values: unknown[] } {
  const ids = newIds(now, events.length)
  const counts = new Map<string, number>()
  const rows = events.map((event, index) => {
    counts.set(event.payoutId, (counts.get(event.payoutId) ?? 0) + 1)
    return { ...event, id: ids[index]!, nth: counts.get(event.payoutId)! }
  })
  const countOf = (payoutId: string) => counts.get(payoutId) ?? 0
  return { countOf, values: NOTED.values(rows.map((row) => ({ ...row, later: countOf(row.payoutId) - row.nth }))) }
}
