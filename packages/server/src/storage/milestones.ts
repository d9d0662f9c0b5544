// What a business's program has done for the first time. Kept, because the log of requests is too long to be searched.
import type { Environment } from '@kestrel/contract'

import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

/** `replay_seen`: a repeated request was answered with the first one's payout. `failure_read`: a program read how one failed. */
export type Milestone = 'replay_seen' | 'failure_read'

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
  /** Of those who have signed in: others cannot let anybody in. At most two are counted. */
  readonly admins: number
  readonly hasLiveKey: boolean
  readonly hasLiveMoney: boolean
  readonly hasThreshold: boolean
}

const ARRIVED = (environment: Environment) => `exists (select from payout_days
  where partner_id = $1 and environment = '${environment}' and counted_by = 'completed' and payouts > 0)`
const REACHED = (name: Milestone) => `exists (select from milestones where partner_id = $1 and name = '${name}')`

const FACTS = statement(
  'go_live_facts',
  `select ${ARRIVED('sandbox')} as "hasPaidInSandbox", ${ARRIVED('live')} as "hasPaidLive",
     ${REACHED('failure_read')} as "hasReadFailure", ${REACHED('replay_seen')} as "hasSeenReplay",
     (select count(*)::int from (select from members
       where partner_id = $1 and role = 'admin' and last_login_at is not null limit 2) admins) as admins,
     exists (select from api_keys where partner_id = $1 and environment = 'live' and revoked_at is null
       and (expires_at is null or expires_at > $2)) as "hasLiveKey",
     exists (select from ledger_accounts where partner_id = $1 and environment = 'live'
       and account = 'available' and balance > 0) as "hasLiveMoney",
     exists (select from partners where id = $1 and low_balance_micro is not null) as "hasThreshold"`,
)

export async function readGoLiveFacts(db: Db, partnerId: string, now: Date): Promise<GoLiveFacts> {
  return (await db.query<GoLiveFacts>(FACTS, [partnerId, now]))[0]!
}
