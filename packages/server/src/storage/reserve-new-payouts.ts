// The first step for payouts whose keys are new, in one trip to the database: under the wallet's lock one statement looks
// the keys up, decides who gets the money, and writes the payouts, their holds, marks, warnings and leases. Nobody holds the
// lock while this program is busy. A batch may be of several wallets of one environment: each is decided by itself.
import { assert } from '../core/assert.ts'
import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { holderVersionOf } from './api-keys.ts'
import { lockShortly, movedAfter } from './ledger.ts'
import { type StoredWarning, historyJoins } from './payout-recipients.ts'
import { type AskedPayout, RESERVED_COLUMNS } from './payout-reservations.ts'
import { ofKey } from './payouts.ts'
import { USED_KEYS, WALLETS, type Way, areRelated, decidingItems, valuesOf, wholeItems } from './reserve-items.ts'
import { AS_RESERVED, AS_SENT } from './reserve-sent.ts'
import { inItsBatch, warningsIn } from './reserve-warnings.ts'
import { COUNTED, DECIDED_WITHIN_LIMITS, roomsOf, without } from './reserve-within-limits.ts'
import { type Database, statement } from './sql.ts'

/** What became of one payout of the batch. */
export interface NewReservation {
  readonly outcome:
    | 'reserved'
    /** The wallet has less than it needs. */
    | 'unfunded'
    /** The wallet is on another rail. */
    | 'moved'
    /** The API key that asks for it does not work, or what is known of its holder has changed. */
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

const COLUMNS = Object.values(RESERVED_COLUMNS).map(([column]) => column)

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
       insert into payout_follow_ups (partner_id, environment, payout_id, created_at, ${look.columns})
       select partner_id, $2, id, $3, ${look.values} from paid
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
              array_agg(wallet_nth order by place) as wallets, (select balances from wallet) as balances,
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
     ), decided as (
       select asking.*, coalesce(turn.available, asking.balance) as available,
              coalesce(asking.refused,
                case when turn.place is null or asking.wallet_sends_micro <= turn.available then 'reserved' else 'unfunded' end
              ) as outcome
         from asking left join turn on turn.place = asking.place
     )`

/** In SQL: why an `item` does not ask for money at all; null if it does. */
const refused = (isRepeated: string, byLimits: string) => `case when item.bound is not null then 'known' ${isRepeated}
                   when item.key_id = any((select keys from ended)::uuid[]) then 'keyless'
                   when wallet.are_paused[item.wallet_nth] then 'paused'
                   when item.rail is distinct from wallet.rails[item.wallet_nth] then 'moved' ${byLimits} end as refused`

/** What deciding by limits has that deciding by funds alone has not. */
const DECIDING = {
  funds: {
    rooms: () => '',
    joined: '',
    room: '',
    // A wallet that got its first limit a moment ago is decided by limits when it is asked for again, and all that came with it
    // too: until then nothing is made, so that what fails has done nothing.
    refusal: `when wallet.is_any_limited then 'limited'`,
    limitIds: '',
    decided: DECIDED_BY_FUNDS,
  },
  limits: {
    rooms: (items: string) => `${roomsOf(items)}, `,
    joined: 'left join rooms on rooms.partner_id = item.partner_id and rooms.spender_id = item.spender_id',
    room: 'rooms.spender_id as limit_id, rooms.nth::int as room_nth,',
    refusal: `when item.amount_pence > rooms.most then 'over_limit'`,
    limitIds: ', limit_id',
    decided: DECIDED_WITHIN_LIMITS,
  },
}

const nameOf = ({ decidedBy, areSent, areRelated: are }: Way) =>
  `reserve_${decidedBy === 'funds' ? 'new' : 'limited'}_payouts${areSent ? '_as_sent' : ''}${are ? '_related' : ''}`

/** `keys`: those under which recipients are looked for. */
function reserveUnder(keys: number, way: Way) {
  const { rooms, joined, room, refusal, limitIds, decided } = DECIDING[way.decidedBy]
  const deciding = decidingItems(keys, way)
  const [nth, isRepeated] = way.areRelated
    ? [
        'row_number() over (partition by item.partner_id, item.idempotency_key order by item.place) as nth,',
        "when item.nth > 1 then 'repeated'",
      ]
    : ['', '']
  const verdicts = ['outcome', 'warnings', ...(limitIds === '' ? [] : ['limit_id'])]
  return statement(
    `${nameOf(way)}_${keys}`,
    `with recursive wallet as materialized (
       select array_agg(own.balance order by own.place) as balances, array_agg(own.rail order by own.place) as rails,
              array_agg(own.is_paused order by own.place) as are_paused, bool_or(own.has_spending_limits) as is_any_limited,
              array_agg(own.moved_at order by own.place) as moved_at
         from (select item.place, ${movedAfter('$3::timestamptz', 'item.partner_id', '$2')} as moved_at, w.rail, w.paused_at is not null as is_paused, w.has_spending_limits,
                      (select a.balance from ledger_accounts a
                        where a.partner_id = item.partner_id and a.environment = $2 and a.account = 'available') as balance
                 from ${WALLETS.fromInOrder}
                 left join lateral (select rail, paused_at, has_spending_limits from wallets
                                     where partner_id = item.partner_id and environment = $2 limit 1) w on true) own
     ), ended as materialized (
       select array(select item.key_id from ${USED_KEYS.from}
                      left join lateral (${holderVersionOf('item.partner_id', 'item.key_id', '$3')}) holder on true
                     where holder.version is null or holder.version <> item.holder_version) as keys
     ), ${rooms(deciding.from)}asking as materialized (
       select item.*, wallet.balances[item.wallet_nth] as balance, ${room}
              ${refused(isRepeated, refusal)}
         from (select item.*, ${nth}
                      (select p.id from payouts p where ${ofKey('item.idempotency_key', 'p.released_at is null', 'p.', 'item.partner_id')} limit 1) as bound,
                      exists (select 1 from payouts p
                               where ${ofKey('item.idempotency_key', 'p.released_at is not null and p.bank_attempt > 1', 'p.', 'item.partner_id')}
                             ) as follows_refusal
                 from ${deciding.fromInOrder}
                 -- Not taken apart: PostgreSQL would look a key up once for each time that what it found is named.
               offset 0) item cross join wallet ${joined}
     ), ${decided}, judged as materialized (
       select item.place, item.outcome, item.available, item.follows_refusal${limitIds},
              case when item.outcome = 'reserved' then ${warningsIn(way.areRelated)} end as warnings
         from ${inItsBatch(way.areRelated)}
         ${historyJoins(keys, '$5', 'item.partner_id', "item.outcome = 'reserved'")}
     ), paid as materialized (
       select item.*
         from (select ${verdicts.map((name) => `array_agg(${name} order by place) as ${name}`).join(', ')} from judged) verdict
         -- Beside each other by their place, and not joined: PostgreSQL may take both for a row or two, and compare each of the
         -- one with each of the other.
        cross join lateral ${wholeItems(keys, way).fromBeside('verdict', verdicts)}
        where item.outcome = 'reserved'
        -- Indexes grow at their end, and their pages are filled.
        order by item.partner_id, item.id
     ), ${written(way)}
     select outcome, available, follows_refusal as "followsRefusal", warnings, pg_current_xact_id()::xid::text as version
       from judged order by place`,
  )
}

const reserveBy = (decidedBy: Way['decidedBy'], are: boolean) => ({
  asReserved: reserveUnder(1, { decidedBy, areSent: false, areRelated: are }),
  asSent: reserveUnder(1, { decidedBy, areSent: true, areRelated: are }),
})
const RESERVE = {
  funds: { apart: reserveBy('funds', false), related: reserveBy('funds', true) },
  limits: { apart: reserveBy('limits', false), related: reserveBy('limits', true) },
}

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
  { decidedBy, ...times }: Times & Pick<Way, 'decidedBy'>,
): Promise<NewReservation[]> {
  const keys = 1 + (asked[0]?.payout.olderMarks?.length ?? 0)
  const way = { decidedBy, areSent: asked.some(({ sent }) => sent != null), areRelated: areRelated(asked) }
  const partnerIds = [...new Set(asked.map(({ partnerId }) => partnerId))]
  const kept = RESERVE[decidedBy][way.areRelated ? 'related' : 'apart'][way.areSent ? 'asSent' : 'asReserved']
  const rows = await db.inOneTrip<NewReservation>([
    // Statements of their own: what follows sees all that was committed while the locks were waited for.
    ...lockShortly(environment, partnerIds),
    [keys === 1 ? kept : reserveUnder(keys, way), valuesOf(asked, { keys, way, partnerIds, environment, times })],
  ])
  assert(rows.length === asked.length, 'every payout of a batch has an outcome')
  return rows
}
