// Tells partners of new invoices, with the document attached. Apart from cutting them: a picture is drawn under nobody's
// lock, and a document that cannot be made keeps no invoice from being issued.
import { formatPence } from '../../core/money.ts'
import { dayInWords, grouped, monthInWords } from '../../core/words.ts'
import { invoiceMail } from '../../mail/templates/invoice-mails.ts'
import { claimInvoiceMail, listInvoicesToMail } from '../../storage/invoice-mails.ts'
import type { Deps } from '../deps.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { type InvoiceDocument, readInvoiceDocument } from './invoice-document.ts'

/** How many were seen to. */
export async function mailInvoices(deps: Deps): Promise<number> {
  const waiting = await listInvoicesToMail(deps.db)
  const failed: { number: string; cause: unknown }[] = []
  for (const { partnerId, id, number } of waiting) {
    await mailInvoice(deps, partnerId, id).catch((cause: unknown) => failed.push({ number, cause }))
  }
  if (waiting.length > failed.length) deps.post.wake()
  const [first] = failed
  if (first === undefined) return waiting.length
  throw new Error(
    `${failed.length} of ${waiting.length} invoices could not be mailed: ${failed.map(({ number }) => number).join(', ')}.`,
    { cause: first.cause },
  )
}

async function mailInvoice(deps: Deps, partnerId: string, id: string): Promise<void> {
  const document = await readInvoiceDocument(deps, partnerId, id)
  const to = document.partner.billingEmail
  await deps.db.inTransaction(async (tx) => {
    const status = await claimInvoiceMail(tx, { partnerId, id }, deps.clock.now())
    // Nobody to write to, or nothing to be paid any more, which the document may not know yet: it is done with.
    if (status === null || to === null || status === 'void') return
    queueMail(tx, deps, { kind: 'invoice', mail: { to, ...mailAbout(document) }, usefulUntil: null })
  })
}

function mailAbout({ invoice, partner, fileName, pdf }: InvoiceDocument) {
  const content = invoiceMail({
    businessName: partner.name,
    number: invoice.number ?? '',
    month: monthInWords(invoice.month),
    total: `£${grouped(formatPence(invoice.total))}`,
    due: invoice.dueAt === null ? '' : dayInWords(invoice.dueAt),
    lines: invoice.lines.map((line) => [line.description, `£${grouped(formatPence(line.amount))}`]),
  })
  return { ...content, attachments: [{ fileName, contentType: 'application/pdf', base64: pdf.toString('base64') }] }
}
