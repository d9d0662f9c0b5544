// An invoice as a document: its facts in words, with what the live wallet did in its month.
import { notFound } from '../../core/errors.ts'
import { londonMidnight, nextMonth } from '../../core/london-month.ts'
import { type Pence, formatPence, formatPenceExact, formatUsdcExact } from '../../core/money.ts'
import { dayInWords, grouped, monthInWords } from '../../core/words.ts'
import type { InvoiceFacts } from '../../documents/invoice-facts.ts'
import type { InvoiceLineRow } from '../../storage/invoices.ts'
import { type BilledPartner, findBilledPartner } from '../../storage/partners.ts'
import { type MovementSums, sumMovements } from '../../storage/statements.ts'
import type { Deps } from '../deps.ts'
import { type InvoiceWithLines, readInvoice } from './list-invoices.ts'

export interface InvoiceDocument {
  readonly invoice: InvoiceWithLines
  readonly partner: BilledPartner
  readonly fileName: string
  readonly pdf: Buffer
}

type DocumentDeps = Pick<Deps, 'reports' | 'clock' | 'operator' | 'studio'>

export async function readInvoiceDocument(deps: DocumentDeps, partnerId: string, id: string): Promise<InvoiceDocument> {
  const invoice = await readInvoice(deps, partnerId, id)
  const period = { from: londonMidnight(invoice.month), to: londonMidnight(nextMonth(invoice.month)) }
  const [partner, wallet] = await Promise.all([
    findBilledPartner(deps.reports, partnerId),
    sumMovements(deps.reports, { partnerId, environment: 'live' }, period),
  ])
  const facts = partner === null ? null : factsOf(deps, { invoice, partner, wallet })
  if (partner === null || facts === null) throw notFound()
  return { invoice, partner, fileName: `${facts.number}.pdf`, pdf: await deps.studio.invoice(partnerId, facts) }
}

/** Null when nothing is to be paid: not yet, or because it comes to nothing. */
export function dueInWords({ total, dueAt }: Pick<InvoiceWithLines, 'total' | 'dueAt'>): string | null {
  return dueAt === null || total === 0n ? null : dayInWords(dueAt)
}

/** Null for a draft, which has nothing to show. */
function factsOf(
  deps: Pick<Deps, 'operator'>,
  { invoice, partner, wallet }: { invoice: InvoiceWithLines; partner: BilledPartner; wallet: MovementSums },
): InvoiceFacts | null {
  const { number, issuedAt, dueAt, status } = invoice
  if (number === null || issuedAt === null || dueAt === null || status === 'draft') return null
  return {
    number,
    // Overdue depends on the day of looking; the document stays the same.
    status: status === 'overdue' ? 'issued' : status,
    month: monthInWords(invoice.month),
    issuedAt,
    issued: dayInWords(issuedAt),
    due: dueInWords(invoice),
    paid: invoice.paidAt === null ? null : dayInWords(invoice.paidAt),
    operator: deps.operator,
    partner: {
      name: invoice.billedName ?? partner.name,
      address: invoice.billedAddress,
      email: partner.billingEmail,
      vatNumber: invoice.billedVatNumber,
      logo: partner.logo,
      color: partner.brandColor,
    },
    lines: linesInWords(invoice.lines),
    total: totalInWords(invoice.total),
    wallet: walletInWords(wallet),
  }
}

export function linesInWords(lines: readonly InvoiceLineRow[]): InvoiceFacts['lines'] {
  return lines.map((line) => ({
    description: line.description,
    quantity: grouped(line.quantity.toString()),
    unitPrice: line.unitPrice === null ? '' : grouped(formatPenceExact(line.unitPrice)),
    amount: grouped(formatPence(line.amount)),
  }))
}

export const totalInWords = (total: Pence): string => `£${grouped(formatPence(total))}`

export function walletInWords(sums: MovementSums): (readonly [string, string])[] {
  const figure = (amount: MovementSums['opening']) => grouped(formatUsdcExact(amount))
  const taken = sums.takenOut === 0n ? [] : [['Corrections', `−${figure(sums.takenOut)}`] as const]
  return [
    ['At the beginning', figure(sums.opening)],
    ['Top-ups', figure(sums.toppedUp)],
    ...taken,
    ['Payouts', sums.paidOut === 0n ? '0.00' : `−${figure(sums.paidOut)}`],
    ['Returned to the wallet', figure(sums.cameBack)],
    ['At the end', figure(sums.closing)],
  ]
}
