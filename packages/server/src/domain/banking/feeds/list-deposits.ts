import type { Scope } from '../../../core/scope.ts'
import { type DepositRow, listDeposits as readDeposits } from '../../../storage/deposits.ts'
import { type TopUpRow, listTopUps as readTopUps } from '../../../storage/top-ups.ts'
import type { Deps } from '../../deps.ts'

const MOST = 50

export function listDeposits(deps: Pick<Deps, 'db'>, scope: Scope): Promise<DepositRow[]> {
  return readDeposits(deps.db, scope, MOST)
}

/** The same, with everything else that was put into the wallet. */
export function listTopUps(deps: Pick<Deps, 'db'>, scope: Scope): Promise<TopUpRow[]> {
  return readTopUps(deps.db, scope, MOST)
}
