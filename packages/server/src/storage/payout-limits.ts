// The smallest and the largest payout of each account. Requests read them with the caller, so a change counts at once.
import type { Environment } from '@kestrel/contract'

import type { Pence } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface LimitsRow {
  readonly environment: Environment
  readonly smallestPayout: Pence
  readonly largestPayout: Pence
}

const LIST = statement(
  'list_payout_limits',
  `select environment, smallest_payout_pence as "smallestPayout", largest_payout_pence as "largestPayout"
     from wallets where partner_id = $1 order by environment`,
)

/** The limits of the partner's accounts, sandbox first. */
export function listPayoutLimits(db: Db, partnerId: string): Promise<LimitsRow[]> {
  return db.query<LimitsRow>(LIST, [partnerId])
}

const SET = statement(
  'set_payout_limits',
  `update wallets set smallest_payout_pence = $3, largest_payout_pence = $4
    where partner_id = $1 and environment = $2`,
)

export function setPayoutLimits(tx: Tx, scope: Scope, limits: Omit<LimitsRow, 'environment'>): void {
  tx.defer(SET, [scope.partnerId, scope.environment, limits.smallestPayout, limits.largestPayout])
}
