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
     cause)
   values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning 1 as kept`,
)

/** False when the deposit is known already; its money is in the ledger then. `cause` is its entry's. */
export async function keepDeposit(tx: Tx, scope: Scope, deposit: DepositRow, cause: string): Promise<boolean> {
  const { depositRef, source, amount, receivedAt, creditedAt } = deposit
  const values = [scope.partnerId, scope.environment, depositRef, source, amount, receivedAt, creditedAt, cause]
  return (await tx.query(KEEP, values)).length === 1
}

const KNOWN = statement(
  'known_deposits',
  `select d.partner_id as "partnerId", d.deposit_ref as "depositRef"
     from unnest($2::uuid[], $3::text[]) as asked (partner_id, deposit_ref)
     join deposits d on d.partner_id = asked.partner_id and d.environment = $1 and d.deposit_ref = asked.deposit_ref`,
)

/** Those that are in the ledger already, as `partner deposit`. */
export async function findKnownDeposits(
  db: Db,
  environment: Environment,
  asked: readonly { partnerId: string; depositRef: string }[],
): Promise<ReadonlySet<string>> {
  if (asked.length === 0) return new Set()
  const [partnerIds, refs] = [asked.map((each) => each.partnerId), asked.map((each) => each.depositRef)]
  const rows = await db.query<{ partnerId: string; depositRef: string }>(KNOWN, [environment, partnerIds, refs])
  return new Set(rows.map((row) => `${row.partnerId} ${row.depositRef}`))
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
