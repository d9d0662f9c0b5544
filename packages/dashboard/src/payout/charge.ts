import type { PayoutStatus, PayoutTimeline } from '@kestrel/contract'
import { NEVER_PAID } from '@kestrel/contract/payout-status'

import { happened } from './wallet-money.ts'

/** Whether the fee is charged: only for what arrived, and a later return does not undo it. */
export function isCharged(status: PayoutStatus, timeline: Pick<PayoutTimeline, 'data'> | undefined): boolean {
  if (NEVER_PAID.has(status)) return false
  return status !== 'returned' || timeline === undefined || happened(timeline, 'completed')
}
