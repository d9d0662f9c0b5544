// What a month costs, line by line: the same lines for the invoice so far and for the invoice itself.
import { type Month, firstDay, lastDay, londonMonth } from '../../core/london-month.ts'
import { pence } from '../../core/money.ts'
import type { Plan } from '../../core/plan.ts'
import type { InvoiceLineRow } from '../../storage/invoices.ts'
import type { MonthlyUsage } from '../../storage/usage.ts'

export interface MonthToBill {
  readonly month: Month
  readonly plan: Plan
  readonly usage: MonthlyUsage | null
  readonly verifiedAt: Date | null
}

/** No lines before the partner was in live; sandbox never has any. */
export function invoiceLines(bill: MonthToBill): InvoiceLineRow[] {
  const { month, plan, usage, verifiedAt } = bill
  if (verifiedAt === null || londonMonth(verifiedAt) > month) return []
  const period = { periodStart: firstDay(month), periodEnd: lastDay(month) }
  const lines: InvoiceLineRow[] = [
    {
      ...period,
      kind: 'payout_fees',
      description: 'Payout fees, less what was taken in the transfers',
      quantity: usage?.completed ?? 0n,
      unitPrice: null,
      amount: usage?.feeOnInvoice ?? pence(0n),
    },
    { ...period, kind: 'monthly_account', description: 'Monthly account', ...once(plan.monthlyAccount) },
  ]
  if (londonMonth(verifiedAt) === month) {
    lines.push({
      ...period,
      kind: 'business_verification',
      description: 'Business verification, one-off',
      ...once(plan.businessVerification),
    })
  }
  return lines
}

function once(price: Plan['monthlyAccount']) {
  return { quantity: 1n, unitPrice: price, amount: price }
}
