// The end of payouts of which their rail has said beforehand when they complete (decision 0372). One statement writes all that a
// completion is, from the rows themselves: nothing of them goes through the program.
import type { Environment } from '@kestrel/contract'

import { newIds } from '../core/ids.ts'
import { itemColumns } from './item-columns.ts'
import { lockShortly } from './ledger.ts'
import { LAST_OF_CHANGED, NEWS_COLUMNS, insertPayoutEvents, notedOfPayout } from './payout-events.ts'
import { isFreeToFollow } from './payout-follow-ups.ts'
import { type Database, statement } from './sql.ts'
import { addToMonths, londonMonthAt } from './usage.ts'

/** Its completion alone: it was told of when it was sent. */
const EVENTS = ['status'] as const

const DUE = itemColumns<'partnerId' | 'id' | 'statusEvent'>(3, {
  partnerId: ['partner_id', 'uuid'],
  id: ['id', 'uuid'],
  statusEvent: NEWS_COLUMNS.statusEvent,
})

/** In SQL: nothing has happened to a payout since it was sent. With anything else a person or the rail decides, and not this. */
const IS_ON_ITS_WAY = `status = 'processing' and send_state = 'accepted' and refund_state = 'none'
              and num_nonnulls(completed_at, handed_over_at, bank_sent_micro, surplus_micro) = 0`

// Whatever comes after is written of the payouts in `changed`: those whose row was written here. A payout or a follow-up that
// somebody has locked is left out and not waited for: whoever has a payout may be waiting for its wallet. A payout that is rewritten
// before it is locked is at its place no more, and is left out too; a follow-up that is, and still says the same, is left behind, and
// the next look removes it.
const COMPLETE = statement(
  'complete_foretold',
  `with ending as materialized (
     select item.*, payout.found_at, follow_up.followed_at
       from ${DUE.fromInOrder} cross join lateral (
         select ctid as found_at from payouts
          where partner_id = item.partner_id and environment = $1 and id = item.id and ${IS_ON_ITS_WAY}
          limit 1 for no key update skip locked) payout
      cross join lateral (
         select ctid as followed_at from payout_follow_ups
          where partner_id = item.partner_id and environment = $1 and payout_id = item.id
            and completes_at <= $2 and ${isFreeToFollow('$2')}
          limit 1 for update skip locked) follow_up
   ), changed as (
     update payouts p set status = 'completed', completed_at = $2, updated_at = $2, event_count = p.event_count + 1
       from (select ending.*, null::uuid as request_id from ending) item
      where p.ctid = item.found_at
     returning ${notedOfPayout(EVENTS)}, p.wallet_sends_micro, p.amount_pence, p.fee_pence, p.fee_on_invoice_pence, item.followed_at
   ), ended as (
     delete from payout_follow_ups where ctid = any(array(select followed_at from changed))
   ), settled as (
     insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
     select partner_id, $1, id, 'settle', 'in_transit', 'paid_out', wallet_sends_micro, $2 from changed order by place
   ), used as (
     ${addToMonths(
       ['completed', 'paid_pence', 'fee_pence', 'fee_on_invoice_pence'],
       `select partner_id, $1, ${londonMonthAt('$2')}, count(*), sum(amount_pence), sum(fee_pence), sum(fee_on_invoice_pence)
          from changed group by partner_id order by partner_id`,
     )}
   ), ${LAST_OF_CHANGED}, noted as (
     ${insertPayoutEvents('$1', EVENTS)}
   )
   select id from changed`,
)

/** Completes those whose moment has come and that nobody has touched or has in hand, and returns their ids. */
export async function completeForetold(
  db: Pick<Database, 'inOneTrip'>,
  environment: Environment,
  { due, now }: { due: readonly { partnerId: string; id: string }[]; now: Date },
): Promise<string[]> {
  const events = newIds(now, due.length)
  const items = due.map(({ partnerId, id }, index) => ({ partnerId, id, statusEvent: events[index]! }))
  const rows = await db.inOneTrip<{ id: string }>([
    ...lockShortly(environment, [...new Set(due.map(({ partnerId }) => partnerId))]),
    // A statement of its own: it sees all that was committed while the locks were waited for.
    [COMPLETE, [environment, now, ...DUE.values(items)]],
  ])
  return rows.map(({ id }) => id)
}
