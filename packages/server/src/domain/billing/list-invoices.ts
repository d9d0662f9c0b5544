import type { InvoiceStatus } from '@kestrel/contract'

import { groupBy } from '../../core/group-by.ts'
import {
  type InvoiceLineRow,
  type InvoiceRow,
  listInvoiceLines,
  listInvoices as readInvoices,
} from '../../storage/invoices.ts'
import type { Deps } from '../deps.ts'

const MOST = 24

export interface InvoiceWithLines extends Omit<InvoiceRow, 'status'> {
  readonly status: InvoiceStatus
  readonly lines: readonly InvoiceLineRow[]
}

/** The last 24 invoices. One that is issued and past its date is overdue; nothing has to be written for that. */
export async function listInvoices(deps: Pick<Deps, 'db' | 'clock'>, partnerId: string): Promise<InvoiceWithLines[]> {
  const invoices = await readInvoices(deps.db, partnerId, MOST)
  const ids = invoices.map((invoice) => invoice.id)
  const lines = ids.length === 0 ? [] : await listInvoiceLines(deps.db, partnerId, ids)
  const linesOf = groupBy(lines, (line) => line.invoiceId)
  const now = deps.clock.now()
  return invoices.map((invoice) => {
    const isOverdue = invoice.status === 'issued' && invoice.dueAt !== null && invoice.dueAt < now
    return { ...invoice, status: isOverdue ? 'overdue' : invoice.status, lines: linesOf.get(invoice.id) ?? [] }
  })
}
