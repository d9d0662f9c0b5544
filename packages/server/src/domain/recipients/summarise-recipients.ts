// Recent recipients: grouped from the newest payouts of the last 90 days that are on their way or have arrived.
import { after } from '../../core/clock.ts'
import type { Scope } from '../../core/scope.ts'
import { type RecipientRow, listRecipients } from '../../storage/payout-lists.ts'
import type { Deps } from '../deps.ts'

const WINDOW_MS = 90 * 24 * 60 * 60 * 1_000
const MOST = 200
// All of them for most businesses. One that pays more would wait the longer for its list, the more it pays.
const NEWEST_PAYOUTS = 10_000

export function summariseRecipients(deps: Pick<Deps, 'reports' | 'clock'>, scope: Scope): Promise<RecipientRow[]> {
  const since = after(deps.clock.now(), -WINDOW_MS)
  return listRecipients(deps.reports, scope, { since, payouts: NEWEST_PAYOUTS, most: MOST })
}
