import type { Invoice, InvoicedPayoutList, RehearsalInvoice, Usage } from '@kestrel/contract'

import { firstDay } from '../../core/london-month.ts'
import { formatPence, formatPenceExact, pence, roundedPence, wholePence } from '../../core/money.ts'
import type { InvoicedPage } from '../../domain/billing/list-invoiced-payouts.ts'
import type { InvoiceWithLines } from '../../domain/billing/list-invoices.ts'
import type { UsageSoFar } from '../../domain/billing/read-usage.ts'
import type { Rehearsal } from '../../domain/billing/rehearse-invoice.ts'
import type { Deps } from '../../domain/deps.ts'
import { presentPayout } from './payout.ts'

/** Counts of a month are far below what a JSON number can hold. */
const count = (quantity: bigint): number => Number.parseInt(String(quantity), 10)

export function presentUsage(soFar: UsageSoFar): Usage {
  const { usage } = soFar
  return {
    object: 'usage',
    period_start: firstDay(soFar.month),
    payouts: {
      count: count(usage?.created ?? 0n),
      completed: count(usage?.completed ?? 0n),
      paid_to_sellers_gbp: formatPence(usage?.paid ?? pence(0n)),
      fees_gbp: formatPence(usage?.fee ?? pence(0n)),
    },
    invoice_so_far: {
      lines: soFar.lines.map(presentLine),
      total_gbp: formatPence(soFar.total),
    },
  }
}

/** A line as it is shown, on the invoice and before there is one. */
function presentLine(line: InvoiceWithLines['lines'][number]): Usage['invoice_so_far']['lines'][number] {
  const wholePrice = line.unitPrice === null ? null : wholePence(line.unitPrice)
  return {
    kind: line.kind,
    description: line.description,
    quantity: count(line.quantity),
    unit_price_gbp: wholePrice === null ? null : formatPence(wholePrice),
    unit_price_exact_gbp: line.unitPrice === null ? null : formatPenceExact(line.unitPrice),
    amount_gbp: formatPence(line.amount),
  }
}

/** With the operator's bank details while there is something to pay. */
export function presentInvoice(invoice: InvoiceWithLines, paymentDetails: string | null): Invoice {
  const isOwed = (invoice.status === 'issued' || invoice.status === 'overdue') && invoice.total > 0n
  return {
    id: invoice.id,
    number: invoice.number,
    period: invoice.month,
    status: invoice.status,
    total_gbp: formatPence(invoice.total),
    issued_at: invoice.issuedAt?.toISOString() ?? null,
    due_at: invoice.dueAt?.toISOString() ?? null,
    paid_at: invoice.paidAt?.toISOString() ?? null,
    voided_at: invoice.voidedAt?.toISOString() ?? null,
    how_to_pay: isOwed ? paymentDetails : null,
    lines: presentLines(invoice.lines),
  }
}

function presentLines(lines: InvoiceWithLines['lines']): Invoice['lines'] {
  return lines.map((line, index) => ({
    line: index + 1,
    ...presentLine(line),
    period_start: line.periodStart,
    period_end: line.periodEnd,
  }))
}

export function presentRehearsal({ month, total, lines }: Rehearsal): RehearsalInvoice {
  return {
    object: 'rehearsal_invoice',
    rehearsal: true,
    number: null,
    period: month,
    status: 'draft',
    total_gbp: formatPence(total),
    issued_at: null,
    due_at: null,
    paid_at: null,
    voided_at: null,
    how_to_pay: null,
    lines: presentLines(lines),
  }
}

export function presentInvoicedPayouts(deps: Pick<Deps, 'rails'>, page: InvoicedPage): InvoicedPayoutList {
  return {
    object: 'list',
    data: page.payouts.map(({ amount, at, payout }) => ({
      object: 'invoiced_payout',
      charged_gbp: formatPence(roundedPence(amount)),
      charged_exact_gbp: formatPenceExact(amount),
      charged_at: at.toISOString(),
      payout: presentPayout(deps, payout),
    })),
    has_more: page.nextCursor !== null,
    next_cursor: page.nextCursor,
  }
}
