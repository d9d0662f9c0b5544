// An invoice's lines, and the payouts behind one of them, as CSV tables.
import { londonDay } from '../../core/london-day.ts'
import { formatPence, formatPenceExact } from '../../core/money.ts'
import type { InvoicedPage } from '../../domain/billing/list-invoiced-payouts.ts'
import type { InvoiceWithLines } from '../../domain/billing/list-invoices.ts'
import { type CsvColumns, csvOf } from './csv.ts'

type Line = InvoiceWithLines['lines'][number] & { readonly invoice: InvoiceWithLines; readonly place: number }

const LINES: CsvColumns<Line> = [
  ['Invoice', ({ invoice }) => invoice.number ?? invoice.id],
  ['Month', ({ invoice }) => invoice.month],
  ['Line', ({ place }) => String(place)],
  ['Kind', ({ kind }) => kind],
  ['Description', ({ description }) => description],
  ['Quantity', ({ quantity }) => quantity.toString()],
  ['Unit price (GBP)', ({ unitPrice }) => (unitPrice === null ? '' : formatPenceExact(unitPrice))],
  ['Amount (GBP)', ({ amount }) => formatPence(amount)],
  ['From', ({ periodStart }) => periodStart],
  ['To', ({ periodEnd }) => periodEnd],
  ['Issued', ({ invoice }) => dayOf(invoice.issuedAt)],
  ['Due', ({ invoice }) => dayOf(invoice.dueAt)],
  ['Status', ({ invoice }) => invoice.status],
]

const dayOf = (moment: Date | null) => (moment === null ? '' : londonDay(moment))

export function invoiceCsv(invoice: InvoiceWithLines): AsyncGenerator<string> {
  return csvOf(LINES, [invoice.lines.map((line, index) => ({ ...line, invoice, place: index + 1 }))])
}

const PAYOUTS: CsvColumns<InvoicedPage['payouts'][number]> = [
  ['Payout', ({ payout }) => payout.id],
  ['Charged (UTC)', ({ at }) => at.toISOString()],
  ['Charged (GBP)', ({ amount }) => formatPenceExact(amount)],
  ['Status', ({ payout }) => payout.status],
  ['Recipient', ({ payout }) => payout.recipientName],
  ['Account ends in', ({ payout }) => payout.accountLast4],
  ['Reference', ({ payout }) => payout.reference ?? ''],
  ['Amount (GBP)', ({ payout }) => formatPence(payout.amount)],
  ['Fee (GBP)', ({ payout }) => formatPence(payout.fee)],
  ['Fee taken in the transfer (GBP)', ({ payout }) => formatPence(payout.feeInTransfer)],
]

export function invoicedPayoutsCsv(pages: AsyncIterable<InvoicedPage['payouts']>): AsyncGenerator<string> {
  return csvOf(PAYOUTS, pages)
}
