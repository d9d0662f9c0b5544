import type { Payout } from '@kestrel/contract'
import { NEVER_PAID } from '@kestrel/contract/payout-status'

/** Whether the fee is charged: only for what arrived, and a later return does not undo it. */
export function isCharged({ status, completed_at: arrived }: Pick<Payout, 'status' | 'completed_at'>): boolean {
  if (NEVER_PAID.has(status)) return false
  return status !== 'returned' || (arrived ?? null) !== null
}
