import type { Environment } from '@kestrel/contract'

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
  /** What the wallet held right after the movement; null until the bank has confirmed it. */
  readonly balance: MicroUsdc | null
  readonly at: Date
}

const KEEP = statement(
  'keep_operator_movement',
  `insert into operator_movements (partner_id, environment, reference, kind, amount_micro, reason, at)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning 1 as kept`,
)

/** False when this reference is taken. */
export async function keepMovement(tx: Tx, scope: Scope, movement: OperatorMovement, at: Date): Promise<boolean> {
  const { reference, kind, amount, reason } = movement
  const values = [scope.partnerId, scope.environment, reference, kind, amount, reason, at]
  return (await tx.query(KEEP, values)).length === 1
}

const FIND = statement(
  'find_operator_movement',
  `select reference, kind, amount_micro as amount, reason, balance_micro as balance, at
     from operator_movements
    where partner_id = $1 and environment = $2 and reference = $3`,
)

export async function findMovement(db: Db, scope: Scope, reference: string): Promise<KeptMovement | null> {
  return (await db.query<KeptMovement>(FIND, [scope.partnerId, scope.environment, reference]))[0] ?? null
}

const BEGUN = statement(
  'begun_movement',
  `select reference, kind, amount_micro as amount, reason, balance_micro as balance, at
     from operator_movements
    where partner_id = $1 and environment = $2 and starts_with(reference, $3::text) and settled_at is null
    order by at limit 1`,
)

/** The oldest under this kind of reference that has been begun and not ended. */
export async function findBegunMovement(db: Db, scope: Scope, start: string): Promise<KeptMovement | null> {
  return (await db.query<KeptMovement>(BEGUN, [scope.partnerId, scope.environment, start]))[0] ?? null
}

const SETTLE = statement(
  'settle_operator_movement',
  `update operator_movements set settled_at = $4, balance_micro = $5
    where partner_id = $1 and environment = $2 and reference = $3 and settled_at is null returning 1 as settled`,
)

/** False when another process has settled it meanwhile. */
export async function settleMovement(
  tx: Tx,
  scope: Scope,
  settled: { reference: string; balance: MicroUsdc; at: Date },
): Promise<boolean> {
  const { reference, balance, at } = settled
  return (await tx.query(SETTLE, [scope.partnerId, scope.environment, reference, at, balance])).length === 1
}

export interface AnsweredTransfer {
  readonly holderRef: string
  /** `transfer:` and the bank's id, or `payout:` and ours. */
  readonly reference: string
  readonly amount: MicroUsdc
}

const ANSWERS = statement(
  'answered_transfers',
  `select w.customer_ref as "holderRef", m.reference, m.amount_micro as amount
     from wallets w join operator_movements m on m.partner_id = w.partner_id and m.environment = w.environment
    where w.environment = $1 and m.kind = 'debit' and m.settled_at is not null and w.customer_ref is not null
      and (m.reference like 'transfer:%' or m.reference like 'payout:%')`,
)

/** What operators took out of wallets' books because the bank has sent it: as many rows as operators have typed. */
export function listAnsweredTransfers(db: Db, environment: Environment): Promise<AnsweredTransfer[]> {
  return db.query<AnsweredTransfer>(ANSWERS, [environment])
}
