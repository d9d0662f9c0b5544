// What a partner pays. Prices are data: each partner has its own plan, and the price list is the default one.
import type { Pence } from './money.ts'
import { pence } from './money.ts'

export interface Plan {
  readonly payoutFixed: Pence
  /** Hundredths of a percent. */
  readonly payoutBasisPoints: bigint
  readonly bankFixed: Pence
  readonly bankBasisPoints: bigint
  readonly monthlyAccount: Pence
  readonly businessVerification: Pence
}

/** The price list (spec, part 1). The bank's share is not in it; see docs/decisions on fees. */
export const DEFAULT_PLAN: Plan = {
  payoutFixed: pence(99n),
  payoutBasisPoints: 100n,
  bankFixed: pence(20n),
  bankBasisPoints: 50n,
  monthlyAccount: pence(15_00n),
  businessVerification: pence(39_00n),
}
