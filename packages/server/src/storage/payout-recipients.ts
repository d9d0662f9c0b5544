// The recipients that a partner has paid, by marks: the reads behind the warnings, for many payouts at once, and the
// writes.
import { PAID_OR_UNDER_WAY } from '@kestrel/contract'

import type { Pence } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { hashOfBytes } from './hashed-words.ts'
import { type ColumnsOf, itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'
import { statusIn } from './status-in.ts'

export interface RecipientMarks {
  readonly name: Buffer
  readonly account: Buffer
}

/** A payout that is to be compared with those before it. */
export interface MarkedPayout {
  readonly marks: RecipientMarks
  /** The same recipient's marks under each older key: some payouts may still be marked by those. */
  readonly olderMarks?: readonly RecipientMarks[]
  readonly amount: Pence
}

export interface EarlierPayout {
  readonly id: string
  readonly at: Date
  readonly accountLast4: string
}

/** What the partner has paid before, seen from one payout. Only payouts that were sent, or may have been, count. */
export interface RecipientHistory {
  /** Whether any payout went to this account. */
  readonly isAccountPaid: boolean
  /** Whether this person was paid at this account. */
  readonly isPairPaid: boolean
  /** The last payout of the same amount to this account, since a moment. */
  readonly sameAmount: EarlierPayout | null
  /** The last payout to this person, at any account. */
  readonly samePerson: EarlierPayout | null
}

// A payout that failed, was given up or came back does not count: paying again is the normal thing then.
// Looked up one by one: PostgreSQL may believe that there are few payouts, and then reads all of them for a join.
const countedOf = (partner: string) => `cross join lateral (
           select id, created_at, account_last4 from payouts
            where partner_id = ${partner} and environment = $2 and id = near.payout_id
              and ${statusIn('status', PAID_OR_UNDER_WAY)} and send_state in ('sending', 'unknown', 'accepted')
            limit 1) p`

// Each question looks at this many rows at most, however many payouts to one account failed.
const FEW = 50
const MANY = 1_000

/** The marks of one payout under each key that the service knows, the newest first, as columns of a batch. */
export function markColumns(keys: number): ColumnsOf<string> {
  const numbers = Array.from({ length: keys }, (_, key) => key)
  return Object.fromEntries(
    numbers.flatMap((key) => [
      [`name${key}`, [`name_mark_${key}`, 'bytea']],
      [`account${key}`, [`account_mark_${key}`, 'bytea']],
    ]),
  )
}

/** The values of those columns. */
export function marksOf({
  marks,
  olderMarks = [],
}: Pick<MarkedPayout, 'marks' | 'olderMarks'>): Record<string, Buffer> {
  if (olderMarks.length === 0) return { name0: marks.name, account0: marks.account }
  return Object.fromEntries(
    [marks, ...olderMarks].flatMap(({ name, account }, key) => [
      [`name${key}`, name],
      [`account${key}`, account],
    ]),
  )
}

/**
 * In SQL: what is known of the payouts before each `item` of a batch, which has `markColumns` and an amount, joined to it as
 * `person`, `twin`, `account` and `pair`. Marks of two keys are on different payouts, so all keys are asked. `isAsked`: of which
 * items, where not of all; for the others nothing is read.
 */
export function historyJoins(keys: number, since: string, partner = '$1', isAsked = 'true'): string {
  const underEachKey = (query: (key: number) => string) =>
    Array.from({ length: keys }, (_, key) => `(${query(key)})`).join(' union all ')
  // By the hash that the index has, and by the mark itself. What stands in `array[]` is compared, and looked up by no other index.
  const isOf = (mark: 'name' | 'account', key: number) =>
    `${hashOfBytes(`${mark}_mark`, 'partner_id', 'environment')}
              = ${hashOfBytes(`item.${mark}_mark_${key}`, partner, '$2::environment')}
            and array[partner_id] = array[${partner}::uuid] and array[environment] = array[$2::environment]
            and ${mark}_mark = item.${mark}_mark_${key} and ${isAsked}`
  return `left join lateral (
       select p.id, p.created_at, p.account_last4, near.is_pair from (${underEachKey(
         (
           key,
         ) => `select payout_id, created_at, account_mark = item.account_mark_${key} as is_pair from payout_recipients
          where ${isOf('name', key)}
          order by created_at desc limit ${FEW}`,
       )}) near
         ${countedOf(partner)} order by near.created_at desc limit 1) person on true
     left join lateral (
       select p.id, p.created_at, p.account_last4 from (${underEachKey(
         (key) => `select payout_id, created_at from payout_recipients
          where ${isOf('account', key)}
            and amount_pence = item.amount_pence and created_at >= ${since}
          order by created_at desc limit ${FEW}`,
       )}) near
         ${countedOf(partner)} order by near.created_at desc limit 1) twin on true
     -- Most people are paid where they were last time, and then these two have nothing to look for.
     left join lateral (
       select p.id from (${underEachKey(
         (key) => `select payout_id from payout_recipients
          where ${isOf('account', key)}
            and person.is_pair is not true
          order by amount_pence, created_at limit ${FEW}`,
       )}) near
         ${countedOf(partner)} limit 1) account on true
     left join lateral (
       select p.id from (${underEachKey(
         (key) => `select payout_id, name_mark = item.name_mark_${key} as is_pair from payout_recipients
          where ${isOf('account', key)}
            and person.is_pair = false
          order by amount_pence, created_at limit ${MANY}`,
       )}) near
         ${countedOf(partner)}
        where near.is_pair limit 1) pair on true`
}

const soughtUnder = (keys: number) => itemColumns(4, { ...markColumns(keys), amount: ['amount_pence', 'bigint'] })

const historyUnder = (keys: number) =>
  statement(
    `recipient_history_${keys}`,
    `select coalesce(person.is_pair, false) or account.id is not null as "isAccountPaid",
          coalesce(person.is_pair, false) or pair.id is not null as "isPairPaid",
          twin.id as "amountId", twin.created_at as "amountAt", twin.account_last4 as "amountLast4",
          person.id as "personId", person.created_at as "personAt", person.account_last4 as "personLast4"
     from ${soughtUnder(keys).fromInOrder}
     ${historyJoins(keys, '$3')}
    order by item.place`,
  )
const HISTORY = historyUnder(1)

interface HistoryRow {
  readonly isAccountPaid: boolean
  readonly isPairPaid: boolean
  readonly amountId: string | null
  readonly amountAt: Date
  readonly amountLast4: string
  readonly personId: string | null
  readonly personAt: Date
  readonly personLast4: string
}

/** One history per payout, in their order. Under the wallet's lock this sees every payout that was held before. */
export async function readRecipientHistory(
  db: Db,
  scope: Scope,
  payouts: readonly MarkedPayout[],
  since: Date,
): Promise<RecipientHistory[]> {
  const keys = 1 + (payouts[0]?.olderMarks?.length ?? 0)
  const sought = payouts.map((payout) => ({ ...marksOf(payout), amount: payout.amount }))
  const values = [scope.partnerId, scope.environment, since, ...soughtUnder(keys).values(sought)]
  const rows = await db.query<HistoryRow>(keys === 1 ? HISTORY : historyUnder(keys), values)
  return rows.map((row) => ({
    isAccountPaid: row.isAccountPaid,
    isPairPaid: row.isPairPaid,
    sameAmount: row.amountId === null ? null : { id: row.amountId, at: row.amountAt, accountLast4: row.amountLast4 },
    samePerson: row.personId === null ? null : { id: row.personId, at: row.personAt, accountLast4: row.personLast4 },
  }))
}

const COUNT_SENT = statement(
  'count_sent_payouts',
  `select count(*)::int as count from (
     select 1 from payouts
      where partner_id = $1 and environment = $2 and created_at >= $3 and released_at is null
        and ${statusIn('status', PAID_OR_UNDER_WAY)} limit $4) sent`,
)

/** Counts payouts since a moment that are on their way or arrived, looking at a limited number. */
export async function countSentPayouts(db: Db, scope: Scope, since: Date, most: number): Promise<number> {
  const values = [scope.partnerId, scope.environment, since, most]
  return (await db.query<{ count: number }>(COUNT_SENT, values))[0]?.count ?? 0
}

/** A warning that a payout's page shows for good: a code, with the payout that it is about. */
export interface StoredWarning {
  readonly code: 'recipient_account_changed' | 'possible_duplicate' | 'first_payment_to_account'
  readonly payout_id: string | null
  readonly account_last4: string
  readonly at: string | null
}

export interface KeptRecipient extends MarkedPayout {
  readonly payoutId: string
  readonly warnings: readonly StoredWarning[]
}

const KEPT = itemColumns<'payoutId' | 'name' | 'account' | 'amount'>(4, {
  payoutId: ['payout_id', 'uuid'],
  name: ['name_mark', 'bytea'],
  account: ['account_mark', 'bytea'],
  amount: ['amount_pence', 'bigint'],
})

const KEEP = statement(
  'keep_payout_recipients',
  `insert into payout_recipients (partner_id, environment, created_at, ${KEPT.names})
   select $1::uuid, $2::environment, $3::timestamptz, ${KEPT.selected} from ${KEPT.from}
   on conflict (partner_id, environment, payout_id) do update set
     created_at = excluded.created_at, name_mark = excluded.name_mark, account_mark = excluded.account_mark`,
)

const WARNED = itemColumns<'id' | 'warnings'>(3, { id: ['id', 'uuid'], warnings: ['warnings', 'jsonb'] })

const WARN = statement(
  'warn_of_payouts',
  `update payouts p set ${WARNED.assigned(['id'])}
     from (select item.*, found.ctid as found_at from ${WARNED.from} cross join lateral (
             select ctid from payouts where partner_id = $1 and environment = $2 and id = item.id limit 1) found) item
    where p.ctid = item.found_at and p.surfaced_at is null`,
)

/** Stores the marks and warnings of payouts whose money is held now. */
export function keepPayoutRecipients(tx: Tx, scope: Scope, kept: readonly KeptRecipient[], at: Date): void {
  if (kept.length === 0) return
  const { partnerId, environment } = scope
  const rows = kept.map(({ payoutId, marks: { name, account }, amount }) => ({ payoutId, name, account, amount }))
  tx.defer(KEEP, [partnerId, environment, at, ...KEPT.values(rows)])
  const warned = kept
    .filter(({ warnings }) => warnings.length > 0)
    .map(({ payoutId, warnings }) => ({ id: payoutId, warnings: JSON.stringify(warnings) }))
  if (warned.length > 0) tx.defer(WARN, [partnerId, environment, ...WARNED.values(warned)])
}
