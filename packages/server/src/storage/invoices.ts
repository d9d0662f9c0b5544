// Invoices as they were issued. What one says never changes; being paid, void or mailed is added to it.
import type { InvoiceLineKind } from '@kestrel/contract'

import { assert } from '../core/assert.ts'
import type { Month } from '../core/london-month.ts'
import { type MicroPence, type Pence, wholePence } from '../core/money.ts'
import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface InvoiceLineRow {
  readonly kind: InvoiceLineKind
  readonly description: string
  readonly quantity: bigint
  readonly unitPrice: MicroPence | null
  readonly amount: Pence
  readonly periodStart: string
  readonly periodEnd: string
}

export interface InvoiceRow {
  readonly id: string
  readonly partnerId: string
  readonly number: string | null
  readonly month: Month
  readonly status: 'draft' | 'issued' | 'paid' | 'void'
  readonly total: Pence
  readonly issuedAt: Date | null
  readonly dueAt: Date | null
  readonly paidAt: Date | null
  readonly voidedAt: Date | null
  /** As they were when it was issued; null on invoices from before these were stored. */
  readonly billedName: string | null
  readonly billedAddress: readonly string[]
  readonly billedVatNumber: string | null
}

const COLUMNS = `
  id, partner_id as "partnerId", number, to_char(month, 'YYYY-MM') as month, status, total_pence as total,
  issued_at as "issuedAt", due_at as "dueAt", paid_at as "paidAt", voided_at as "voidedAt",
  billed_name as "billedName", billed_address as "billedAddress", billed_vat_number as "billedVatNumber"`

const LIST = statement(
  'list_invoices',
  `select ${COLUMNS} from invoices where partner_id = $1 order by month desc limit $2`,
)

export function listInvoices(db: Db, partnerId: string, most: number): Promise<InvoiceRow[]> {
  return db.query<InvoiceRow>(LIST, [partnerId, most])
}

const FIND = statement('find_invoice', `select ${COLUMNS} from invoices where partner_id = $1 and id = $2`)

export async function findInvoice(db: Db, partnerId: string, id: string): Promise<InvoiceRow | null> {
  return (await db.query<InvoiceRow>(FIND, [partnerId, id]))[0] ?? null
}

const BY_NUMBER = statement('invoice_by_number', `select ${COLUMNS} from invoices where number = $1`)

/** For the operator, who may read every partner's invoices. */
export async function findInvoiceByNumber(db: Db, number: string): Promise<InvoiceRow | null> {
  return (await db.query<InvoiceRow>(BY_NUMBER, [number]))[0] ?? null
}

const OF_ANYBODY = statement('invoice_of_anybody', `select ${COLUMNS} from invoices where id = $1`)

/** The same by its id, which alarms name. */
export async function findAnyInvoice(db: Db, id: string): Promise<InvoiceRow | null> {
  return (await db.query<InvoiceRow>(OF_ANYBODY, [id]))[0] ?? null
}

const OF_MONTH = statement(
  'invoice_of_month',
  `select 1 from invoices where partner_id = $1 and month = ($2 || '-01')::date`,
)

export async function hasInvoice(db: Db, partnerId: string, month: Month): Promise<boolean> {
  return (await db.query(OF_MONTH, [partnerId, month])).length > 0
}

