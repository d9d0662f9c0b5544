import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface OperatorMovement {
  readonly reference: string
  readonly kind: 'credit' | 'debit'
  readonly amount: MicroUsdc
  readonly reason: string
}

export interface KeptMovement extends OperatorMovement {
  /** What the wallet held right after it; null while the bank has not confirmed it. */
  readonly balance: MicroUsdc | null
}

const KEEP = statement(
  'keep_operator_movement',
  `insert into operator_movements (partner_id, environment, reference, kind, amount_micro, reason, at)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning 1 as kept`,
)

/** False when there is one under this reference already. */
export async function keepMovement(tx: Tx, scope: Scope, movement: OperatorMovement, at: Date): Promise<boolean> {
  const { reference, kind, amount, reason } = movement
  const values = [scope.partnerId, scope.environment, reference, kind, amount, reason, at]
  return (await tx.query(KEEP, values)).length === 1
}

const FIND = statement(
  'find_operator_movement',
  `select reference, kind, amount_micro as amount, reason, balance_micro as balance from operator_movements
    where partner_id = $1 and environment = $2 and reference = $3`,
)

export async function findMovement(db: Db, scope: Scope, reference: string): Promise<KeptMovement | null> {
  return (await db.query<KeptMovement>(FIND, [scope.partnerId, scope.environment, reference]))[0] ?? null
}

const SETTLE = statement(
  'settle_operator_movement',
  `update operator_movements set settled_at = $4, balance_micro = $5
    where partner_id = $1 and environment = $2 and reference = $3 and settled_at is null returning 1 as settled`,
)

/** False when somebody else has done so meanwhile. */
export async function settleMovement(
  tx: Tx,
  scope: Scope,
  settled: { reference: string; balance: MicroUsdc; at: Date },
): Promise<boolean> {
  const { reference, balance, at } = settled
  return (await tx.query(SETTLE, [scope.partnerId, scope.environment, reference, at, balance])).length === 1
}
