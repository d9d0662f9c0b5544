import type { Invoice, Usage } from '@kestrel/contract'

import { firstDay } from '../../core/london-month.ts'
import { formatPence, pence } from '../../core/money.ts'
import type { InvoiceWithLines } from '../../domain/billing/list-invoices.ts'
import type { UsageSoFar } from '../../domain/billing/read-usage.ts'

export function presentUsage(soFar: UsageSoFar): Usage {
  const { usage } = soFar
  return {
    object: 'usage',
    period_start: firstDay(soFar.month),
    payouts: {
      count: Number.parseInt(String(usage?.created ?? 0n), 10),
      completed: Number.parseInt(String(usage?.completed ?? 0n), 10),
      paid_to_sellers_gbp: formatPence(usage?.paid ?? pence(0n)),
      fees_gbp: formatPence(usage?.fee ?? pence(0n)),
    },
    invoice_so_far: {
      lines: soFar.lines.map((line) => ({ kind: line.kind, amount_gbp: formatPence(line.amount) })),
      total_gbp: formatPence(soFar.total),
    },
  }
}

export function presentInvoice(invoice: InvoiceWithLines): Invoice {
  return {
    id: invoice.id,
    period: invoice.month,
    status: invoice.status,
    total_gbp: formatPence(invoice.total),
    issued_at: invoice.issuedAt?.toISOString() ?? null,
    due_at: invoice.dueAt?.toISOString() ?? null,
    lines: invoice.lines.map((line) => ({
      kind: line.kind,
      description: line.description,
      quantity: Number.parseInt(String(line.quantity), 10),
      unit_price_gbp: line.unitPrice === null ? null : formatPence(line.unitPrice),
      amount_gbp: formatPence(line.amount),
      period_start: line.periodStart,
      period_end: line.periodEnd,
    })),
  }
}
