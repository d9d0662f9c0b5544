import type { Scope } from '../../src/core/scope.ts'
import type { Deps } from '../../src/domain/deps.ts'
import type { Reservation } from '../../src/domain/payouts/create/reservation.ts'
import { reservePayouts } from '../../src/domain/payouts/create/reserve-payouts.ts'
import type { NewPayout } from '../../src/storage/payout-reservations.ts'

/** A batch of one wallet. */
export function reserveIn(
  deps: Pick<Deps, 'db' | 'clock'>,
  { partnerId, environment }: Scope,
  payouts: readonly NewPayout[],
): Promise<Reservation[]> {
  const asked = payouts.map((payout) => ({ partnerId, payout }))
  return reservePayouts(deps, environment, asked)
}
