// The figures that alarms need, read from the tables, so that any process can tell them. Each uses an index over
// unfinished work, so its cost does not grow with the past.
import { type Environment, UNDER_WAY } from '@kestrel/contract'

import { type Db, statement } from './sql.ts'
import { statusIn } from './status-in.ts'

export interface UnfinishedPayouts {
  readonly environment: Environment
  readonly status: string
  readonly payouts: bigint
  readonly old: bigint
  readonly oldestAt: Date
}

const UNFINISHED = statement(
  'unfinished_payouts',
  `select f.environment, p.status, count(*) as payouts, count(*) filter (where f.created_at < $1) as old,
          min(f.created_at) as "oldestAt"
     from payout_follow_ups f cross join lateral (
       select status from payouts
        where partner_id = f.partner_id and environment = f.environment and id = f.payout_id
          and ${statusIn('status', UNDER_WAY)} limit 1) p
    group by f.environment, p.status`,
)

/** Payouts that are being followed, and how many of them are from before a moment. */
export function countUnfinishedPayouts(db: Db, before: Date): Promise<UnfinishedPayouts[]> {
  return db.query<UnfinishedPayouts>(UNFINISHED, [before])
}

export interface Queues {
  /** Mails that are to be sent, without those whose recipient the mail server has put off. */
  readonly mails: bigint
  readonly oldestMailAt: Date | null
  readonly mailsPutOff: bigint
  readonly bankMessages: bigint
  readonly oldestBankMessageAt: Date | null
  readonly lowWallets: bigint
  readonly reconciledAt: Date | null
  readonly breaks: number | null
}

const QUEUES = statement(
  'queues',
  `select m.mails, m."oldestMailAt", m."mailsPutOff", b.messages as "bankMessages", b."oldestBankMessageAt",
          (select count(*) from partners where low_balance_warned_at is not null) as "lowWallets",
          r.at as "reconciledAt", r.breaks
     from (select count(*) filter (where put_off_at is null) as mails, count(put_off_at) as "mailsPutOff",
                  min(created_at) filter (where put_off_at is null) as "oldestMailAt"
             from mails where next_try_at is not null) m
    cross join (select count(*) as messages, min(received_at) as "oldestBankMessageAt"
                  from bank_events where handled_at is null) b
     left join (select finished_at as at, jsonb_array_length(breaks) as breaks from reconciliations
                where finished_at is not null order by finished_at desc limit 1) r on true`,
)

export async function readQueues(db: Db): Promise<Queues> {
  return (await db.query<Queues>(QUEUES))[0]!
}
