// Tells partners of new invoices, with the document attached. Apart from cutting them: a picture is drawn under nobody's
// lock, and a document that cannot be made keeps no invoice from being issued.
import { formatPence } from '../../core/money.ts'
import { dayInWords, grouped, monthInWords } from '../../core/words.ts'
import { invoiceMail } from '../../mail/templates/invoice-mails.ts'
import { claimInvoiceMail, listInvoicesToMail } from '../../storage/invoice-mails.ts'
import type { Deps } from '../deps.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { readInvoiceDocument } from './invoice-document.ts'

const MOST_AT_ONCE = 20

/** True when there may be more. */
export async function mailInvoices(deps: Deps): Promise<boolean> {
  const waiting = await listInvoicesToMail(deps.db, MOST_AT_ONCE)
  for (const { partnerId, id } of waiting) {
    const { invoice, partner, fileName, pdf } = await readInvoiceDocument(deps, partnerId, id)
    const attachments = [{ fileName, contentType: 'application/pdf', base64: pdf.toString('base64') }]
    const content = invoiceMail({
      businessName: partner.name,
      number: invoice.number ?? '',
      month: monthInWords(invoice.month),
      total: `£${grouped(formatPence(invoice.total))}`,
      due: invoice.dueAt === null ? '' : dayInWords(invoice.dueAt),
      lines: invoice.lines.map((line) => [line.description, `£${grouped(formatPence(line.amount))}`]),
    })
    await deps.db.inTransaction(async (tx) => {
      const isOurs = await claimInvoiceMail(tx, { partnerId, id }, deps.clock.now())
      // Nobody to write to, or a void invoice: nothing more is to be done about it either.
      if (!isOurs || partner.billingEmail === null || invoice.status === 'void') return
      const mail = { to: partner.billingEmail, ...content, attachments }
      queueMail(tx, deps, { kind: 'invoice', mail, usefulUntil: null })
    })
  }
  if (waiting.length > 0) deps.post.wake()
  return waiting.length === MOST_AT_ONCE
}
