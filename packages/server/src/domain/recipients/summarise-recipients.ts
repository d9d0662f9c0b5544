// Recent recipients: grouped from the payouts of the last 90 days that are on their way or have arrived.
import { after } from '../../core/clock.ts'
import type { Scope } from '../../core/scope.ts'
import { type RecipientRow, listRecipients } from '../../storage/payout-lists.ts'
import type { Deps } from '../deps.ts'

const WINDOW_MS = 90 * 24 * 60 * 60 * 1_000
const MOST = 200

export function summariseRecipients(deps: Pick<Deps, 'reports' | 'clock'>, scope: Scope): Promise<RecipientRow[]> {
  return listRecipients(deps.reports, scope, after(deps.clock.now(), -WINDOW_MS), MOST)
}
