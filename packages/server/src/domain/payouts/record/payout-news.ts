// What a decision about a payout means to the partner, as events. A payout that nobody sees has none.
import type { PayoutChange } from '../../../storage/payout-records.ts'
import type { PayoutNews } from '../../../storage/payout-events.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'

interface Change {
  readonly row: FollowedPayout
  readonly decision: { readonly change: PayoutChange }
  readonly requestId?: string | undefined
}

const NO_NEWS: PayoutNews = { isCreated: false, hasNewStatus: false, isRefunded: false, requestId: null }

/**
 * A payout that is seen for the first time was created, and has a status. Each later status is an event, and so is that the
 * money is back.
 */
export function newsOf({ row, decision: { change }, requestId }: Change): PayoutNews {
  if (change.surfacedAt === null) return NO_NEWS
  const isCreated = row.surfacedAt === null
  return {
    isCreated,
    hasNewStatus: isCreated || change.status !== row.status,
    isRefunded: change.refundState === 'done' && row.refundState !== 'done',
    requestId: requestId ?? null,
  }
}
