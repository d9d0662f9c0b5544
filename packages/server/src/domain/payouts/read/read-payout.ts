import { notFound } from '../../../core/errors.ts'
import { isUuid } from '../../../core/ids.ts'
import type { Scope } from '../../../core/scope.ts'
import { findPayout } from '../../../storage/payouts.ts'
import type { Deps } from '../../deps.ts'
import type { Payout } from '../payout.ts'

/** A payout of this partner and environment. Absent, foreign and malformed ids all give the same 404. */
export async function readPayout(deps: Pick<Deps, 'db'>, scope: Scope, id: string): Promise<Payout> {
  const wanted = id.toLowerCase()
  const payout = isUuid(wanted) ? await findPayout(deps.db.lookup, scope, wanted) : null
  if (payout === null) throw notFound()
  return payout
}
