import type { Scope } from '../../../core/scope.ts'
import type { PayoutCriteria, PayoutPlace } from '../../../storage/payout-criteria.ts'
import { listPayouts } from '../../../storage/payout-lists.ts'
import type { Deps } from '../../deps.ts'
import type { Payout } from '../payout.ts'

export const EXPORT_PAGE = 1_000

/**
 * Every payout that fits a filter, newest first. The next page is read when it is needed, so neither memory nor a
 * connection is held for longer than one page takes, however many payouts there are.
 */
export async function* payoutPages(
  deps: Pick<Deps, 'reports'>,
  scope: Scope,
  criteria: PayoutCriteria,
): AsyncGenerator<readonly Payout[], void, undefined> {
  let before: PayoutPlace | null = null
  for (;;) {
    const page: readonly Payout[] = await listPayouts(deps.reports, scope, {
      ...criteria,
      before,
      limit: EXPORT_PAGE,
    })
    yield page
    if (page.length < EXPORT_PAGE) return
    before = page.at(-1)!
  }
}
