// The part of reserving that decides where an account has spending limits (reserve-new-payouts.ts): in their order, payouts
// get the money while both the wallet and the limit of whoever asks have room for them. Accounts without limits are decided
// without this.
import { londonDayOf, spentThisMonth, spentToday } from './spending-limits.ts'

/** More than any limit: there is none. */
const ENDLESS = '9000000000000000'

/** From the items of the batch: what each of its limits still has room for. */
export const roomsOf = (items: string): string => `rooms as materialized (
       select l.partner_id, l.spender_id, l.max_per_payout_pence as most,
              row_number() over (order by l.partner_id, l.spender_id) as nth,
              least(coalesce(l.daily_pence - ${spentToday('$3::timestamptz')}, ${ENDLESS}),
                    coalesce(l.monthly_pence - ${spentThisMonth('$3::timestamptz')}, ${ENDLESS})) as room
         from spending_limits l
        where l.partner_id = any($1::uuid[]) and l.environment = $2
          and (l.partner_id, l.spender_id) in (select item.partner_id, item.spender_id from ${items})
     )`

/** In SQL: a list with the nth of its figures less by an amount. */
export const without = (list: string, nth: string, amount: string): string =>
  `${list}[:${nth} - 1] || (${list}[${nth}] - ${amount}) || ${list}[${nth} + 1:]`

export const DECIDED_WITHIN_LIMITS = `asked as materialized (
       select array_agg(case when refused is null then wallet_sends_micro else 0 end order by place) as sends,
              array_agg(case when refused is null then amount_pence else 0 end order by place) as amounts,
              array_agg(wallet_nth order by place) as wallets, array_agg(room_nth order by place) as nths,
              (select balances from wallet) as balances,
              (select array_agg(room order by nth) from rooms) as rooms
         from asking
     ), turn as (
       select 0 as place, null::bigint as available, balances as left_over, rooms as room, null::text as verdict
         from asked
       union all
       select next.place, next.left_over[next.wallet],
              case when next.verdict = 'reserved' then ${without('next.left_over', 'next.wallet', 'next.sends')}
                   else next.left_over end,
              case when next.verdict = 'reserved' and next.nth is not null then ${without('next.room', 'next.nth', 'next.amount')}
                   else next.room end,
              next.verdict
         from (select each.*, case when each.amount > each.room[each.nth] then 'over_limit'
                                   when each.sends > each.left_over[each.wallet] then 'unfunded' else 'reserved' end as verdict
                 from (select turn.place + 1 as place, turn.left_over, turn.room, asked.sends[turn.place + 1] as sends,
                              asked.amounts[turn.place + 1] as amount, asked.wallets[turn.place + 1] as wallet,
                              asked.nths[turn.place + 1] as nth
                         from turn cross join asked where turn.place < cardinality(asked.sends)) each) next
     ), decided as materialized (
       select asking.*, turn.available, coalesce(asking.refused, turn.verdict) as outcome
         from asking join turn on turn.place = asking.place
     )`

/** What is written beside a payout: it is counted on this day, under the limit that it keeps to. */
export const COUNTED = `counted as (
       insert into spend_days (partner_id, environment, spender_id, day, spent_pence)
       select partner_id, $2, limit_id, ${londonDayOf('$3::timestamptz')}, sum(amount_pence)
         from paid where limit_id is not null group by partner_id, limit_id
       on conflict (partner_id, environment, spender_id, day)
         do update set spent_pence = spend_days.spent_pence + excluded.spent_pence
     )`
