// The first step for payouts whose keys are new, in one trip to the database: under the wallet's lock one statement looks
// the keys up, decides who gets the money, and writes the payouts, their holds, marks, warnings and leases. Nobody holds the
// lock while this program is busy. A batch may be of several wallets of one environment: each is decided by itself.
import { assert } from '../core/assert.ts'
import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { isWorking } from './api-keys.ts'
import { itemColumns } from './item-columns.ts'
import { lockTogether } from './ledger.ts'
import { type StoredWarning, historyJoins, markColumns, marksOf } from './payout-recipients.ts'
import { type AskedPayout, RESERVED_COLUMNS } from './payout-reservations.ts'
import { ofKey } from './payouts.ts'
import { AS_RESERVED, AS_SENT, SENT_COLUMNS, sentValues } from './reserve-sent.ts'
import { COUNTED, DECIDED_WITHIN_LIMITS, ROOMS, without } from './reserve-within-limits.ts'
import { type Database, statement } from './sql.ts'

/** What became of one payout of the batch. */
export interface NewReservation {
  readonly outcome:
    | 'reserved'
    /** The wallet has less than it needs. */
    | 'unfunded'
    /** The wallet is on another rail. */
    | 'moved'
    /** The API key that asks for it has been revoked or has expired since it was looked up. */
    | 'keyless'
    /** All payouts of the account are paused. */
    | 'paused'
    /** Whoever asks for it has a spending limit, and no room left for it. */
    | 'over_limit'
    /** An account of the batch has had a spending limit for a moment: ask by limits. Never returned. */
    | 'limited'
    /** Its key belongs to a payout already. */
    | 'known'
    /** An earlier payout of this batch has its key. */
    | 'repeated'
  /** What was left when it was its turn. */
  readonly available: MicroUsdc
  /** The bank has refused an attempt of another request with this key, which has let go of it. */
  readonly followsRefusal: boolean
  /** Null: none, or it was not reserved. */
  readonly warnings: readonly StoredWarning[] | null
  /** Of the row that was written, if one was. */
  readonly version: string
}

const LEASED_COLUMNS = { ...RESERVED_COLUMNS, leaseToken: ['lease_token', 'uuid'] } as const
const LEASED = itemColumns(6, LEASED_COLUMNS)
const OWNERS = itemColumns<'partnerId'>(0, { partnerId: ['partner_id', 'uuid'] })
const API_KEYS = itemColumns<'keyId'>(0, { keyId: ['key_id', 'uuid'] })

/** Accounts without spending limits are decided by their funds alone. */
type DecidedBy = 'funds' | 'limits'

/** How a batch is reserved. `areSent`: some of it, at once. */
interface Way {
  readonly decidedBy: DecidedBy
  readonly areSent: boolean
}

const itemsUnder = (keys: number, { decidedBy, areSent }: Way) =>
  itemColumns<string>(6, {
    ...LEASED_COLUMNS,
    ...markColumns(keys),
    partnerId: ['partner_id', 'uuid'],
    keyId: ['key_id', 'uuid'],
    ...(decidedBy === 'limits' && { spenderId: ['spender_id', 'uuid'] as const }),
    ...(areSent && SENT_COLUMNS),
  })

const COLUMNS = Object.values(RESERVED_COLUMNS).map(([column]) => column)
const SHOWN = (moment: string) => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** In SQL: a list with one warning if the condition holds, else an empty one. */
const warning = (code: string, given: { when: string; id: string; last4: string; at: string }) =>
  `case when ${given.when} then jsonb_build_array(jsonb_build_object('code', '${code}', 'payout_id', ${given.id},
      'account_last4', ${given.last4}, 'at', ${given.at})) else '[]'::jsonb end`

/** The same as `warningsOf` with `BatchHistory` says (domain/payouts/warn): a test compares the two. */
const WARNINGS = `nullif(${warning('recipient_account_changed', {
  when: `coalesce(item.batch_person, person.id) is not null
           and not (item.is_batch_pair or coalesce(person.is_pair, false) or pair.id is not null)`,
  id: 'coalesce(item.batch_person, person.id)',
  last4: 'case when item.batch_person is null then person.account_last4 else item.batch_person_last4 end',
  at: SHOWN('case when item.batch_person is null then person.created_at else $3::timestamptz end'),
})} || ${warning('possible_duplicate', {
  when: 'coalesce(item.batch_twin, twin.id) is not null',
  id: 'coalesce(item.batch_twin, twin.id)',
  last4: 'case when item.batch_twin is null then twin.account_last4 else item.account_last4 end',
  at: SHOWN('case when item.batch_twin is null then twin.created_at else $3::timestamptz end'),
})} || ${warning('first_payment_to_account', {
  when: 'not (item.is_batch_account or coalesce(person.is_pair, false) or account.id is not null)',
  id: 'null::uuid',
  last4: 'item.account_last4',
  at: 'null::text',
})}, '[]'::jsonb)`

