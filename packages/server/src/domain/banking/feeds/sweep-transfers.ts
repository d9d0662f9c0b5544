// Reads what changed at the bank since the last time, page by page. Even without webhooks this alone ends every payout
// right, only later. Its cost grows with what changed, not with what waits.
import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import type { ListedTransfer, UnreadTransfer } from '../../../rail/transfer.ts'
import { railOfBank } from '../../../rail/which-rail.ts'
import type { Deps } from '../../deps.ts'
import { transfersApplier } from './apply-transfers.ts'
import { type Feed, readFeed } from './read-feed.ts'
import type { Unsettled } from './unsettled-rows.ts'

/** An hour of a busy bank's transfers is many pages, so the wide overlap is not read each time. */
const WIDE_EVERY_MS = 5 * 60_000

export interface SweepOptions {
  /** `whole`: from the beginning, if that is due. */
  readonly depth?: 'recent' | 'whole'
}

/** Returns how many were read; null while another process reads. */
export function sweepTransfers(
  deps: Deps,
  environment: Environment,
  { depth }: SweepOptions = {},
): Promise<number | null> {
  return readFeed(deps, environment, transfersFeed(deps, environment), depth)
}

export function cannotBeRead(environment: Environment): (row: UnreadTransfer) => Unsettled {
  return ({ transferRef, clientReference, why }) => ({
    ref: transferRef,
    reason: 'unreadable',
    state: null,
    alarm: { what: 'a transfer cannot be read', about: { environment, transferRef, payoutId: clientReference, why } },
  })
}

function transfersFeed(deps: Deps, environment: Environment): Feed<ListedTransfer> {
  const rail = railOfBank(deps, environment)
  return {
    name: 'transfers',
    // A new installation has nothing older than itself to catch up on.
    startFrom: after(deps.clock.now(), -60_000),
    wideEveryMs: WIDE_EVERY_MS,
    page: async (since, cursor) => {
      const { transfers, unread, next } = await rail.listTransfers(since, cursor)
      return { items: transfers, unread: unread.map(cannotBeRead(environment)), next }
    },
    updatedAt: (transfer) => transfer.updatedAt,
    refOf: (transfer) => transfer.transferRef,
    apply: transfersApplier(deps, environment),
  }
}
