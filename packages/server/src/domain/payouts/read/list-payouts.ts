// Payouts, newest first, in pages. The cursor is opaque to callers: it names the last payout seen, or looked at.
import { readCursor, writeCursor } from '../../../core/cursor.ts'
import type { Scope } from '../../../core/scope.ts'
import { type PayoutCriteria, looksThrough } from '../../../storage/payout-criteria.ts'
import { findPlaceAfter, listVersions, listPayouts as readPage, versionsOf } from '../../../storage/payout-lists.ts'
import type { Deps } from '../../deps.ts'
import type { Payout } from '../payout.ts'

export interface PayoutPage {
  readonly payouts: readonly Payout[]
  readonly nextCursor: string | null
  /** The same for as long as the page is; null where nothing tells. */
  readonly version: string | null
}

export type { PayoutCriteria }

export interface PayoutQuery extends PayoutCriteria {
  readonly cursor: string | null
  readonly limit: number
}

/**
 * How many payouts a page is looked for in, where they are passed over one by one. What is further back is on the next page:
 * a search without a match costs the same however many payouts there are.
 */
export const LOOKED_THROUGH = 10_000

export async function listPayouts(deps: Pick<Deps, 'reports'>, scope: Scope, query: PayoutQuery): Promise<PayoutPage> {
  const { criteria, limit, before } = pageOf(query)
  const others = LOOKED_THROUGH - 1
  const downTo = looksThrough(criteria) ? await findPlaceAfter(deps.reports, scope, criteria, { before, others }) : null
  // One more than asked for tells whether there is another page.
  const rows = await readPage(deps.reports, scope, { ...criteria, before, downTo, limit: limit + 1 })
  const payouts = rows.slice(0, limit)
  const last = rows.length > limit ? payouts.at(-1)! : downTo
  const nextCursor = last === null ? null : writeCursor(last.createdAt, last.id)
  return { payouts, nextCursor, version: looksThrough(criteria) ? null : versionsOf(rows) }
}

/** The version that the page has now, for less than it costs to read; null where nothing tells. */
export async function readPageVersion(
  deps: Pick<Deps, 'reports'>,
  scope: Scope,
  query: PayoutQuery,
): Promise<string | null> {
  const { criteria, limit, before } = pageOf(query)
  if (looksThrough(criteria)) return null
  return listVersions(deps.reports, scope, { ...criteria, before, downTo: null, limit: limit + 1 })
}

function pageOf({ cursor, limit, ...criteria }: PayoutQuery) {
  const place = cursor === null ? null : readCursor(cursor)
  return { criteria, limit, before: place === null ? null : { createdAt: place.at, id: place.id } }
}
