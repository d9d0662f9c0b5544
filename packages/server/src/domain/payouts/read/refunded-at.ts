import type { Payout } from '../payout.ts'

/** When the money was back. A program that did not keep the moment wrote the payout for the last time then. */
export function refundedAt(payout: Pick<Payout, 'refundState' | 'refundedAt' | 'updatedAt'>): Date | null {
  return payout.refundedAt ?? (payout.refundState === 'done' ? payout.updatedAt : null)
}
