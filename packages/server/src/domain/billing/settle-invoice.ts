// What the operator says of an invoice: that it was paid, or that it is void.
import { AppError, notFound } from '../../core/errors.ts'
import { type InvoiceRow, findInvoiceByNumber, payInvoice, voidInvoice } from '../../storage/invoices.ts'
import { lockWallet } from '../../storage/ledger.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'

export type SettledInvoice = InvoiceRow

export function markInvoicePaid(deps: Pick<Deps, 'db' | 'clock'>, number: string, on: Date): Promise<InvoiceRow> {
  return settle(deps, number, (tx, invoice) => payInvoice(tx, invoice, on))
}

/** Its charges are written off and stay on it: a number is never used again, nor a month billed twice. */
export function markInvoiceVoid(deps: Pick<Deps, 'db' | 'clock'>, number: string, reason: string): Promise<InvoiceRow> {
  return settle(deps, number, async (tx, invoice) => {
    await lockWallet(tx, { partnerId: invoice.partnerId, environment: 'live' })
    return voidInvoice(tx, invoice, { at: deps.clock.now(), reason })
  })
}

async function settle(
  deps: Pick<Deps, 'db'>,
  number: string,
  change: (tx: Tx, invoice: InvoiceRow) => Promise<boolean>,
): Promise<InvoiceRow> {
  const invoice = await findInvoiceByNumber(deps.db, number)
  if (invoice === null) throw notFound()
  const isChanged = await deps.db.inTransaction((tx) => change(tx, invoice))
  const now = (await findInvoiceByNumber(deps.db, number))!
  if (isChanged) return now
  throw new AppError('invalid_request', `${number} is ${now.status} already. Nothing was changed.`)
}
