// Which payouts are due for a look, the longest overdue first.
import type { Environment } from '@kestrel/contract'

import { type DuePayout, isFreeToFollow, isLive } from './payout-follow-ups.ts'
import { type Db, statement } from './sql.ts'

export interface ListedPayout extends DuePayout {
  /** The rail has said beforehand that it completes by now (foretold-ends.ts). */
  readonly isForetold: boolean
}

// Those of one moment come by age, and not as they happen to lie on disk; of more than are asked for, the index says which are taken.
const DUE = statement(
  'due_payouts',
  `select "partnerId", environment, id, "isForetold" from (
     select partner_id as "partnerId", environment, payout_id as id, coalesce(completes_at <= $1, false) as "isForetold", next_check_at
       from payout_follow_ups
      where ${isLive('environment')} = ${isLive('$3::environment')} and next_check_at <= $1
        and ${isFreeToFollow('$1')} and partner_id <> all($4::uuid[])
      order by next_check_at limit $2) due
    order by next_check_at, id`,
)

/**
 * Payouts that are due for a look, without those of some partners. Only a hint: `claimDuePayouts` decides who gets
 * them.
 */
export function listDuePayouts(
  db: Db,
  environment: Environment,
  asked: { now: Date; most: number; except: readonly string[] },
): Promise<ListedPayout[]> {
  return db.query<ListedPayout>(DUE, [asked.now, asked.most, environment, asked.except])
}
