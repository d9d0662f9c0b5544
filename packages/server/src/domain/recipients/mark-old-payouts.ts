// Payouts from before recipients were marked get their marks one batch after the other, until none is left.
import { markPayouts, takeUnmarkedPayouts } from '../../storage/payout-recipients-due.ts'
import type { Deps } from '../deps.ts'
import { openRecipient } from '../payouts/payout-request.ts'
import { recipientMarks } from '../payouts/recipient-marks.ts'

/** Opening a recipient costs microseconds; a batch is over before anybody waits for it. */
const BATCH = 500

/** Whether there may be more. */
export function markOldPayouts(deps: Pick<Deps, 'db' | 'secrets'>): Promise<boolean> {
  return deps.db.inTransaction(async (tx) => {
    const payouts = await takeUnmarkedPayouts(tx, BATCH)
    const marked = payouts.map((payout) => {
      const recipient = openRecipient(deps.secrets, payout.recipientSealed, payout.id)
      return { payout, ...recipientMarks(deps.secrets, recipient) }
    })
    if (marked.length > 0) markPayouts(tx, marked)
    return payouts.length === BATCH
  })
}
