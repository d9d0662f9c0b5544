// Deposits that were left out although the bank shows them as arrived: their money may be in the bank's wallet.
import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { type Db, type Tx, statement } from './sql.ts'

const KEEP = statement(
  'keep_deposit_not_credited',
  `insert into deposits_not_credited (partner_id, environment, deposit_ref, amount_micro, at) values ($1, $2, $3, $4, $5)
   on conflict do nothing`,
)

export function keepNotCredited(
  tx: Tx,
  { partnerId, environment }: Scope,
  { depositRef, amount, at }: { depositRef: string; amount: MicroUsdc; at: Date },
): void {
  tx.defer(KEEP, [partnerId, environment, depositRef, amount, at])
}

export interface NotCredited {
  readonly depositRef: string
  readonly amount: MicroUsdc
  /** The operator has put it in by hand, under the reference that the alarm names. */
  readonly isPutIn: boolean
}

const LIST = statement(
  'deposits_not_credited',
  `select d.deposit_ref as "depositRef", d.amount_micro as amount, m.settled_at is not null as "isPutIn"
     from deposits_not_credited d
     left join operator_movements m on m.partner_id = $1 and m.environment = $2
      and m.reference = 'deposit:' || d.deposit_ref and m.kind = 'credit'
    where d.partner_id = $1 and d.environment = $2`,
)

export function listNotCredited(db: Db, { partnerId, environment }: Scope): Promise<NotCredited[]> {
  return db.query<NotCredited>(LIST, [partnerId, environment])
}
