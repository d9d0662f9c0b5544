import type { PayoutEventKind, PayoutStatus, PayoutTimeline } from '@kestrel/contract'
import { UNDONE } from '@kestrel/contract/payout-status'

export type WalletMoney = 'sent' | 'coming back' | 'back'

/** Where the wallet's money is. A payout ends and its money comes back at two different times. */
export function whereMoneyIs(
  status: PayoutStatus,
  timeline: Pick<PayoutTimeline, 'data' | 'next'> | undefined,
): WalletMoney {
  if (!UNDONE.has(status) || timeline === undefined) return 'sent'
  if (happened(timeline, 'refunded')) return 'back'
  return timeline.next === null ? 'sent' : 'coming back'
}

/** Whether the timeline has an event of this kind. */
export const happened = ({ data }: Pick<PayoutTimeline, 'data'>, kind: PayoutEventKind) =>
  data.some((event) => event.kind === kind)
