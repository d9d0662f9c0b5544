import type { Environment } from '@kestrel/contract'

import { type Tx, statement } from './sql.ts'

export type FeedName = 'transfers' | 'bank_deposits' | 'chain_deposits'

const OPEN = statement(
  'open_bank_feed',
  'insert into bank_feeds (environment, feed, read_up_to) values ($1, $2, $3) on conflict do nothing',
)
const CLAIM = statement(
  'claim_bank_feed',
  `update bank_feeds set lease_until = $4
    where environment = $1 and feed = $2 and (lease_until is null or lease_until <= $3)
   returning read_up_to as "readUpTo"`,
)

/** How far a feed has been read, for the one who may read on; null while somebody else does. */
export async function claimFeed(
  tx: Tx,
  environment: Environment,
  feed: FeedName,
  claim: { now: Date; leaseUntil: Date; startFrom: Date },
): Promise<Date | null> {
  await tx.query(OPEN, [environment, feed, claim.startFrom])
  const rows = await tx.query<{ readUpTo: Date }>(CLAIM, [environment, feed, claim.now, claim.leaseUntil])
  return rows[0]?.readUpTo ?? null
}

const FINISH = statement(
  'finish_bank_feed',
  `update bank_feeds set read_up_to = greatest(read_up_to, $3), lease_until = null
    where environment = $1 and feed = $2`,
)

export function finishFeed(tx: Tx, environment: Environment, feed: FeedName, readUpTo: Date): void {
  tx.defer(FINISH, [environment, feed, readUpTo])
}
