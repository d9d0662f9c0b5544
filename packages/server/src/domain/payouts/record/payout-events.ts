// What a decision about a payout means to the partner, as events. A payout that nobody sees has none.
import type { PayoutChange } from '../../../storage/payout-records.ts'
import type { PayoutEvent, PayoutEventType } from '../../../storage/payout-events.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'

interface Change {
  readonly row: FollowedPayout
  readonly decision: { readonly change: PayoutChange }
  readonly requestId?: string | undefined
}

/**
 * A payout that is seen for the first time was created, and has a status. Each later status is an event, and so is that the
 * money is back.
 */
export function eventsOf({ row, decision: { change }, requestId }: Change): PayoutEvent[] {
  if (change.surfacedAt === null) return []
  const isNew = row.surfacedAt === null
  const types: PayoutEventType[] = [
    ...(isNew ? (['payout.created'] as const) : []),
    ...(isNew || change.status !== row.status ? ([`payout.${change.status}`] as const) : []),
    ...(change.refundState === 'done' && row.refundState !== 'done' ? (['payout.refunded'] as const) : []),
  ]
  return types.map((type) => ({ partnerId: row.partnerId, payoutId: row.id, type, requestId: requestId ?? null }))
}
