// Tells partners of new invoices, with the document attached. Apart from cutting them: a picture is drawn under nobody's
// lock, and a document that cannot be made keeps no invoice from being issued.
import { formatPence } from '../../core/money.ts'
import { dayInWords, grouped, monthInWords } from '../../core/words.ts'
import { invoiceMail } from '../../mail/templates/invoice-mails.ts'
import {
  type InvoiceToMail,
  claimInvoiceMail,
  listInvoicesToMail,
  putOffInvoiceMail,
} from '../../storage/invoice-mails.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { type InvoiceDocument, readInvoiceDocument } from './invoice-document.ts'

/** How many were seen to. */
export async function mailInvoices(deps: Deps): Promise<number> {
  const waiting = await listInvoicesToMail(deps.db, deps.clock.now())
  let failed = 0
  for (const invoice of waiting) {
    await mailInvoice(deps, invoice).catch(async (cause: unknown) => {
      failed += 1
      await putOff(deps, invoice, cause)
    })
  }
  if (waiting.length > failed) deps.post.wake()
  return waiting.length - failed
}

const MINUTE_MS = 60_000
/** 2 to the power of 8 minutes: about every four hours. */
const MOST_DOUBLINGS = 8

/** One that cannot be made is the operator's to see, and is tried again: after a minute, two, four, and so on. */
async function putOff(deps: Deps, invoice: InvoiceToMail, cause: unknown): Promise<void> {
  const { partnerId, id, number, attempts } = invoice
  deps.onAlarm('an invoice could not be mailed', {
    partnerId,
    invoiceId: id,
    number,
    attempts: attempts + 1,
    err: cause,
  })
  const pauseMs = MINUTE_MS * 2 ** Math.min(attempts, MOST_DOUBLINGS)
  const until = new Date(deps.clock.now().getTime() + pauseMs)
  await deps.db.inTransaction(async (tx) => putOffInvoiceMail(tx, { partnerId, id }, until))
}

/** `written`: it is in the post. `written_before`: it was already. The other two have nobody to be written to, or no cause. */
export type InvoiceMailed = 'written' | 'written_before' | 'no_address' | 'void'

/** Once, whoever asks for it and however many at a time. What is done with it is done in the same transaction. */
export async function mailInvoice(
  deps: Deps,
  { partnerId, id }: { partnerId: string; id: string },
  onWritten: (tx: Tx) => void = () => undefined,
): Promise<InvoiceMailed> {
  const document = await readInvoiceDocument(deps, partnerId, id)
  const to = document.partner.billingEmail
  return deps.db.inTransaction(async (tx) => {
    const status = await claimInvoiceMail(tx, { partnerId, id }, deps.clock.now())
    if (status === null) return 'written_before'
    // Nobody to write to, or nothing to be paid any more, which the document may not know yet: it is done with.
    if (status === 'void') return 'void'
    if (to === null) return 'no_address'
    queueMail(tx, deps, { kind: 'invoice', mail: { to, ...mailAbout(document) }, usefulUntil: null })
    onWritten(tx)
    return 'written'
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
