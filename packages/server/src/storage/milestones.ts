// What a business's program has done for the first time. Kept, because the log of requests is too long to be searched.
import type { Environment } from '@kestrel/contract'

import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

/**
 * `replay_seen`: a repeated request was answered with the first one's payout. `failure_read`: a program read how one failed.
 * `webhook_verified`: a receiver answered an event with 2xx.
 */
export type Milestone = 'replay_seen' | 'failure_read' | 'webhook_verified'

export interface NewMilestone {
  readonly environment: Environment
  readonly name: Milestone
  readonly at: Date
}

const ITEMS = itemColumns<keyof NewMilestone>(2, {
  environment: ['environment', 'environment'],
  name: ['name', 'text'],
  at: ['at', 'timestamptz'],
})

const KEEP = statement(
  'keep_milestones',
  `insert into milestones (partner_id, ${ITEMS.names})
   select $1::uuid, ${ITEMS.selected} from ${ITEMS.from} on conflict do nothing`,
)

/** The first time counts. */
export function keepMilestones(tx: Tx, partnerId: string, reached: readonly NewMilestone[]): void {
  if (reached.length > 0) tx.defer(KEEP, [partnerId, ...ITEMS.values(reached)])
}

/** What has been done, as far as the database knows. */
export interface GoLiveFacts {
  readonly hasPaidInSandbox: boolean
  readonly hasPaidLive: boolean
  readonly hasReadFailure: boolean
  readonly hasSeenReplay: boolean
  readonly hasWebhook: boolean
  /** Of those who have signed in: others cannot let anybody in. At most two are counted. */
  readonly admins: number
  readonly hasLiveKey: boolean
  /**
   * One that works, and that can pay less than everything or from fewer places: a live one once there are any, because a
   * sandbox key guards no money.
   */
  readonly hasLimitedKey: boolean
  readonly hasLiveMoney: boolean
  readonly hasThreshold: boolean
}

const ARRIVED = (environment: Environment) => `exists (select from payout_days
  where partner_id = $1 and environment = '${environment}' and counted_by = 'completed' and payouts > 0)`
const REACHED = (name: Milestone) => `exists (select from milestones where partner_id = $1 and name = '${name}')`

const WORKS = 'revoked_at is null and (expires_at is null or expires_at > $2)'

const LIVE_KEY = `exists (select from api_keys where partner_id = $1 and environment = 'live' and ${WORKS})`

const FACTS = statement(
  'go_live_facts',
  `select ${ARRIVED('sandbox')} as "hasPaidInSandbox", ${ARRIVED('live')} as "hasPaidLive",
     ${REACHED('failure_read')} as "hasReadFailure", ${REACHED('replay_seen')} as "hasSeenReplay",
     ${REACHED('webhook_verified')} as "hasWebhook",
     (select count(*)::int from (select from members
       where partner_id = $1 and role = 'admin' and last_login_at is not null limit 2) admins) as admins,
     ${LIVE_KEY} as "hasLiveKey",
     exists (select from api_keys k where partner_id = $1 and ${WORKS}
       and (environment = 'live' or not ${LIVE_KEY}) and (allowed_ips is not null
       or exists (select from spending_limits l where l.partner_id = $1 and l.environment = k.environment
         and l.spender_id = coalesce(k.spender_id, k.id)
         and (l.max_per_payout_pence is not null or l.daily_pence is not null or l.monthly_pence is not null))))
       as "hasLimitedKey",
     exists (select from ledger_accounts where partner_id = $1 and environment = 'live'
       and account = 'available' and balance > 0) as "hasLiveMoney",
     exists (select from partners where id = $1 and low_balance_micro is not null) as "hasThreshold"`,
)

export async function readGoLiveFacts(db: Db, partnerId: string, now: Date): Promise<GoLiveFacts> {
  return (await db.query<GoLiveFacts>(FACTS, [partnerId, now]))[0]!
}
