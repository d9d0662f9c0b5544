// Payouts, newest first, in pages. The cursor is opaque to callers: it names the last payout seen.
import { readCursor, writeCursor } from '../../../core/cursor.ts'
import type { Scope } from '../../../core/scope.ts'
import type { PayoutCriteria } from '../../../storage/payout-criteria.ts'
import { listPayouts as readPage } from '../../../storage/payout-lists.ts'
import type { Deps } from '../../deps.ts'
import type { Payout } from '../payout.ts'

export interface PayoutPage {
  readonly payouts: readonly Payout[]
  readonly nextCursor: string | null
}

export type { PayoutCriteria }

export interface PayoutQuery extends PayoutCriteria {
  readonly cursor: string | null
  readonly limit: number
}

export async function listPayouts(deps: Pick<Deps, 'reports'>, scope: Scope, query: PayoutQuery): Promise<PayoutPage> {
  const { cursor, ...filter } = query
  const place = cursor === null ? null : readCursor(cursor)
  const before = place === null ? null : { createdAt: place.at, id: place.id }
  // One more than asked for tells whether there is another page.
  const rows = await readPage(deps.reports, scope, { ...filter, before, limit: query.limit + 1 })
  const payouts = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? payouts.at(-1) : undefined
  return { payouts, nextCursor: last === undefined ? null : writeCursor(last.createdAt, last.id) }
}
