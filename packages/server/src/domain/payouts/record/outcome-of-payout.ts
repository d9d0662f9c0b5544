// What is recorded of a payout, and what becomes of it.
import type { FollowedPayout, PayoutAsRead } from '../../../storage/payouts.ts'
import type { Outcome } from './decide-outcome.ts'

export interface OutcomeOfPayout extends Outcome {
  readonly payoutId: string
  readonly leaseToken: string
  /** The partner's own request that it answers. */
  readonly requestId?: string | undefined
  /** The row as the caller knows it; absent or null: it is to be read. */
  readonly asRead?: PayoutAsRead | null
}

export interface Recorded {
  /** False: the lease had passed to another worker, and the row is as that worker left it. */
  readonly isOurs: boolean
  readonly row: FollowedPayout
}
