import type { Month } from '../core/london-month.ts'
import type { Pence } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { CHARGE_SUMS, type ChargeSum } from './charges.ts'
import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface MonthlyUsage {
  readonly created: bigint
  readonly completed: bigint
  readonly paid: Pence
  readonly fee: Pence
  readonly feeOnInvoice: Pence
}

export interface AddedUsage extends MonthlyUsage {
  readonly partnerId: string
  readonly month: Month
}

const ADDED = itemColumns<keyof AddedUsage>(2, {
  partnerId: ['partner_id', 'uuid'],
  month: ['month', 'text'],
  created: ['created', 'bigint'],
  completed: ['completed', 'bigint'],
  paid: ['paid_pence', 'bigint'],
  fee: ['fee_pence', 'bigint'],
  feeOnInvoice: ['fee_on_invoice_pence', 'bigint'],
})

type CountedInMonths = 'created' | 'completed' | 'paid_pence' | 'fee_pence' | 'fee_on_invoice_pence'

/** In SQL: adds what a batch gives to its months. `sums` has a partner, the environment, a month and these columns, each wallet once. */
export function addToMonths(columns: readonly CountedInMonths[], sums: string): string {
  return `insert into usage_months as u (partner_id, environment, month, ${columns.join(', ')})
     ${sums}
     on conflict (partner_id, environment, month) do update set
       ${columns.map((column) => `${column} = u.${column} + excluded.${column}`).join(', ')}`
}

/** In SQL: the first day of the month that it is in London. */
export const londonMonthAt = (moment: string): string =>
  `date_trunc('month', ${moment}::timestamptz at time zone 'Europe/London')::date`

const ADD = statement(
  'add_usage',
  addToMonths(
    ['created', 'completed', 'paid_pence', 'fee_pence', 'fee_on_invoice_pence'],
    `select item.partner_id, $1, (item.month || '-01')::date, item.created, item.completed, item.paid_pence, item.fee_pence,
            item.fee_on_invoice_pence from ${ADDED.from}`,
  ),
)

/** Adds the sums of a batch to its months, in the transaction that moved the payouts. Each wallet's month comes once. */
export function addUsage(tx: Tx, environment: Scope['environment'], added: readonly AddedUsage[]): void {
  if (added.length > 0) tx.defer(ADD, [environment, ...ADDED.values(added)])
}

// One statement for everything that a month came to, so that its parts are from one moment. Both sides are read by an
// index of that month alone.
const READ = statement(
  'read_usage',
  `select u.created, u.completed, u.paid_pence as paid, u.fee_pence as fee,
          u.fee_on_invoice_pence as "feeOnInvoice", c.kind, c.quantity, c.amount, c.least, c.most, c.posted
     from (select 1) as always
     left join usage_months u on u.partner_id = $1 and u.environment = $3 and u.month = ($2 || '-01')::date
     left join (${CHARGE_SUMS}) c on $3 = 'live'`,
)

export interface UsageAndCharges {
  readonly usage: MonthlyUsage | null
  /** Empty in sandbox, which is never charged. */
  readonly charges: readonly ChargeSum[]
}

export async function readUsage(db: Db, scope: Scope, month: Month): Promise<UsageAndCharges> {
  type Row = Partial<MonthlyUsage> & { [K in keyof ChargeSum]: ChargeSum[K] | null }
  const rows = await db.query<Row>(READ, [scope.partnerId, month, scope.environment])
  const { created, completed, paid, fee, feeOnInvoice } = rows[0] as MonthlyUsage
  return {
    // A month in which nothing was created or completed has no row.
    usage: created === null ? null : { created, completed, paid, fee, feeOnInvoice },
    charges: rows.filter((row): row is Row & ChargeSum => row.kind !== null),
  }
}
