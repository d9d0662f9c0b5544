// Which status can follow which. One table; the database repeats it as its own guard (migration 0003).
import type { PayoutStatus } from '@kestrel/contract'

import type { TransferState } from '../../rail/rail.ts'

export const PAYOUT_MOVES = {
  pending: ['processing', 'completed', 'failed', 'cancelled', 'returned'],
  processing: ['completed', 'failed', 'cancelled', 'returned'],
  completed: ['returned'],
  failed: [],
  cancelled: [],
  returned: [],
} as const satisfies Record<PayoutStatus, readonly PayoutStatus[]>

export function mayMove(from: PayoutStatus, to: PayoutStatus): boolean {
  return (PAYOUT_MOVES[from] as readonly PayoutStatus[]).includes(to)
}

const STATUS_OF: Record<TransferState, PayoutStatus> = {
  accepted: 'processing',
  // The bank has the order but not the money: to the partner it is still waiting for the bank.
  awaiting_funds: 'pending',
  in_review: 'processing',
  submitted: 'processing',
  settled: 'completed',
  undeliverable: 'failed',
  returned: 'returned',
  cancelled: 'cancelled',
}

/** What a payout becomes when the bank reports this; what the table does not allow changes nothing. */
export function statusAfter(current: PayoutStatus, reported: TransferState): PayoutStatus {
  const next = STATUS_OF[reported]
  return mayMove(current, next) ? next : current
}
