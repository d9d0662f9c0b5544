// Live wallets that hold less than their business wants, and those whose admins have been told.
import type { MicroUsdc } from '../core/money.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface LowBalance {
  readonly partnerId: string
  readonly name: string
  readonly available: MicroUsdc
  readonly threshold: MicroUsdc
}

const HELD = `join ledger_accounts a on a.partner_id = p.id and a.environment = 'live' and a.account = 'available'`

const RISEN = statement(
  'list_risen_balances',
  `select p.id as "partnerId", p.name, a.balance as available, p.low_balance_micro as threshold
     from partners p ${HELD}
    where p.low_balance_warned_at is not null and (p.low_balance_micro is null or a.balance >= p.low_balance_micro)
    order by p.id`,
)

/** Wallets that were told of and hold enough again; without a threshold, any amount is enough. */
export function listRisenBalances(
  db: Db,
): Promise<(Omit<LowBalance, 'threshold'> & { threshold: MicroUsdc | null })[]> {
  return db.query(RISEN)
}

const FORGET = statement(
  'forget_low_balance',
  `update partners set low_balance_warned_at = null where id = $1 and low_balance_warned_at is not null returning 1 as forgotten`,
)

/** False when another worker has. It is told of again the next time. */
export async function forgetLowBalance(tx: Tx, partnerId: string): Promise<boolean> {
  return (await tx.query(FORGET, [partnerId])).length === 1
}

const LOW = statement(
  'list_low_balances',
  `select p.id as "partnerId", p.name, a.balance as available, p.low_balance_micro as threshold
     from partners p ${HELD}
    where p.low_balance_micro is not null and p.low_balance_warned_at is null and p.verified_at is not null
      and p.status = 'active' and a.balance < p.low_balance_micro
    order by p.id`,
)

export function listLowBalances(db: Db): Promise<LowBalance[]> {
  return db.query<LowBalance>(LOW)
}

const CLAIM = statement(
  'claim_low_balance',
  `update partners set low_balance_warned_at = $2 where id = $1 and low_balance_warned_at is null returning 1 as claimed`,
)

/** False when another worker is telling of it. */
export async function claimLowBalance(tx: Tx, partnerId: string, at: Date): Promise<boolean> {
  return (await tx.query(CLAIM, [partnerId, at])).length === 1
}
