// The audit of the sums that are kept, one wallet at a time.
import type { Environment } from '@kestrel/contract'

import { LOWEST_ID } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { takeTimeAndRoom } from './billing-audit.ts'
import { ROLLUP_CHECKS_OF_WALLET } from './rollup-checks.ts'
import { type Db, type Reports, statement } from './sql.ts'

export interface AuditedWallet extends Scope {
  readonly slug: string
}

export interface RollupBreak {
  readonly check: string
  readonly detail: string
}

/** Where a pass over the wallets begins: before any. */
export const FIRST_WALLET: Scope = { partnerId: LOWEST_ID, environment: 'sandbox' satisfies Environment }

const WALLETS = statement(
  'wallets_after',
  `select w.partner_id as "partnerId", w.environment, p.slug
     from wallets w join partners p on p.id = w.partner_id
    where (w.partner_id, w.environment) > ($1, $2)
    order by w.partner_id, w.environment limit $3`,
)

export function listWalletsAfter(db: Db, { partnerId, environment }: Scope, most: number): Promise<AuditedWallet[]> {
  return db.query<AuditedWallet>(WALLETS, [partnerId, environment, most])
}

/** Each sum is compared with what it counts in one statement, so both are of one moment. */
export function findRollupBreaks(reports: Reports, { partnerId, environment }: Scope): Promise<RollupBreak[]> {
  return reports.inTransaction(async (tx) => {
    takeTimeAndRoom(tx)
    const breaks: RollupBreak[] = []
    for (const [check, text] of Object.entries(ROLLUP_CHECKS_OF_WALLET)) {
      const rows = await tx.query<{ detail: string }>(statement('', text), [partnerId, environment])
      breaks.push(...rows.map(({ detail }) => ({ check, detail })))
    }
    return breaks
  })
}
