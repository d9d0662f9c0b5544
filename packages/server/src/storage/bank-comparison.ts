// Our side of the comparison with the bank's books.
import type { Environment, PayoutStatus } from '@kestrel/contract'

import type { MicroUsdc, Pence } from '../core/money.ts'
import type { RailName } from '../core/rail-name.ts'
import type { Scope } from '../core/scope.ts'
import { itemColumns, itemList } from './item-columns.ts'
import { followedPayouts } from './payout-follow-ups.ts'
import { IS_IN_DOUBT, type RefundState, type SendState } from './payouts.ts'
import { type Database, type Db, type Tx, statement } from './sql.ts'
import { isFromWrongClock } from './wrong-clocks.ts'

export interface PayoutAtBank {
  readonly partnerId: string
  readonly id: string
  readonly status: PayoutStatus
  readonly refundState: RefundState
  readonly sendState: SendState
  readonly transferRef: string | null
  readonly bankState: string | null
  readonly amount: Pence
  readonly walletSends: MicroUsdc
  /** What the bank says it took; null when that is what was reserved. */
  readonly bankSent: MicroUsdc | null
  readonly surplus: MicroUsdc | null
  readonly toppedUp: MicroUsdc
  readonly toppingUp: MicroUsdc | null
  readonly madeAt: Date
  readonly completedAt: Date | null
  /** By the bank's clock, when it last changed what is recorded of it; null where it has not said. */
  readonly bankUpdatedAt: Date | null
}

const COLUMNS = `partner_id as "partnerId", id, status, refund_state as "refundState", send_state as "sendState",
  provider_ref as "transferRef", provider_state as "bankState", amount_pence as amount,
  wallet_sends_micro as "walletSends", bank_sent_micro as "bankSent",
  surplus_micro as surplus, topped_up_micro as "toppedUp", topping_up_micro as "toppingUp",
  created_at as "madeAt", completed_at as "completedAt", bank_updated_at as "bankUpdatedAt"`

const IDS = itemList(3, 'id', 'uuid')

const OF_IDS = statement(
  'payouts_at_bank_by_id',
  `select payout.* from ${IDS.from} cross join lateral (
     select ${COLUMNS} from payouts where partner_id = $1 and environment = $2 and id = item.id limit 1) payout`,
)

/** How payouts of one wallet stand, as far as the bank is concerned. */
export function readPayoutsAtBank(db: Db, scope: Scope, ids: readonly string[]): Promise<PayoutAtBank[]> {
  return db.query<PayoutAtBank>(OF_IDS, [scope.partnerId, scope.environment, IDS.value(ids)])
}

const PAIRS = itemColumns<'partnerId' | 'id'>(2, { partnerId: ['partner_id', 'uuid'], id: ['id', 'uuid'] })

const OF_PAIRS = statement(
  'payouts_at_bank_of_pairs',
  `select payout.* from ${PAIRS.from} cross join lateral (
     select ${COLUMNS} from payouts
      where partner_id = item.partner_id and environment = $1 and id = item.id limit 1) payout`,
)

/**
 * The same for one page of the bank's list, which has payouts of many partners: each with the partner that it should be
 * of.
 */
export function readPairsAtBank(
  db: Db,
  environment: Environment,
  pairs: readonly { readonly partnerId: string; readonly id: string }[],
): Promise<PayoutAtBank[]> {
  return db.query<PayoutAtBank>(OF_PAIRS, [environment, ...PAIRS.values(pairs)])
}

const ANYBODYS = itemList(2, 'id', 'uuid')

const OF_ANYBODY = statement(
  'payouts_at_bank_of_anybody',
  `select payout.* from wallets w cross join ${ANYBODYS.from} cross join lateral (
     select ${COLUMNS} from payouts
      where partner_id = w.partner_id and environment = w.environment and id = item.id limit 1) payout
    where w.environment = $1`,
)

/** Payouts whose partner is not known: one look at each wallet's index. */
export function readAnybodysPayoutsAtBank(
  db: Db,
  environment: Environment,
  ids: readonly string[],
): Promise<PayoutAtBank[]> {
  return db.query<PayoutAtBank>(OF_ANYBODY, [environment, ANYBODYS.value(ids)])
}

