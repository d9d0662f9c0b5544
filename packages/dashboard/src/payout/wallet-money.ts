// Where a payout's USDC is. The server knows it by the payout's stage, which the API does not show: partners are told what
// happened. The event `refunded` is on a timeline exactly if the stage has the money back in the wallet, and the server's
// read-timeline.test.ts holds that for every stage.
import type { PayoutEventKind, PayoutStatus, PayoutTimeline } from '@kestrel/contract'
import { UNDONE } from '@kestrel/contract/payout-status'

export type WalletMoney = 'sent' | 'coming back' | 'back'

/** A payout ends and its money comes back at two different times. */
export function whereMoneyIs(status: PayoutStatus, timeline: Pick<PayoutTimeline, 'data'> | undefined): WalletMoney {
  if (!UNDONE.has(status) || timeline === undefined) return 'sent'
  return happened(timeline, 'refunded') ? 'back' : 'coming back'
}

/** Whether the timeline has an event of this kind. */
const happened = ({ data }: Pick<PayoutTimeline, 'data'>, kind: PayoutEventKind) =>
  data.some((event) => event.kind === kind)
