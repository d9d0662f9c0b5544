// The answers to payouts that were not reserved because of a pause or of a spending limit. Each returns if its reason is gone
// since: the payout is then asked for again.
import type { Pence } from '../../../core/money.ts'
import { findPause } from '../../../storage/payout-pause.ts'
import { listSpending } from '../../../storage/spending-limits.ts'
import type { Deps } from '../../deps.ts'
import { payoutsPaused } from '../../partners/pause-payouts.ts'
import type { QuoteTerms } from '../../quotes/quote.ts'
import { limitReached } from '../../spending/limit-reached.ts'

interface Refused {
  readonly terms: QuoteTerms
  readonly createdVia: 'api' | 'dashboard'
  readonly spender: { readonly id: string }
}

const seenBy = ({ createdVia }: Refused) => (createdVia === 'api' ? 'key' : 'member')

export async function refuseWhilePaused(deps: Pick<Deps, 'db'>, refused: Refused): Promise<void> {
  const pause = await findPause(deps.db.lookup, refused.terms)
  if (pause !== null) throw payoutsPaused(pause, refused.terms.environment, seenBy(refused))
}

/** Another payout may have given its room back. */
export async function refuseOverLimit(
  deps: Pick<Deps, 'db' | 'clock'>,
  refused: Refused,
  amount: Pence,
): Promise<void> {
  const now = deps.clock.now()
  const [spending = null] = await listSpending(deps.db.lookup, refused.terms, [refused.spender.id], now)
  const refusal = limitReached(amount, spending, { now, who: seenBy(refused) })
  if (refusal !== null) throw refusal
}