const TRANSFERS = itemList(3, 'ref', 'text')

const OF_TRANSFERS = statement(
  'payouts_at_bank_of_transfers',
  `select payout.* from ${TRANSFERS.from}
     cross join lateral (
       select partner_id, payout_id from payout_transfers where environment = $1 and transfer_ref = item.ref
        order by environment, transfer_ref limit 100) made
     cross join lateral (
       select ${COLUMNS} from payouts
        where partner_id = made.partner_id and environment = $1 and id = made.payout_id and rail = $2
          and provider_ref = item.ref limit 1) payout`,
)

/** The payouts that have these transfers, whoever's they are: one look at an index for a whole page of the bank's list. */
export async function readPayoutsOfTransfers(
  db: Db,
  { environment, rail }: OfBank,
  transferRefs: readonly string[],
): Promise<PayoutAtBank[]> {
  if (transferRefs.length === 0) return []
  return db.query<PayoutAtBank>(OF_TRANSFERS, [environment, rail, TRANSFERS.value(transferRefs)])
}

export interface PayoutInDoubt extends PayoutAtBank {
  /** When a request to the bank was last not answered. */
  readonly unansweredAt: Date | null
}

const IN_DOUBT = statement(
  'payouts_in_doubt',
  `select payout.* from ${followedPayouts(
    `select ${COLUMNS}, unanswered_at as "unansweredAt"`,
    `rail = $3 and ${IS_IN_DOUBT}`,
  )}`,
)

/** A wallet's payouts over the bank's rail of which nobody knows whether the bank has them. */
export function listInDoubt(db: Db, scope: Scope, rail: RailName): Promise<PayoutInDoubt[]> {
  return db.query<PayoutInDoubt>(IN_DOUBT, [scope.partnerId, scope.environment, rail])
}

/** The payouts of a bank: those of its environment that went over its rail. */
export interface OfBank {
  readonly environment: Environment
  readonly rail: RailName
}

const ACCEPTED = `environment = $1 and rail = $2 and send_state = 'accepted' and created_at < $3`

const LONG_END = `right(replace(id::text, '-', ''), 16)`
const SETS = statement(
  'sets_of_payouts_at_bank',
  `select right(id::text, 3) as name, count(*)::int as count, bit_xor(('x' || ${LONG_END})::bit(64)::bigint) as mix
     from payouts where ${ACCEPTED} group by 1`,
)

/** A set of payouts, by the end of their ids: how many there are, and all their ids mixed into one figure. */
export interface PayoutSet {
  readonly name: string
  readonly count: number
  readonly mix: bigint
}

/** All payouts that the bank has accepted, as a fixed number of sets, however many payouts there are. */
export function readAcceptedSets(tx: Tx, { environment, rail }: OfBank, madeBefore: Date): Promise<PayoutSet[]> {
  return tx.query<PayoutSet>(SETS, [environment, rail, madeBefore])
}

const BY_END = statement(
  'payouts_at_bank_by_end',
  `select ${COLUMNS} from payouts
    where ${ACCEPTED} and (right(id::text, 3) = any($4) or ${LONG_END} = any($4)) and (partner_id, id) > ($5, $6)
    order by partner_id, id limit $7`,
)

/** The payouts whose ids end so, in pages. `ends` are names of sets, or the last sixteen digits of one id. */
export function listByEnd(
  tx: Tx,
  { environment, rail }: OfBank,
  asked: { madeBefore: Date; ends: readonly string[]; after: { partnerId: string; id: string }; most: number },
): Promise<PayoutAtBank[]> {
  const { madeBefore, ends, after, most } = asked
  return tx.query<PayoutAtBank>(BY_END, [environment, rail, madeBefore, ends, after.partnerId, after.id, most])
}

const UNDER_WAY = `from ${followedPayouts(
  'select id, coalesce(bank_sent_micro, wallet_sends_micro) as amount',
  `id <> $3 and rail = $4
    and (refund_state = 'due' or (status = 'pending' and send_state = 'accepted') or provider_state = any($5))`,
)}`

