// Reads what changed at the bank since the last time, whole pages at once: with this alone every payout ends right,
// only later. Its cost grows with what changed, not with what waits.
import type { Environment } from '@kestrel/contract'

import { after } from '../../core/clock.ts'
import type { ListedTransfer } from '../../rail/rail.ts'
import type { Deps } from '../deps.ts'
import { applyTransfers, providerRail } from './apply-transfers.ts'
import { readFeed } from './read-feed.ts'

/** How many were read; null while somebody else reads. */
export function sweepTransfers(deps: Deps, environment: Environment): Promise<number | null> {
  const rail = deps.rails[providerRail(environment)]
  return readFeed(deps, environment, 'transfers', {
    // A new installation has nothing older than itself to catch up on.
    startFrom: after(deps.clock.now(), -60_000),
    page: async (since, cursor) => {
      const { transfers, next } = await rail.listTransfers(since, cursor)
      return { items: transfers, next }
    },
    updatedAt: (transfer: ListedTransfer) => transfer.updatedAt,
    apply: async (transfers) => {
      await applyTransfers(deps, environment, transfers)
      return []
    },
  })
}
