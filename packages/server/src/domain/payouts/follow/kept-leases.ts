// The leases of payouts that the bank is being asked about. A slow bank may take longer over its list than a lease lasts, so they are
// renewed meanwhile: two workers would take the payouts from each other else, and neither could record anything. And before an order is
// sent once more, the database is asked whether the payout is still ours: another may have ended it, and its money is back.
import { after } from '../../../core/clock.ts'
import type { Scope } from '../../../core/scope.ts'
import { renewLeases } from '../../../storage/payout-leases.ts'
import type { Deps } from '../../deps.ts'
import type { Claimed } from './unrecorded.ts'

export const LEASE_MS = 30_000
export const RENEWED_EVERY_MS = 10_000
/** Ten minutes together: a list without an end must not keep a payout from everybody. */
export const MOST_RENEWALS = 60

type LeaseDeps = Pick<Deps, 'db' | 'clock'>

/** Renews the leases for as long as the work takes. */
export async function keepingLeases<T>(
  deps: LeaseDeps,
  scope: Scope,
  { rows, leaseToken }: Claimed,
  work: () => Promise<T>,
): Promise<T> {
  const ids = rows.map(({ id }) => id)
  let left = MOST_RENEWALS
  const timer = setInterval(() => {
    // A renewal that fails is no loss while the next one comes in time.
    if (left-- > 0) renew(deps, scope, { ids, leaseToken }).catch(() => undefined)
  }, RENEWED_EVERY_MS)
  timer.unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** Whether the payout is still ours, and stays so for as long as an order and its record take. What cannot be asked is not. */
export function isStillOurs(
  deps: LeaseDeps,
  scope: Scope,
  { id, leaseToken }: { id: string; leaseToken: string },
): Promise<boolean> {
  return renew(deps, scope, { ids: [id], leaseToken }).then(
    (renewed) => renewed === 1,
    () => false,
  )
}

function renew(
  { db, clock }: LeaseDeps,
  scope: Scope,
  held: { ids: readonly string[]; leaseToken: string },
): Promise<number> {
  return renewLeases(db, scope, { ...held, until: after(clock.now(), LEASE_MS) })
}