/** `unfunded` are the bank's words for states in which it has not taken all. */
interface OthersUnderWay {
  readonly except: string
  readonly rail: RailName
  readonly unfunded: readonly string[]
}

const valuesOf = ({ partnerId, environment }: Scope, { except, rail, unfunded }: OthersUnderWay) => [
  partnerId,
  environment,
  except,
  rail,
  unfunded,
]

const WHOSE_UNDER_WAY = statement('money_under_way', `select id ${UNDER_WAY} order by id limit 5`)

/** Ids of a few other payouts whose money the bank may give back, or has not taken yet. */
export async function listMoneyUnderWay(db: Db, scope: Scope, others: OthersUnderWay): Promise<string[]> {
  const rows = await db.query<{ id: string }>(WHOSE_UNDER_WAY, valuesOf(scope, others))
  return rows.map(({ id }) => id)
}

const UNDRAWN = statement(
  'amounts_undrawn',
  `select payout.amount from ${followedPayouts(
    'select wallet_sends_micro as amount',
    `rail = $3 and send_state = 'accepted' and refund_state = 'none' and provider_state = any($4)`,
  )}`,
)

/** What the bank may not have taken from the wallet yet, by its last word of each payout. */
export async function listAmountsUndrawn(
  db: Db,
  { partnerId, environment }: Scope,
  of: { rail: RailName; undrawn: readonly string[] },
): Promise<bigint[]> {
  const rows = await db.query<{ amount: bigint }>(UNDRAWN, [partnerId, environment, of.rail, of.undrawn])
  return rows.map(({ amount }) => amount)
}

const RETURNING = statement(
  'money_returning',
  `select coalesce(sum(payout.sent), 0)::bigint as amount
     from ${followedPayouts('select coalesce(bank_sent_micro, wallet_sends_micro) as sent', `refund_state = 'due' and completed_at is not null`)}`,
)

/** The money of payouts that had arrived and were sent back: it is on its way to the wallet, and in none of its accounts. */
export async function readReturning(db: Db, scope: Scope): Promise<bigint> {
  const [row] = await db.query<{ amount: bigint }>(RETURNING, [scope.partnerId, scope.environment])
  return row?.amount ?? 0n
}

const AMOUNTS_UNDER_WAY = statement('amounts_under_way', `select amount ${UNDER_WAY}`)

/** What each of those may make the bank's wallet hold more than our books say. */
export async function listAmountsUnderWay(db: Db, scope: Scope, others: OthersUnderWay): Promise<bigint[]> {
  const rows = await db.query<{ amount: bigint }>(AMOUNTS_UNDER_WAY, valuesOf(scope, others))
  return rows.map(({ amount }) => amount)
}

const SAVE = statement(
  'save_reconciliation',
  'insert into reconciliations (id, started_at, finished_at, breaks) values ($1, $2, $3, $4)',
)

export async function saveReconciliation(
  db: Pick<Database, 'inOneTrip'>,
  run: { id: string; startedAt: Date; finishedAt: Date; breaks: readonly unknown[] },
): Promise<void> {
  await db.inOneTrip([[SAVE, [run.id, run.startedAt, run.finishedAt, JSON.stringify(run.breaks)]]])
}

const LAST = statement(
  'last_reconciliation',
  `select started_at as "startedAt", not breaks @> '[{"check": "bank_not_compared"}]' as "isWhole"
     from reconciliations where not ${isFromWrongClock('started_at', '$1')} order by started_at desc limit 1`,
)

/** `isWhole`: every bank could be asked. */
export async function lastReconciliation(db: Db, now: Date): Promise<{ startedAt: Date; isWhole: boolean } | null> {
  return (await db.query<{ startedAt: Date; isWhole: boolean }>(LAST, [now]))[0] ?? null
}

const THIN = statement(
  'thin_reconciliations',
  `delete from reconciliations where started_at < $2 or (started_at < $1 and breaks = '[]')`,
)

/** Runs that found nothing are deleted sooner than those that did. */
export function thinReconciliations(tx: Tx, before: { cleanBefore: Date; brokenBefore: Date }): void {
  tx.defer(THIN, [before.cleanBefore, before.brokenBefore])
}
