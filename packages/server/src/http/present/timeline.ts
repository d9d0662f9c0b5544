import type { PayoutEvent, PayoutTimeline } from '@kestrel/contract'

import { formatPence, formatUsdcSent } from '../../core/money.ts'
import type { Timeline, TimelineEvent } from '../../domain/payouts/read/read-timeline.ts'
import { rateTextAsNumber } from './rate.ts'

export function presentTimeline({ payout, events, isCancellable, next }: Timeline): PayoutTimeline {
  return {
    object: 'list',
    data: events.map(presentEvent),
    quote: {
      gbp_per_usd: rateTextAsNumber(payout.gbpPerUsd),
      fee_in_transfer_gbp: formatPence(payout.feeInTransfer),
      fee_on_invoice_gbp: formatPence(payout.feeOnInvoice),
    },
    idempotency_key: payout.idempotencyKey,
    is_cancellable: isCancellable,
    next,
  }
}

function presentEvent(event: TimelineEvent): PayoutEvent {
  return {
    at: event.at.toISOString(),
    kind: event.kind,
    by: event.by,
    usdc: event.usdc === null ? null : formatUsdcSent(event.usdc),
    detail: event.detail,
  }
}
