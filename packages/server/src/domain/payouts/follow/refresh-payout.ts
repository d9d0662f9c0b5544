// Asks the bank about one payout now, for the operator, and records the answer as the worker would.
import { after } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { recordOperatorAction } from '../../activity/record-operator-action.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import { leasePayout, makeDue } from '../../../storage/payout-leases.ts'
import type { Deps } from '../../deps.ts'
import { createPayoutLanes } from '../create/payout-lanes.ts'
import { type FoundPayout, findAnyPayout, readAtBank } from '../read/find-any-payout.ts'
import { followWallet } from './follow-payouts.ts'
import { LEASE_MS } from './kept-leases.ts'
import { isInDoubt } from '../record/in-doubt.ts'
import { onlyIfNews } from '../record/only-if-news.ts'
import { recordNews } from '../record/record-news.ts'

/** The payout before and after. */
export async function refreshPayout(deps: Deps, id: string): Promise<{ before: FoundPayout; after: FoundPayout }> {
  const before = await findAnyPayout(deps, id)
  const { scope, row } = before
  if (isInDoubt(row)) await askAgain(deps, before)
  else {
    const transfer = await readAtBank(deps, row)
    if (transfer !== null) {
      const onlyIf = onlyIfNews(railNamed(deps, row.rail), transfer)
      await recordNews(deps, scope, [{ payoutId: row.id, transfer, ...onlyIf }])
    } else if (row.sendState === 'accepted') {
      throw new AppError('invalid_request', `The bank does not show transfer ${row.transferRef}. Nothing was changed.`)
    }
  }
  await recordOperatorAction(deps, { ...scope, action: 'payout.refresh', detail: row.id })
  return { before, after: await findAnyPayout(deps, id) }
}

/** Takes the payout under a lease, as the worker does, so that nobody asks at the same time. */
async function askAgain(deps: Deps, { scope, row }: FoundPayout): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    const now = deps.clock.now()
    const token = newId(now)
    const leased = await leasePayout(tx, scope, { id: row.id, token, now, until: after(now, LEASE_MS) })
    if (leased === null) throw isBusy(row.id)
    makeDue(tx, scope, { id: row.id, token, now })
  })
  await followWallet({ ...deps, lanes: createPayoutLanes(deps) }, scope, [{ ...scope, id: row.id }])
}

export function isBusy(id: string): AppError {
  return new AppError('invalid_request', `${id} is being looked at this very moment. Try again in half a minute.`)
}
