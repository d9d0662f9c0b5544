// What the operator's own wallet at a bank should hold: what payouts left over, and what the operator moved itself.
import type { Environment } from '@kestrel/contract'

import type { MicroUsdc } from '../core/money.ts'
import { type Db, type Tx, statement } from './sql.ts'

const EXPECTED = statement(
  'expected_excess_funds',
  `select (select coalesce(sum(balance), 0) from ledger_accounts where environment = $1 and account = 'excess_funds')::bigint
            as booked,
          (select coalesce(sum(amount_micro), 0) from excess_movements where environment = $1)::bigint as moved`,
)

export interface ExpectedExcess {
  /** By the ledgers of all partners: surplus, less what was added to payouts. */
  readonly booked: bigint
  /** By the operator itself; below zero, taken out. */
  readonly moved: bigint
}

export async function readExpectedExcess(db: Db, environment: Environment): Promise<ExpectedExcess> {
  return (await db.query<ExpectedExcess>(EXPECTED, [environment]))[0] ?? { booked: 0n, moved: 0n }
}

const LOCK = statement('lock_excess_funds', `select pg_advisory_xact_lock(hashtext('excess_funds ' || $1::text))`)

/** One at a time says what the operator's wallet should hold. It comes before every other lock. */
export async function lockExcessFunds(tx: Tx, environment: Environment): Promise<void> {
  await tx.query(LOCK, [environment])
}

const KEEP = statement(
  'keep_excess_movement',
  `insert into excess_movements (environment, reference, amount_micro, reason, at) values ($1, $2, $3, $4, $5)
   on conflict do nothing returning 1 as kept`,
)
const FIND = statement(
  'find_excess_movement',
  'select amount_micro as amount from excess_movements where environment = $1 and reference = $2',
)

/** Returns the amount that is kept under the reference: this one, or that of the first time. */
export async function keepExcessMovement(
  tx: Tx,
  environment: Environment,
  movement: { reference: string; amount: bigint; reason: string; at: Date },
): Promise<{ amount: MicroUsdc; isNew: boolean }> {
  const { reference, amount, reason, at } = movement
  const kept = await tx.query(KEEP, [environment, reference, amount, reason, at])
  const [row] = await tx.query<{ amount: MicroUsdc }>(FIND, [environment, reference])
  return { amount: row!.amount, isNew: kept.length === 1 }
}
