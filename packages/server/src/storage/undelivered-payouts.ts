// Live payouts that failed or came back, and that no admin has been told of yet.
import { type PayoutStatus, WENT_WRONG } from '@kestrel/contract'

import type { Pence } from '../core/money.ts'
import { lockPartner } from './partners.ts'
import { type Db, type Tx, statement } from './sql.ts'
import { statusIn } from './status-in.ts'
import { isFromWrongClock } from './wrong-clocks.ts'

export interface UndeliveredPayout {
  readonly amount: Pence
  readonly recipientName: string
  readonly accountLast4: string
  readonly reason: string | null
  readonly status: PayoutStatus
}

// Before the first notice there is nothing to catch up with. Where a clock that was ahead has told, nobody knows until when: those of
// the last day are told again, which is better than never.
const toldUntil = (until: string): string =>
  `case when ${isFromWrongClock('p.undelivered_told_until', until)} then ${until}::timestamptz - interval '1 day'
              else coalesce(p.undelivered_told_until, p.verified_at) end`
// The index `payouts_not_delivered` has every payout that ended, by when.
const isNews = (until: string) => `o.environment = 'live' and ${statusIn('o.status', WENT_WRONG)}
      and o.surfaced_at is not null and o.ended_at is not null and o.ended_at <= ${until}
      and o.ended_at > ${toldUntil(until)}`

const WHO = statement(
  'partners_to_tell',
  `select p.id, p.name from partners p
     cross join lateral (select 1 from payouts o where o.partner_id = p.id and ${isNews('$1')}
                          order by o.ended_at limit 1) first
    where p.verified_at is not null
    order by p.id`,
)

/** The partners that have something to be told of, up to a moment. */
export function listPartnersToTell(db: Db, until: Date): Promise<{ id: string; name: string }[]> {
  return db.query(WHO, [until])
}

const LIST = statement(
  'list_undelivered',
  `select o.amount_pence as amount, o.recipient_name as "recipientName", o.account_last4 as "accountLast4",
          o.failure_reason as reason, o.status
     from partners p join payouts o on o.partner_id = p.id
    where p.id = $1 and ${isNews('$2')}
    order by o.ended_at, o.id`,
)
const TOLD = statement(
  'told_of_undelivered',
  `update partners set undelivered_told_until = $2
    where id = $1 and (coalesce(undelivered_told_until, $2) <= $2 or ${isFromWrongClock('undelivered_told_until', '$2')})`,
)

/** Takes all of them for the first caller: they count as told when the transaction ends. */
export async function takeUndelivered(tx: Tx, partnerId: string, until: Date): Promise<UndeliveredPayout[]> {
  await lockPartner(tx, partnerId)
  const payouts = await tx.query<UndeliveredPayout>(LIST, [partnerId, until])
  tx.defer(TOLD, [partnerId, until])
  return payouts
}
