// The part of reserving for payouts of which the rail has said beforehand that it takes them (reserve-new-payouts.ts). They
// are written under way at once, with their events, and nobody has a lease on them: there is nothing left to ask.
import { newIds } from '../core/ids.ts'
import { type ColumnsOf, itemColumns, itemList } from './item-columns.ts'
import { lastPositionOf } from './events.ts'
import { insertPayoutEvents } from './payout-events.ts'
import type { PayoutChange } from './payout-records.ts'
import { addToMonths, londonMonthAt } from './usage.ts'

/** How a payout is from the start. */
export interface SentAtOnce extends Pick<PayoutChange, 'bankState'> {
  readonly transferRef: string
  readonly nextCheckAt: Date
  /** When it completes, if the rail has said so and nothing else comes of it (foretold-ends.ts). */
  readonly completesAt: Date | null
  /** The partner's own request, which its events name. */
  readonly requestId: string | null
}

/** Null in all of them: the rail is asked once the payout is reserved. */
export const SENT_COLUMNS = {
  transferRef: ['provider_ref', 'text'],
  bankState: ['provider_state', 'text'],
  nextCheckAt: ['next_check_at', 'timestamptz'],
  completesAt: ['completes_at', 'timestamptz'],
  requestId: ['request_id', 'uuid'],
  createdEvent: ['created_event', 'uuid'],
  statusEvent: ['status_event', 'uuid'],
} as const satisfies ColumnsOf<keyof SentAtOnce | 'createdEvent' | 'statusEvent'>

const IS_SENT = 'provider_ref is not null'
const SENT = {
  status: `case when ${IS_SENT} then 'processing' else 'pending' end`,
  send_state: `case when ${IS_SENT} then 'accepted' else 'sending' end`,
  surfaced_at: `case when ${IS_SENT} then $3::timestamptz end`,
  provider_ref: 'provider_ref',
  provider_state: 'provider_state',
  event_count: 'num_nonnulls(created_event, status_event)',
}

/** What a payout has that the rest of `paid` is written from: as it is reserved only, or sent as well. */
export interface Writing {
  /** Columns of the payout besides those that were asked for, and their values. */
  readonly columns: readonly string[]
  readonly values: readonly string[]
  /** Columns of its follow-up, and their values: when it is looked at next, who has it, and until when. */
  readonly look: { readonly columns: string; readonly values: string }
  /** The money that moves, as entries. */
  readonly entries: string
  readonly also: string
}

/** Not before what the wallet got while this was waiting for its lock (`movedAfter`). */
const MOVES_AT = 'greatest($3, (select wallet.moved_at[wallet_nth] from wallet))'

const LOOK = 'next_check_at, lease_token, lease_until'

export const AS_RESERVED: Writing = {
  columns: [],
  values: [],
  look: { columns: LOOK, values: '$4::timestamptz, lease_token, $4' },
  entries: `select partner_id, $2, id, 'hold', 'available', 'held', wallet_sends_micro, ${MOVES_AT} from paid`,
  also: '',
}

export const AS_SENT: Writing = {
  columns: Object.keys(SENT),
  values: Object.values(SENT),
  look: {
    columns: `${LOOK}, completes_at`,
    values: `coalesce(next_check_at, $4::timestamptz), case when not ${IS_SENT} then lease_token end,
              case when not ${IS_SENT} then $4 end, completes_at`,
  },
  entries: `select partner_id, $2, id, moved.kind, moved.source, moved.target, wallet_sends_micro, ${MOVES_AT}
         from paid cross join (select 'hold' as kind, 'available'::ledger_account as source, 'held'::ledger_account as target
                               union all select 'capture', 'held', 'in_transit') moved
        where moved.kind = 'hold' or ${IS_SENT}`,
  also: `, changed as (
       select partner_id, id, place, 2 as event_count, $3::timestamptz as updated_at, 'processing' as status,
              'accepted' as send_state, 'none' as refund_state, null::text as failure_reason, null::text as provider_reason,
              provider_state, null::timestamptz as completed_at, null::timestamptz as refunded_at, request_id,
              created_event, status_event
         from paid where ${IS_SENT}
     ), last as materialized (
       select item.partner_id, ${lastPositionOf('item.partner_id', '$2')} as position from ${itemList(1, 'partner_id', 'uuid').from}
     ), noted as (
       ${insertPayoutEvents('$2', ['created', 'status'])}
     ), used as (
       ${addToMonths(
         ['created'],
         `select partner_id, $2, ${londonMonthAt('$3')}, count(*) from changed group by partner_id order by partner_id`,
       )}
     )`,
}

const SENT_VALUES = itemColumns<keyof typeof SENT_COLUMNS>(0, SENT_COLUMNS)
const NOT_SENT = {
  transferRef: null,
  bankState: null,
  nextCheckAt: null,
  completesAt: null,
  requestId: null,
  createdEvent: null,
  statusEvent: null,
}

/** For each payout of a batch, in their order; null for one that is not sent at once. */
export function sentValues(batch: readonly (SentAtOnce | null)[], now: Date): unknown[] {
  const ids = newIds(now, 2 * batch.length)
  return SENT_VALUES.values(
    batch.map((sent, nth) => {
      if (sent === null) return NOT_SENT
      const { transferRef, bankState, nextCheckAt, completesAt, requestId } = sent
      const [createdEvent, statusEvent] = [ids[2 * nth]!, ids[2 * nth + 1]!]
      return { transferRef, bankState, nextCheckAt, completesAt, requestId, createdEvent, statusEvent }
    }),
  )
}
