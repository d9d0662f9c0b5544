// An event with its subject as it was then.
import type { Environment, EventType } from '@kestrel/contract'

import type { Payout } from '../payouts/payout.ts'

export interface Event {
  readonly id: string
  readonly type: EventType
  readonly environment: Environment
  readonly occurredAt: Date
  readonly subject: Subject
  /** 1, 2, 3 … of its subject. */
  readonly sequence: number
  readonly requestId: string | null
  /** 1, 2, 3 … in its wallet, committed in this order: a reader that goes on from one misses nothing. */
  readonly position: bigint
}

export type Subject = { readonly object: 'payout'; readonly id: string; readonly payout: Payout }