// What is written for those that get the money, from the rows of `paid`.
function written({ decidedBy, areSent }: Way): string {
  const { columns, values, look, entries, also } = areSent ? AS_SENT : AS_RESERVED
  const isLimited = decidedBy === 'limits'
  return `made as (
       insert into payouts (partner_id, environment, created_at, updated_at,
         ${[...COLUMNS, 'warnings', ...(isLimited ? ['spender_id'] : []), ...columns].join(', ')})
       select partner_id, $2::environment, $3::timestamptz, $3,
              ${[...COLUMNS, 'warnings', ...(isLimited ? ['limit_id'] : []), ...values].join(', ')} from paid
     ), followed as (
       insert into payout_follow_ups
         (partner_id, environment, payout_id, created_at, next_check_at, lease_token, lease_until)
       select partner_id, $2, id, $3, ${look} from paid
     ), marked as (
       insert into payout_recipients
         (partner_id, environment, payout_id, name_mark, account_mark, amount_pence, created_at)
       select partner_id, $2, id, name_mark_0, account_mark_0, amount_pence, $3 from paid
     ), held as (
       insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
       ${entries}
     )${also}${isLimited ? `, ${COUNTED}` : ''}`
}

// Payouts of a batch get their wallet's money in their order. If it is enough for all of them, which is the rule, nothing is
// counted one by one.
const DECIDED_BY_FUNDS = `asked as materialized (
       select array_agg(case when refused is null then wallet_sends_micro else 0 end order by place) as sends,
              array_agg(wallet_nth order by place) as wallets, (select array_agg(balance order by nth) from wallet) as balances,
              exists (select 1 from asking where refused is null
                       group by wallet_nth having sum(wallet_sends_micro) > max(balance)) as is_short
         from asking
     ), turn as (
       select 0 as place, null::bigint as available, balances as left_over from asked where is_short
       union all
       select each.place, each.left_over[each.nth],
              case when each.sends <= each.left_over[each.nth] then ${without('each.left_over', 'each.nth', 'each.sends')}
                   else each.left_over end
         from (select turn.place + 1 as place, turn.left_over, asked.sends[turn.place + 1] as sends,
                      asked.wallets[turn.place + 1] as nth
                 from turn cross join asked where turn.place < cardinality(asked.sends)) each
     ), decided as materialized (
       select asking.*, coalesce(turn.available, asking.balance) as available,
              coalesce(asking.refused,
                case when turn.place is null or asking.wallet_sends_micro <= turn.available then 'reserved' else 'unfunded' end
              ) as outcome
         from asking left join turn on turn.place = asking.place
     )`

// A wallet that got its first limit a moment ago is decided by limits when it is asked for again, and all that came with it
// too: until then nothing is made, so that what fails has done nothing.
const ASKING_BY = {
  funds: {
    asking: `item.*, wallet.balance, wallet.nth::int as wallet_nth,
              case when item.bound is not null then 'known' when item.nth > 1 then 'repeated'
                   when item.key_id = any((select keys from ended)::uuid[]) then 'keyless' when wallet.is_paused then 'paused' when item.rail <> wallet.rail then 'moved'
                   when wallet.is_any_limited then 'limited' end as refused
         from item join wallet on wallet.partner_id = item.partner_id`,
    before: '',
    decided: DECIDED_BY_FUNDS,
  },
  limits: {
    asking: `item.*, wallet.balance, wallet.nth::int as wallet_nth, rooms.spender_id as limit_id, rooms.nth::int as room_nth,
              case when item.bound is not null then 'known' when item.nth > 1 then 'repeated'
                   when item.key_id = any((select keys from ended)::uuid[]) then 'keyless' when wallet.is_paused then 'paused' when item.rail <> wallet.rail then 'moved'
                   when item.amount_pence > rooms.most then 'over_limit' end as refused
         from item join wallet on wallet.partner_id = item.partner_id
         left join rooms on rooms.partner_id = item.partner_id and rooms.spender_id = item.spender_id`,
    before: `${ROOMS}, `,
    decided: DECIDED_WITHIN_LIMITS,
  },
}

const nameOf = ({ decidedBy, areSent }: Way) =>
  `reserve_${decidedBy === 'funds' ? 'new' : 'limited'}_payouts${areSent ? '_as_sent' : ''}`

