// For an operator who has mended what kept an invoice from being drawn, and does not wait for the worker's next try.
import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { type InvoiceRow, findAnyInvoice, findInvoiceByNumber } from '../../storage/invoices.ts'
import { addOperatorAction } from '../activity/record-operator-action.ts'
import type { Deps } from '../deps.ts'
import { type InvoiceMailed, mailInvoice } from './mail-invoices.ts'

/** By its number, or by its id as in the alarm. An invoice whose mail is queued is not mailed again. */
export async function mailInvoiceNow(
  deps: Deps,
  named: string,
): Promise<{ invoice: InvoiceRow; outcome: InvoiceMailed }> {
  const invoice = isUuid(named) ? await findAnyInvoice(deps.db, named) : await findInvoiceByNumber(deps.db, named)
  if (invoice === null) throw notFound()
  const { partnerId, number } = invoice
  const outcome = await mailInvoice(deps, invoice, (tx) =>
    addOperatorAction(tx, deps, { partnerId, action: 'invoice.mail', detail: number }),
  )
  deps.post.wake()
  return { invoice, outcome }
}
