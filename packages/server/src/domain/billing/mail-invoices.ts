// Mails new invoices to partners, with the document attached. This is apart from issuing them: drawing needs no lock,
// and a document that cannot be drawn keeps no invoice from being issued.
import { isDeepStrictEqual } from 'node:util'

import { formatPence } from '../../core/money.ts'
import { dayInWords, grouped, monthInWords } from '../../core/words.ts'
import type { Attachment } from '../../mail/mail.ts'
import { invoiceMail } from '../../mail/templates/invoice-mails.ts'
import {
  type InvoiceToMail,
  listInvoicesToMail,
  lockInvoiceToMail,
  markInvoiceMailed,
  putOffInvoiceMail,
} from '../../storage/invoice-mails.ts'
import { findBilledPartner } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { headAttachments } from '../audit/head-file.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { type InvoiceDocument, dueInWords, readInvoiceDocument } from './invoice-document.ts'

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

/** Whoever changes something in the second that a drawing takes does it once; a third time is no accident. */
const MOST_DRAWINGS = 3

type OnWritten = (tx: Tx) => void

/**
 * Queues the mail once, however many ask at a time. Mail and document say what is true in the moment in which the mail
 * is written: what has changed since the document was drawn has it drawn anew. `onWritten` runs in the same transaction.
 */
export async function mailInvoice(
  deps: Deps,
  { partnerId, id }: { partnerId: string; id: string },
  onWritten: OnWritten = () => undefined,
): Promise<InvoiceMailed> {
  for (let drawing = 1; drawing <= MOST_DRAWINGS; drawing++) {
    const document = await readInvoiceDocument(deps, partnerId, id)
    const outcome = await deps.db.inTransaction((tx) => writeMail(tx, deps, document, onWritten))
    if (outcome !== 'outdated') return outcome
  }
  throw new Error(`The invoice or its business changed each of the ${MOST_DRAWINGS} times that it was drawn.`)
}

async function writeMail(
  tx: Tx,
  deps: Deps,
  document: InvoiceDocument,
  onWritten: OnWritten,
): Promise<InvoiceMailed | 'outdated'> {
  const { invoice } = document
  const now = await lockInvoiceToMail(tx, invoice)
  if (now === null) return 'written_before'
  const partner = await findBilledPartner(tx, invoice.partnerId)
  const isVoid = now.status === 'void'
  // Nothing else that the document shows can change once an invoice is issued.
  const isAsDrawn = isDeepStrictEqual([now.paidAt, partner], [invoice.paidAt, document.partner])
  if (!isVoid && !isAsDrawn) return 'outdated'
  markInvoiceMailed(tx, invoice, deps.clock.now())
  if (isVoid) return 'void'
  const to = document.partner.billingEmail
  if (to === null) return 'no_address'
  const heads = await headAttachments(tx, invoice.partnerId)
  queueMail(tx, deps, { kind: 'invoice', mail: { to, ...mailAbout(document, heads) }, usefulUntil: null })
  onWritten(tx)
  return 'written'
}

function mailAbout({ invoice, partner, fileName, pdf }: InvoiceDocument, heads: readonly Attachment[]) {
  const content = invoiceMail({
    businessName: partner.name,
    number: invoice.number ?? '',
    month: monthInWords(invoice.month),
    total: `£${grouped(formatPence(invoice.total))}`,
    due: dueInWords(invoice),
    paid: invoice.paidAt === null ? null : dayInWords(invoice.paidAt),
    lines: invoice.lines.map((line) => [line.description, `£${grouped(formatPence(line.amount))}`]),
    hasHeads: heads.length > 0,
  })
  const drawn = { fileName, contentType: 'application/pdf', base64: pdf.toString('base64') }
  return { ...content, attachments: [drawn, ...heads] }
}
