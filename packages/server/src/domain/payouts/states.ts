// Which status can follow which, by the bank's news and by a person's hand. The database repeats both as its own guard
// (migration 0040).
import { type PayoutStatus, UNDONE } from '@kestrel/contract'

import type { TransferState } from '../../rail/transfer.ts'

/** By the bank's news. */
export const PAYOUT_MOVES = {
  pending: ['processing', 'completed', 'failed', 'cancelled', 'returned'],
  processing: ['completed', 'failed', 'cancelled', 'returned'],
  completed: ['returned'],
  failed: [],
  cancelled: [],
  returned: [],
} as const satisfies Record<PayoutStatus, readonly PayoutStatus[]>

/**
 * By the operator's hand alone: the bank stands by a payment that had ended, and its money has not come back. A partner
 * may have paid again meanwhile, so the bank's word by itself never does it (domain/banking/operator/paid-after-all.ts).
 */
export const MOVES_BY_HAND = {
  pending: [],
  processing: [],
  completed: [],
  failed: ['completed'],
  cancelled: ['completed'],
  returned: ['completed'],
} as const satisfies Record<PayoutStatus, readonly PayoutStatus[]>

export function mayMove(from: PayoutStatus, to: PayoutStatus): boolean {
  return (PAYOUT_MOVES[from] as readonly PayoutStatus[]).includes(to)
}

const STATUS_OF: Record<Exclude<TransferState, 'unknown'>, PayoutStatus> = {
  accepted: 'processing',
  // So begins every order at a bank that draws the wallet next: it is confirmed, and no longer waiting for that.
  awaiting_funds: 'processing',
  in_review: 'processing',
  submitted: 'processing',
  settled: 'completed',
  undeliverable: 'failed',
  returned: 'returned',
  cancelled: 'cancelled',
}

export function statusOf(reported: Exclude<TransferState, 'unknown'>): PayoutStatus {
  return STATUS_OF[reported]
}

/**
 * What a payout becomes when the bank reports this; what the table does not allow changes nothing, and a word that
 * nobody knows does not either. What was completed and is undone has come back, whatever the bank calls it.
 */
export function statusAfter(current: PayoutStatus, reported: TransferState): PayoutStatus {
  if (reported === 'unknown') return current
  const next = current === 'completed' && UNDONE.has(STATUS_OF[reported]) ? 'returned' : STATUS_OF[reported]
  return mayMove(current, next) ? next : current
}
