// Mails new invoices to partners, with the document attached. This is apart from issuing them: drawing needs no lock,
// and a document that cannot be drawn keeps no invoice from being issued.
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

/** Returns how many invoices were handled. */
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

/** An invoice that cannot be drawn raises an alarm, and is tried again after a minute, two, four, and so on. */
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

/** `written`: the mail is queued. `written_before`: it was already. The other two need no mail. */
export type InvoiceMailed = 'written' | 'written_before' | 'no_address' | 'void'

/** Queues the mail once, however many ask at a time. `onWritten` runs in the same transaction. */
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
    // There is nobody to write to, or nothing left to pay, which the document may not know yet: no mail.
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
