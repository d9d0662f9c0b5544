import type { InvoiceLineKind } from '@kestrel/contract'

import type { Month } from '../core/london-month.ts'
import type { Pence } from '../core/money.ts'
import type { Plan } from '../core/plan.ts'
import { PLAN_COLUMNS, planJoin } from './plans.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface InvoiceLineRow {
  readonly kind: InvoiceLineKind
  readonly description: string
  readonly quantity: bigint
  readonly unitPrice: Pence | null
  readonly amount: Pence
  readonly periodStart: string
  readonly periodEnd: string
}

export interface InvoiceRow {
  readonly id: string
  readonly month: string
  readonly status: 'draft' | 'issued' | 'paid' | 'void'
  readonly total: Pence
  readonly issuedAt: Date | null
  readonly dueAt: Date | null
}

const LIST = statement(
  'list_invoices',
  `select id, to_char(month, 'YYYY-MM') as month, status, total_pence as total, issued_at as "issuedAt",
          due_at as "dueAt"
     from invoices where partner_id = $1 order by month desc limit $2`,
)

export function listInvoices(db: Db, partnerId: string, most: number): Promise<InvoiceRow[]> {
  return db.query<InvoiceRow>(LIST, [partnerId, most])
}

const LINES = statement(
  'list_invoice_lines',
  `select invoice_id as "invoiceId", kind, description, quantity, unit_price_pence as "unitPrice",
          amount_pence as amount, period_start as "periodStart", period_end as "periodEnd"
     from invoice_lines where partner_id = $1 and invoice_id = any($2) order by invoice_id, position`,
)

export function listInvoiceLines(
  db: Db,
  partnerId: string,
  invoiceIds: readonly string[],
): Promise<(InvoiceLineRow & { invoiceId: string })[]> {
  return db.query(LINES, [partnerId, invoiceIds])
}

const LINES_OF_MONTH = statement(
  'invoice_lines_of_month',
  `select l.kind, l.description, l.quantity, l.unit_price_pence as "unitPrice", l.amount_pence as amount,
          l.period_start as "periodStart", l.period_end as "periodEnd"
     from invoices i join invoice_lines l on l.partner_id = i.partner_id and l.invoice_id = i.id
    where i.partner_id = $1 and i.month = ($2 || '-01')::date and i.status <> 'void' order by l.position`,
)

/** What a month was billed; no lines when it has no invoice. */
export function listLinesOfMonth(db: Db, partnerId: string, month: Month): Promise<InvoiceLineRow[]> {
  return db.query<InvoiceLineRow>(LINES_OF_MONTH, [partnerId, month])
}

export interface BillablePartner extends Plan {
  readonly partnerId: string
  readonly slug: string
  readonly verifiedAt: Date
}

const BILLABLE = statement(
  'billable_partners',
  `select p.id as "partnerId", p.slug, p.verified_at as "verifiedAt", ${PLAN_COLUMNS}
     from partners p ${planJoin("($1::timestamptz - interval '1 millisecond')")}
    where p.verified_at < $1 order by p.id`,
)

/** The partners that were in live before a moment, with the plan that held just before it. */
export function listBillablePartners(db: Db, before: Date): Promise<BillablePartner[]> {
  return db.query<BillablePartner>(BILLABLE, [before])
}

const INSERT = statement(
  'insert_invoice',
  `insert into invoices (partner_id, id, month, status, total_pence, issued_at, due_at)
   values ($1, $2, ($3 || '-01')::date, 'issued', $4, $5, $6)
   on conflict (partner_id, month) do nothing returning id`,
)
const INSERT_LINES = statement(
  'insert_invoice_lines',
  `insert into invoice_lines (partner_id, invoice_id, position, kind, description, quantity, unit_price_pence,
     amount_pence, period_start, period_end)
   select $1, $2, item.position, item.kind, item.description, item.quantity, item.unit_price, item.amount,
          item.period_start, item.period_end
     from unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::date[], $9::date[])
       with ordinality as item
         (kind, description, quantity, unit_price, amount, period_start, period_end, position)`,
)

/** False when the month has its invoice already. */
export async function insertInvoice(
  tx: Tx,
  invoice: {
    partnerId: string
    id: string
    month: Month
    total: Pence
    issuedAt: Date
    dueAt: Date
    lines: readonly InvoiceLineRow[]
  },
): Promise<boolean> {
  const { partnerId, id, month, total, issuedAt, dueAt, lines } = invoice
  const inserted = await tx.query(INSERT, [partnerId, id, month, total, issuedAt, dueAt])
  if (inserted.length === 0) return false
  tx.defer(INSERT_LINES, [
    partnerId,
    id,
    lines.map((line) => line.kind),
    lines.map((line) => line.description),
    lines.map((line) => line.quantity),
    lines.map((line) => line.unitPrice),
    lines.map((line) => line.amount),
    lines.map((line) => line.periodStart),
    lines.map((line) => line.periodEnd),
  ])
  return true
}
