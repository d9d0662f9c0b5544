// The figures that alarms need, read from the tables, so that any process can tell them. Each uses an index over
// unfinished work, so its cost does not grow with the past.
import { type Environment, UNDER_WAY } from '@kestrel/contract'

import type { LondonDay } from '../core/london-day.ts'
import { IS_IN_DOUBT } from './payouts.ts'
import { type Db, statement } from './sql.ts'
import { statusIn } from './status-in.ts'
import { isFromWrongClock } from './wrong-clocks.ts'

export interface UnfinishedPayouts {
  readonly environment: Environment
  readonly status: string
  readonly payouts: bigint
  readonly oldestAt: Date
  /** How many of them were created before each of the moments asked for, in their order. */
  readonly before: readonly number[]
  /** Those of which nobody knows whether the bank has them. */
  readonly inDoubt: bigint
  readonly oldestInDoubtAt: Date | null
}

const UNFINISHED = statement(
  'unfinished_payouts',
  `select f.environment, p.status, count(*) as payouts, min(f.created_at) as "oldestAt",
          count(*) filter (where p.in_doubt) as "inDoubt",
          min(f.created_at) filter (where p.in_doubt) as "oldestInDoubtAt",
          array[count(*) filter (where f.created_at < $1), count(*) filter (where f.created_at < $2),
                count(*) filter (where f.created_at < $3), count(*) filter (where f.created_at < $4)]::int[] as before
     from payout_follow_ups f cross join lateral (
       select status, ${IS_IN_DOUBT} as in_doubt from payouts
        where partner_id = f.partner_id and environment = f.environment and id = f.payout_id
          and ${statusIn('status', UNDER_WAY)} limit 1) p
    group by f.environment, p.status`,
)

/** Payouts that are being followed, and how many of them are from before each of four moments. */
export function countUnfinishedPayouts(
  db: Db,
  moments: readonly [Date, Date, Date, Date],
): Promise<UnfinishedPayouts[]> {
  return db.query<UnfinishedPayouts>(UNFINISHED, [...moments])
}

export interface PayoutsOfDay {
  readonly environment: Environment
  readonly status: string
  readonly payouts: bigint
}

const OF_DAY = statement(
  'payouts_of_day',
  `select w.environment, d.status, sum(d.payouts)::bigint as payouts
     from wallets w cross join lateral (
       select status, payouts from payout_days
        where partner_id = w.partner_id and environment = w.environment and counted_by = 'created' and day = $1) d
    group by w.environment, d.status`,
)

/** Everybody's payouts of one day of London, by how they stand now: a few rows per wallet, however many payouts. */
export function countPayoutsOfDay(db: Db, day: LondonDay): Promise<PayoutsOfDay[]> {
  return db.query<PayoutsOfDay>(OF_DAY, [day])
}

export interface Queues {
  /** Mails that are to be sent, without those whose recipient the mail server has put off. */
  readonly mails: bigint
  readonly oldestMailAt: Date | null
  readonly mailsPutOff: bigint
  readonly bankMessages: bigint
  readonly oldestBankMessageAt: Date | null
  readonly lowWallets: bigint
}

const QUEUES = statement(
  'queues',
  `select m.mails, m."oldestMailAt", m."mailsPutOff", b.messages as "bankMessages", b."oldestBankMessageAt",
          (select count(*) from partners where low_balance_warned_at is not null) as "lowWallets"
     from (select count(*) filter (where put_off_at is null) as mails, count(put_off_at) as "mailsPutOff",
                  min(created_at) filter (where put_off_at is null) as "oldestMailAt"
             from mails where next_try_at is not null) m
    cross join (select count(*) as messages, min(received_at) as "oldestBankMessageAt"
                  from bank_events where handled_at is null) b`,
)

export async function readQueues(db: Db): Promise<Queues> {
  return (await db.query<Queues>(QUEUES))[0]!
}

/** The queues whose work is due at a moment, and since when the oldest of it is; null: nothing waits. */
export interface QueuesDue {
  readonly followUps: Date | null
  readonly events: Date | null
  readonly mail: Date | null
  readonly bankMessages: Date | null
  readonly invoices: Date | null
  readonly refunds: Date | null
}

const QUEUES_DUE = statement(
  'queues_due',
  `select (select min(next_check_at) from (
             select (select next_check_at from payout_follow_ups
                      where case environment when 'live' then 1 else 0 end = rank order by next_check_at limit 1)
               from (values (0), (1)) as of (rank)) each) as "followUps",
          (select min(event.occurred_at) from webhook_endpoints e cross join lateral (
             select occurred_at from events
              where partner_id = e.partner_id and environment = e.environment and position > e.position
              order by position limit 1) event
            where e.status = 'active' and e.deleted_at is null) as events,
          (select min(next_try_at) from mails where next_try_at is not null) as mail,
          (select min(received_at) from bank_events where handled_at is null) as "bankMessages",
          (select min(issued_at) from invoices
            where mailed_at is null and number is not null and mail_after is null) as invoices,
          (select min(next_look_at) from refund_checks where found_at is null) as refunds`,
)

/** Since when the oldest of each queue is due, or when its next will be. */
export async function readQueuesDue(db: Db): Promise<QueuesDue> {
  return (await db.query<QueuesDue>(QUEUES_DUE))[0]!
}

export interface LastComparison {
  readonly at: Date
  /** Since when each comparison has found something; null: the last one found nothing. */
  readonly brokenSince: Date | null
  readonly breaks: readonly { readonly check: string; readonly environment: string; readonly count: number }[]
}

const IS_DONE = `not ${isFromWrongClock('finished_at', '$1')}`
const LAST_COMPARISON = statement(
  'last_comparison',
  `select r.finished_at as at,
          case when r.breaks = '[]' then null else (
            select min(finished_at) from reconciliations
             where ${IS_DONE}
               and finished_at > coalesce((select max(finished_at) from reconciliations where breaks = '[]' and ${IS_DONE}), '-infinity')
          ) end as "brokenSince",
          (select coalesce(json_agg(b), '[]') from (
             select each ->> 'check' as "check", coalesce(each ->> 'environment', '') as environment, count(*)::int as count
               from jsonb_array_elements(r.breaks) each group by 1, 2) b) as breaks
     from reconciliations r where ${IS_DONE} order by finished_at desc limit 1`,
)

/** What the last comparison of the books found; null: there was none. */
export async function readLastComparison(db: Db, now: Date): Promise<LastComparison | null> {
  return (await db.query<LastComparison>(LAST_COMPARISON, [now]))[0] ?? null
}