const LINES = statement(
  'list_invoice_lines',
  `select invoice_id as "invoiceId", kind, description, quantity,
          coalesce(unit_price_micropence, unit_price_pence * 1000000) as "unitPrice",
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

export interface MissingInvoice {
  readonly partnerId: string
  readonly slug: string
  readonly month: Month
}

/**
 * Whether a partner `p` gets an invoice for `due.month`: after the month in which it was closed only if there is
 * something to bill, such as a payout that was sent back late.
 */
export const IS_BILLED = `(p.closed_at is null
        or due.month <= date_trunc('month', p.closed_at at time zone 'Europe/London')
        or exists (select 1 from charges c where c.partner_id = p.id and c.month = due.month::date))`

const MISSING = statement(
  'missing_invoices',
  `select p.id as "partnerId", p.slug, to_char(due.month, 'YYYY-MM') as month
     from partners p
    cross join lateral generate_series(
      greatest(date_trunc('month', p.verified_at at time zone 'Europe/London'), ($1 || '-01')::timestamp),
      ($2 || '-01')::timestamp, interval '1 month') as due (month)
    where p.verified_at is not null
      and ${IS_BILLED}
      and not exists (select 1 from invoices i where i.partner_id = p.id and i.month = due.month::date)
    order by due.month, p.id`,
)

/** Partners that were live in a month of this range and have no invoice for it, oldest month first. */
export function listMissingInvoices(db: Db, first: Month, last: Month): Promise<MissingInvoice[]> {
  return db.query<MissingInvoice>(MISSING, [first, last])
}

const NEXT_NUMBER = statement(
  'next_invoice_number',
  `insert into invoice_numbers as n (year, last) values ($1, 1)
   on conflict (year) do update set last = n.last + 1 returning last`,
)

/** The row stays locked until the transaction ends: a number is given out with its invoice, or not at all. */
export async function nextInvoiceNumber(tx: Tx, year: string): Promise<string> {
  const [row] = await tx.query<{ last: bigint }>(NEXT_NUMBER, [year])
  assert(row !== undefined, 'there is always a next number')
  return `KP-${year}-${row.last.toString().padStart(6, '0')}`
}

const INSERT = statement(
  'insert_invoice',
  `insert into invoices (partner_id, id, number, month, status, total_pence, issued_at, due_at, billed_name,
     billed_address, billed_vat_number)
   select $1, $2, $3, ($4 || '-01')::date, 'issued', $5, $6, $7, coalesce(billing_name, name), billing_address, vat_number
     from partners where id = $1`,
)
const NEW_LINES = itemColumns<keyof InvoiceLineRow | 'wholePrice'>(3, {
  kind: ['kind', 'text'],
  description: ['description', 'text'],
  quantity: ['quantity', 'bigint'],
  wholePrice: ['unit_price_pence', 'bigint'],
  unitPrice: ['unit_price_micropence', 'bigint'],
  amount: ['amount_pence', 'bigint'],
  periodStart: ['period_start', 'date'],
  periodEnd: ['period_end', 'date'],
})

const INSERT_LINES = statement(
  'insert_invoice_lines',
  `insert into invoice_lines (partner_id, invoice_id, position, ${NEW_LINES.names})
   select $1, $2, item.place, ${NEW_LINES.selected} from ${NEW_LINES.fromInOrder}`,
)

/** The caller holds the lock of the live wallet, and has seen that the month has no invoice. */
export function insertInvoice(
  tx: Tx,
  invoice: {
    partnerId: string
    id: string
    number: string
    month: Month
    total: Pence
    issuedAt: Date
    dueAt: Date
    lines: readonly InvoiceLineRow[]
  },
): void {
  const { partnerId, id, number, month, total, issuedAt, dueAt, lines } = invoice
  tx.defer(INSERT, [partnerId, id, number, month, total, issuedAt, dueAt])
  const rows = lines.map((line) => ({
    ...line,
    wholePrice: line.unitPrice === null ? null : wholePence(line.unitPrice),
  }))
  tx.defer(INSERT_LINES, [partnerId, id, ...NEW_LINES.values(rows)])
}

// One statement, so that there is no paid invoice without its entry and no entry without its invoice.
const PAY = statement(
  'pay_invoice',
  `with paid as (
     update invoices set status = 'paid', paid_at = $3 where partner_id = $1 and id = $2 and status = 'issued'
     returning id, total_pence
   ), posted as (
     insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
     select $1, 'live', id, 'payment', 'fees_receivable', 'fees_paid', total_pence, $3 from paid where total_pence > 0
   )
   select 1 as changed from paid`,
)

/**
 * Marks an invoice as paid and posts its entry. The caller holds the live wallet's lock. False when it was not open.
 */
export async function payInvoice(tx: Tx, invoice: { partnerId: string; id: string }, at: Date): Promise<boolean> {
  return (await tx.query(PAY, [invoice.partnerId, invoice.id, at])).length === 1
}

const VOID = statement(
  'void_invoice',
  `update invoices set status = 'void', voided_at = $3, void_reason = $4
    where partner_id = $1 and id = $2 and status = 'issued' returning mailed_at is not null as "wasMailed"`,
)
const WRITE_OFF = statement(
  'write_off_invoice',
  `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at, note)
   select partner_id, 'live', id, 'write_off', 'fees_receivable', 'fees_earned', total_pence, $3, $4
     from invoices where partner_id = $1 and id = $2 and total_pence > 0`,
)

/** Voids an invoice and writes its charges off. The caller holds the live wallet's lock. Null when it was not open. */
export async function voidInvoice(
  tx: Tx,
  invoice: { partnerId: string; id: string },
  done: { at: Date; reason: string },
): Promise<{ wasMailed: boolean } | null> {
  const values = [invoice.partnerId, invoice.id, done.at, done.reason]
  const [voided] = await tx.query<{ wasMailed: boolean }>(VOID, values)
  if (voided !== undefined) tx.defer(WRITE_OFF, values)
  return voided ?? null
}

/** In SQL: an invoice `i` is owed, and its newest event, which is kept for ever, is not that it is overdue. */
const IS_UNTOLD = `i.status = 'issued' and i.total_pence > 0 and 'invoice.overdue' is distinct from (
      select e.type from events e where e.partner_id = i.partner_id and e.environment = 'live' and e.subject_id = i.id
       order by e.sequence desc limit 1)`

const UNTOLD = statement(
  'untold_overdue_invoices',
  `select ${COLUMNS} from invoices i where i.due_at < $1 and ${IS_UNTOLD} order by i.due_at limit $2`,
)

/** Invoices past the moment at which they were due, of which no event has told. */
export function listUntoldOverdue(db: Db, now: Date, most: number): Promise<InvoiceRow[]> {
  return db.query<InvoiceRow>(UNTOLD, [now, most])
}

const IS_STILL_UNTOLD = statement(
  'is_untold_overdue',
  `select 1 as untold from invoices i where i.partner_id = $1 and i.id = $2 and ${IS_UNTOLD}`,
)

export async function isUntoldOverdue(tx: Tx, invoice: { partnerId: string; id: string }): Promise<boolean> {
  return (await tx.query(IS_STILL_UNTOLD, [invoice.partnerId, invoice.id])).length === 1
}
