// What a wallet can still pay out. The figure is the ledger's; the bank's wallet is compared with it, not trusted.
import { type MicroUsdc, type Pence } from '../../core/money.ts'
import type { Plan } from '../../core/plan.ts'
import type { RailName } from '../../core/rail-name.ts'
import { type Rate, approximatePence } from '../../core/rate.ts'
import type { Scope } from '../../core/scope.ts'
import { type WalletAccounts, readAvailable, readWalletAccounts as readAccounts } from '../../storage/ledger.ts'
import type { Deps } from '../deps.ts'
import { type Runway, readPace, runwayOf } from './runway.ts'

export interface WalletBalance {
  readonly available: MicroUsdc
  readonly approximately: Pence
  readonly rate: Rate
  readonly runway: Runway | null
}

export async function readBalance(deps: Deps, wallet: Scope & { rail: RailName; plan: Plan }): Promise<WalletBalance> {
  const [available, rate, pace] = await Promise.all([
    readAvailable(deps.db.lookup, wallet),
    deps.rates.forShowing(wallet.rail),
    readPace(deps.db.lookup, wallet, deps.clock.now()),
  ])
  const approximately = approximatePence(available, rate)
  return { available, approximately, rate, runway: runwayOf({ approximately, rate, plan: wallet.plan }, pace) }
}

/** For the operator: where all of a wallet's money is. */
export function readWalletAccounts(deps: Pick<Deps, 'db'>, scope: Scope): Promise<WalletAccounts> {
  return readAccounts(deps.db, scope)
}