const reserveUnder = (keys: number, way: Way) =>
  statement(
    `${nameOf(way)}_${keys}`,
    `with recursive item as materialized (
       select item.*, row_number() over (partition by item.partner_id, item.idempotency_key order by item.place) as nth,
              (select p.id from payouts p where ${ofKey('item.idempotency_key', 'p.released_at is null', 'p.', 'item.partner_id')} limit 1) as bound,
              exists (select 1 from payouts p
                       where ${ofKey('item.idempotency_key', 'p.released_at is not null and p.bank_attempt > 1', 'p.', 'item.partner_id')}
                     ) as follows_refusal
         from ${itemsUnder(keys, way).fromInOrder}
     ), wallet as materialized (
       select w.partner_id, row_number() over (order by w.partner_id) as nth,
              (select a.balance from ledger_accounts a
                where a.partner_id = w.partner_id and a.environment = $2 and a.account = 'available') as balance,
              w.rail, w.paused_at is not null as is_paused, bool_or(w.has_spending_limits) over () as is_any_limited
         from wallets w where w.partner_id = any($1::uuid[]) and w.environment = $2
     ), ended as materialized (
       select coalesce(array_agg(used.key_id), '{}') as keys
         from (select distinct partner_id, key_id from item where key_id is not null) used
        where not exists (select from api_keys k where k.partner_id = used.partner_id and k.id = used.key_id and ${isWorking('k.', '$3')})
     ), ${ASKING_BY[way.decidedBy].before}asking as materialized (
       select ${ASKING_BY[way.decidedBy].asking}
     ), ${ASKING_BY[way.decidedBy].decided}, paid as materialized (
       select item.*, ${WARNINGS} as warnings
         from (select decided.*,
                      lag(id) over person as batch_person, lag(account_last4) over person as batch_person_last4,
                      lag(id) over twin as batch_twin,
                      row_number() over account > 1 as is_batch_account, row_number() over pair > 1 as is_batch_pair
                 from decided where outcome = 'reserved'
               window person as (partition by partner_id, name_mark_0 order by place),
                      account as (partition by partner_id, account_mark_0 order by place),
                      pair as (partition by partner_id, account_mark_0, name_mark_0 order by place),
                      twin as (partition by partner_id, account_mark_0, amount_pence order by place)) item
         ${historyJoins(keys, '$5', 'item.partner_id')}
        -- Indexes grow at their end, and their pages are filled.
        order by item.partner_id, item.id
     ), ${written(way)}
     -- Not joined: PostgreSQL may take both for a row or two, and compare each of the one with each of the other.
     select made.outcome, made.available, made.follows_refusal as "followsRefusal", made.warnings,
            pg_current_xact_id()::xid::text as version
       from (select place, outcome, available, follows_refusal, warnings from paid
             union all
             select place, outcome, available, follows_refusal, null from decided where outcome <> 'reserved') made
      order by made.place`,
  )
const reserveBy = (decidedBy: DecidedBy) => ({
  asReserved: reserveUnder(1, { decidedBy, areSent: false }),
  asSent: reserveUnder(1, { decidedBy, areSent: true }),
})
const RESERVE = { funds: reserveBy('funds'), limits: reserveBy('limits') }

type Times = { readonly now: Date; readonly leaseUntil: Date; readonly duplicatesSince: Date }

/** One outcome per payout, in their order. */
export async function reserveNewPayouts(
  db: Pick<Database, 'inOneTrip'>,
  environment: Scope['environment'],
  asked: readonly AskedPayout[],
  times: Times,
): Promise<NewReservation[]> {
  // What the caller was told is a hint: the statement sees under the lock whether there are limits.
  const hint = asked.some(({ payout }) => payout.isLimited)
  if (hint) return reserve(db, environment, asked, { ...times, decidedBy: 'limits' })
  const made = await reserve(db, environment, asked, { ...times, decidedBy: 'funds' })
  const limited = asked.filter((_, index) => made[index]!.outcome === 'limited')
  if (limited.length === 0) return made
  const again = await reserve(db, environment, limited, { ...times, decidedBy: 'limits' })
  return asked.map((each, index) => again[limited.indexOf(each)] ?? made[index]!)
}

async function reserve(
  db: Pick<Database, 'inOneTrip'>,
  environment: Scope['environment'],
  asked: readonly AskedPayout[],
  { decidedBy, ...times }: Times & { decidedBy: DecidedBy },
): Promise<NewReservation[]> {
  const payouts = asked.map(({ payout }) => payout)
  const keys = 1 + (payouts[0]?.olderMarks?.length ?? 0)
  const marks = itemColumns<string>(0, markColumns(keys)).values(payouts.map(marksOf))
  const spenders = payouts.map(({ spenderId }) => spenderId)
  const partnerIds = [...new Set(asked.map(({ partnerId }) => partnerId))]
  const values = [partnerIds, environment, times.now, times.leaseUntil, times.duplicatesSince]
  const way = { decidedBy, areSent: asked.some(({ sent }) => sent != null) }
  const rows = await db.inOneTrip<NewReservation>([
    // Statements of their own: what follows sees all that was committed while the locks were waited for.
    ...lockTogether(environment, partnerIds),
    [
      keys === 1 ? RESERVE[decidedBy][way.areSent ? 'asSent' : 'asReserved'] : reserveUnder(keys, way),
      [
        ...values,
        ...LEASED.values(payouts),
        ...marks,
        ...OWNERS.values(asked),
        ...API_KEYS.values(payouts),
        ...(decidedBy === 'limits' ? [spenders] : []),
        ...(way.areSent
          ? sentValues(
              asked.map(({ sent }) => sent ?? null),
              times.now,
            )
          : []),
      ],
    ],
  ])
  assert(rows.length === payouts.length, 'every payout of a batch has an outcome')
  return rows
}
