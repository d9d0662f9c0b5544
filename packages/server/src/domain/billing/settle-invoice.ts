// The operator marks an invoice as paid, or as void.
import { AppError, notFound } from '../../core/errors.ts'
import { londonMidnight } from '../../core/london-month.ts'
import { formatPence } from '../../core/money.ts'
import { grouped, monthInWords } from '../../core/words.ts'
import { voidInvoiceMail } from '../../mail/templates/invoice-mails.ts'
import { type InvoiceRow, findInvoiceByNumber, payInvoice, voidInvoice } from '../../storage/invoices.ts'
import { lockWallet } from '../../storage/ledger.ts'
import { findBilledPartner } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'
import { addOperatorAction } from '../activity/record-operator-action.ts'
import type { Deps } from '../deps.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { noteInvoice } from './note-invoice.ts'

export async function markInvoicePaid(deps: Pick<Deps, 'db' | 'clock'>, number: string, on: Date): Promise<InvoiceRow> {
  if (on > deps.clock.now()) {
    throw new AppError('invalid_request', 'An invoice is paid today or was paid on a day before. Nothing was changed.')
  }
  return settle(deps, number, {
    action: 'invoice.pay',
    change: async (tx, invoice) => {
      refuseBefore(invoice, on)
      await lockWallet(tx, { partnerId: invoice.partnerId, environment: 'live' })
      const isPaid = await payInvoice(tx, invoice, on)
      if (isPaid) noteInvoice(tx, { ...invoice, paidAt: on }, { type: 'invoice.paid', at: deps.clock.now() })
      return isPaid
    },
  })
}

/** A payment is never taken back, and its entry has its day: a wrong year would stay in the books for ever. */
function refuseBefore({ number, month }: InvoiceRow, on: Date): void {
  if (on >= londonMidnight(month)) return
  throw new AppError(
    'invalid_request',
    `${number} is for ${monthInWords(month)}, and cannot have been paid before that month began. Nothing was changed.`,
  )
}

/**
 * A void invoice's charges are written off and stay on it: its number is never used again, and its month is never
 * billed twice. The partner is told, because the mailed document still asks for money.
 */
export async function markInvoiceVoid(deps: Deps, number: string, reason: string): Promise<InvoiceRow> {
  const voided = await settle(deps, number, {
    action: 'invoice.void',
    change: async (tx, invoice) => {
      await lockWallet(tx, { partnerId: invoice.partnerId, environment: 'live' })
      const at = deps.clock.now()
      const done = await voidInvoice(tx, invoice, { at, reason })
      if (done !== null) noteInvoice(tx, { ...invoice, voidedAt: at }, { type: 'invoice.void', at })
      if (done?.wasMailed === true) await mailVoid(tx, deps, invoice)
      return done !== null
    },
  })
  deps.post.wake()
  return voided
}

async function mailVoid(tx: Tx, deps: Deps, invoice: InvoiceRow): Promise<void> {
  const partner = await findBilledPartner(tx, invoice.partnerId)
  if (partner === null || partner.billingEmail === null) return
  const content = voidInvoiceMail({
    businessName: partner.name,
    number: invoice.number ?? '',
    month: monthInWords(invoice.month),
    total: `£${grouped(formatPence(invoice.total))}`,
  })
  queueMail(tx, deps, { kind: 'invoice_void', mail: { to: partner.billingEmail, ...content }, usefulUntil: null })
}

/** The change and the mail about it are one transaction: neither exists without the other. */
async function settle(
  deps: Pick<Deps, 'db' | 'clock'>,
  number: string,
  {
    action,
    change,
  }: { action: 'invoice.pay' | 'invoice.void'; change: (tx: Tx, invoice: InvoiceRow) => Promise<boolean> },
): Promise<InvoiceRow> {
  const invoice = await findInvoiceByNumber(deps.db, number)
  if (invoice === null) throw notFound()
  const isChanged = await deps.db.inTransaction(async (tx) => {
    const isDone = await change(tx, invoice)
    if (isDone) addOperatorAction(tx, deps, { partnerId: invoice.partnerId, action, detail: number })
    return isDone
  })
  const now = (await findInvoiceByNumber(deps.db, number))!
  if (isChanged) return now
  throw new AppError('invalid_request', `${number} is ${now.status} already. Nothing was changed.`)
}
