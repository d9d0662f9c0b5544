import type { Month } from '../core/london-month.ts'
import type { Pence } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface MonthlyUsage {
  readonly created: bigint
  readonly completed: bigint
  readonly paid: Pence
  readonly fee: Pence
  readonly feeOnInvoice: Pence
}

const ADD = statement(
  'add_usage',
  `insert into usage_months as u
     (partner_id, environment, month, created, completed, paid_pence, fee_pence, fee_on_invoice_pence)
   values ($1, $2, ($3 || '-01')::date, $4, $5, $6, $7, $8)
   on conflict (partner_id, environment, month) do update set
     created = u.created + excluded.created, completed = u.completed + excluded.completed,
     paid_pence = u.paid_pence + excluded.paid_pence, fee_pence = u.fee_pence + excluded.fee_pence,
     fee_on_invoice_pence = u.fee_on_invoice_pence + excluded.fee_on_invoice_pence`,
)

/** Adds a batch's sums to a month, in the transaction that moved the payouts. */
export function addUsage(tx: Tx, scope: Scope, month: Month, added: MonthlyUsage): void {
  tx.defer(ADD, [
    scope.partnerId,
    scope.environment,
    month,
    added.created,
    added.completed,
    added.paid,
    added.fee,
    added.feeOnInvoice,
  ])
}

const READ = statement(
  'read_usage',
  `select created, completed, paid_pence as paid, fee_pence as fee, fee_on_invoice_pence as "feeOnInvoice"
     from usage_months where partner_id = $1 and environment = $2 and month = ($3 || '-01')::date`,
)

export async function readUsage(db: Db, scope: Scope, month: Month): Promise<MonthlyUsage | null> {
  return (await db.query<MonthlyUsage>(READ, [scope.partnerId, scope.environment, month]))[0] ?? null
}
