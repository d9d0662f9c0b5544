// The answers to payouts that were not reserved because of their API key, of a pause or of a spending limit. Each returns if its
// reason is gone since: the payout is then asked for again.
import { AppError } from '../../../core/errors.ts'
import type { Pence } from '../../../core/money.ts'
import { workingKeys } from '../../../storage/api-keys.ts'
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

const STOPPED = 'This API key has been revoked or has expired. Nothing was paid. Create another in the dashboard.'

/** Its expiry may have been put off. */
export async function refuseWithoutKey(
  deps: Pick<Deps, 'db' | 'clock'>,
  { terms, keyId }: { readonly terms: QuoteTerms; readonly keyId: string | null },
): Promise<void> {
  const working = await workingKeys(deps.db.lookup, terms.partnerId, keyId === null ? [] : [keyId], deps.clock.now())
  if (working.size === 0) throw new AppError('unauthorized', STOPPED)
}

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
