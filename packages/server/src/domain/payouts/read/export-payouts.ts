import type { Scope } from '../../../core/scope.ts'
import {
  type PayoutCriteria,
  type PayoutPlace,
  type PayoutStretch,
  looksThrough,
} from '../../../storage/payout-criteria.ts'
import { findPlaceAfter, listPayouts } from '../../../storage/payout-lists.ts'
import type { Deps } from '../../deps.ts'
import { EXPORT_PAGE } from '../../export-page.ts'
import type { Payout } from '../payout.ts'

/** How many payouts one statement passes over at most, so that none takes as long as it may, whatever fits. */
const LOOKED_THROUGH = 100_000

/**
 * Every payout that fits a filter, newest first. The next page is read when it is needed, so neither memory nor a
 * connection is held for longer than one page takes, however many payouts there are.
 */
export async function* payoutPages(
  deps: Pick<Deps, 'reports'>,
  scope: Scope,
  criteria: PayoutCriteria,
): AsyncGenerator<readonly Payout[], void, undefined> {
  const others = LOOKED_THROUGH - 1
  let before: PayoutPlace | null = null
  for (;;) {
    const downTo: PayoutPlace | null = looksThrough(criteria)
      ? await findPlaceAfter(deps.reports, scope, criteria, { before, others })
      : null
    yield* pagesOf(deps, scope, criteria, { before, downTo })
    if (downTo === null) return
    before = downTo
  }
}

async function* pagesOf(
  deps: Pick<Deps, 'reports'>,
  scope: Scope,
  criteria: PayoutCriteria,
  { before, downTo }: PayoutStretch,
): AsyncGenerator<readonly Payout[], void, undefined> {
  let last = before
  for (;;) {
    const filter = { ...criteria, before: last, downTo, limit: EXPORT_PAGE }
    const page: readonly Payout[] = await listPayouts(deps.reports, scope, filter)
    yield page
    if (page.length < EXPORT_PAGE) return
    last = page.at(-1)!
  }
}
