// What became of a payout's money: whether its fee is charged, and where the wallet's money is.
import type { PayoutEventKind, PayoutStatus, PayoutTimeline } from '@kestrel/contract'

/** Only completed payouts are charged, and a later return does not undo it. */
export function isCharged(status: PayoutStatus, timeline: Pick<PayoutTimeline, 'data'> | undefined): boolean {
  if (status === 'failed' || status === 'cancelled') return false
  return status !== 'returned' || timeline === undefined || has(timeline, 'completed')
}

export type WalletMoney = 'sent' | 'coming back' | 'back'

const ENDED: ReadonlySet<PayoutStatus> = new Set(['failed', 'cancelled', 'returned'])

/** The end of a payout and the return of its money are two events, with time between them. */
export function whereMoneyIs(
  status: PayoutStatus,
  timeline: Pick<PayoutTimeline, 'data' | 'next'> | undefined,
): WalletMoney {
  if (!ENDED.has(status) || timeline === undefined) return 'sent'
  if (has(timeline, 'refunded')) return 'back'
  return timeline.next === null ? 'sent' : 'coming back'
}

const has = ({ data }: Pick<PayoutTimeline, 'data'>, kind: PayoutEventKind) => data.some((event) => event.kind === kind)
