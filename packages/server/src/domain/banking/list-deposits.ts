import type { Scope } from '../../core/scope.ts'
import { type DepositRow, listDeposits as readDeposits } from '../../storage/deposits.ts'
import type { Deps } from '../deps.ts'

const MOST = 50

export function listDeposits(deps: Pick<Deps, 'db'>, scope: Scope): Promise<DepositRow[]> {
  return readDeposits(deps.db, scope, MOST)
}
