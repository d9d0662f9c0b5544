import type { Environment } from '@kestrel/contract'

import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface DepositRow {
  readonly depositRef: string
  readonly source: 'bank' | 'chain'
  readonly amount: MicroUsdc
  readonly receivedAt: Date
  readonly creditedAt: Date
}

const KEEP = statement(
  'keep_deposit',
  `insert into deposits (partner_id, environment, deposit_ref, source, amount_micro, received_at, credited_at,
     cause, has_claimed)
   values ($1, $2, $3, $4, $5, $6, $7, $8, true) on conflict do nothing returning 1 as kept`,
)

/**
 * False when the deposit is known already, as this partner's or another's; its money is in the ledger then. `cause` is
 * its entry's.
 */
export async function keepDeposit(tx: Tx, scope: Scope, deposit: DepositRow, cause: string): Promise<boolean> {
  const { depositRef, source, amount, receivedAt, creditedAt } = deposit
  const values = [scope.partnerId, scope.environment, depositRef, source, amount, receivedAt, creditedAt, cause]
  return (await tx.query(KEEP, values)).length === 1
}

const CREDITED = statement(
  'credited_deposits',
  `select partner_id as "partnerId", deposit_ref as "depositRef", source, amount_micro as amount
     from deposits where environment = $1 and deposit_ref = any($2)`,
)

export interface CreditedDeposit {
  readonly partnerId: string
  readonly depositRef: string
  readonly source: 'bank' | 'chain'
  readonly amount: MicroUsdc
}

/** Those of the bank's deposits that are in the ledger already, whoever was credited, by their ids. */
export async function findCreditedDeposits(
  db: Db,
  environment: Environment,
  refs: readonly string[],
): Promise<ReadonlyMap<string, CreditedDeposit>> {
  if (refs.length === 0) return new Map()
  const rows = await db.query<CreditedDeposit>(CREDITED, [environment, refs])
  return new Map(rows.map((row) => [row.depositRef, row]))
}

const LIST = statement(
  'list_deposits',
  `select deposit_ref as "depositRef", source, amount_micro as amount, received_at as "receivedAt",
          credited_at as "creditedAt"
     from deposits where partner_id = $1 and environment = $2 order by received_at desc, deposit_ref limit $3`,
)

export function listDeposits(db: Db, scope: Scope, most: number): Promise<DepositRow[]> {
  return db.query<DepositRow>(LIST, [scope.partnerId, scope.environment, most])
}
