import type { InvoiceStatus } from '@kestrel/contract'

import { isPast } from '../../core/billing-calendar.ts'
import { notFound } from '../../core/errors.ts'
import { groupBy } from '../../core/group-by.ts'
import { isUuid } from '../../core/ids.ts'
import {
  type InvoiceLineRow,
  type InvoiceRow,
  findInvoice,
  listInvoiceLines,
  listInvoices as readInvoices,
} from '../../storage/invoices.ts'
import type { Deps } from '../deps.ts'

const MOST = 24

export interface InvoiceWithLines extends Omit<InvoiceRow, 'status'> {
  readonly status: InvoiceStatus
  readonly lines: readonly InvoiceLineRow[]
}

/** The last 24 invoices. */
export async function listInvoices(
  deps: Pick<Deps, 'reports' | 'clock'>,
  partnerId: string,
): Promise<InvoiceWithLines[]> {
  return withLines(deps, partnerId, await readInvoices(deps.reports, partnerId, MOST))
}

export async function readInvoice(
  deps: Pick<Deps, 'reports' | 'clock'>,
  partnerId: string,
  id: string,
): Promise<InvoiceWithLines> {
  const invoice = isUuid(id) ? await findInvoice(deps.reports, partnerId, id) : null
  if (invoice === null) throw notFound()
  return (await withLines(deps, partnerId, [invoice]))[0]!
}

/** An issued invoice past its due date is overdue; nothing has to be written for that. */
async function withLines(
  deps: Pick<Deps, 'reports' | 'clock'>,
  partnerId: string,
  invoices: readonly InvoiceRow[],
): Promise<InvoiceWithLines[]> {
  const ids = invoices.map((invoice) => invoice.id)
  const lines = ids.length === 0 ? [] : await listInvoiceLines(deps.reports, partnerId, ids)
  const linesOf = groupBy(lines, (line) => line.invoiceId)
  const now = deps.clock.now()
  return invoices.map((invoice) => {
    const isOwed = invoice.status === 'issued' && invoice.total > 0n
    const isOverdue = isOwed && invoice.dueAt !== null && isPast(invoice.dueAt, now)
    return { ...invoice, status: isOverdue ? 'overdue' : invoice.status, lines: linesOf.get(invoice.id) ?? [] }
  })
}
