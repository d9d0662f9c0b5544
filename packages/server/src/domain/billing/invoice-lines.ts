// A month's cost, line by line, from its charges: the same lines for the month so far and for its invoice.
import type { InvoiceLineKind } from '@kestrel/contract'

import { type Month, firstDay, lastDay, londonMonth } from '../../core/london-month.ts'
import { type Pence, exactly, microPence, pence, roundedPence } from '../../core/money.ts'
import type { ChargeSum } from '../../storage/charges.ts'
import type { InvoiceLineRow } from '../../storage/invoices.ts'

export interface MonthToBill {
  readonly month: Month
  readonly charges: readonly ChargeSum[]
  /** The monthly price of the account, which is charged when the month is over; null for one that was closed before. */
  readonly monthlyAccount: Pence | null
  readonly verifiedAt: Date | null
}

const DESCRIPTIONS: Readonly<Record<InvoiceLineKind, string>> = {
  payout_fees: 'Payout fees (the part billed monthly)',
  monthly_account: 'Monthly account',
  business_verification: 'Business verification, one-off',
  network_fees: 'Network fees, at cost plus a share',
  bank_exceptions: 'Bank exceptions (returns, recalls, traces), at cost plus a share',
}
/** In this order; those in `ALWAYS` even when they are zero. */
const KINDS = Object.keys(DESCRIPTIONS) as InvoiceLineKind[]
const ALWAYS: ReadonlySet<InvoiceLineKind> = new Set(['payout_fees', 'monthly_account'])

/** There are no lines before the partner was live; sandbox never has any. */
export function invoiceLines(bill: MonthToBill): InvoiceLineRow[] {
  const { month, monthlyAccount, verifiedAt } = bill
  if (verifiedAt === null || londonMonth(verifiedAt) > month) return []
  const nothing = microPence(0n)
  const none = { quantity: 0n, amount: nothing, least: nothing, most: nothing, posted: pence(0n) }
  const sums = new Map<InvoiceLineKind, Omit<ChargeSum, 'kind'>>([
    ...accountOf(monthlyAccount),
    ...bill.charges.map((sum) => [sum.kind, sum] as const),
  ])
  return KINDS.filter((kind) => sums.has(kind) || (ALWAYS.has(kind) && monthlyAccount !== null)).map((kind) => {
    const { quantity, amount, least, most } = sums.get(kind) ?? none
    return {
      kind,
      description: DESCRIPTIONS[kind],
      quantity,
      // A fee follows from its amount: two equal fees are chance, not a price.
      unitPrice: kind !== 'payout_fees' && least === most ? least : null,
      // Rounded here and nowhere before: a thousand times 0.022 is 22.00.
      amount: roundedPence(amount),
      periodStart: firstDay(month),
      periodEnd: lastDay(month),
    }
  })
}

function accountOf(monthly: Pence | null): ['monthly_account', Omit<ChargeSum, 'kind'>][] {
  if (monthly === null) return []
  const price = exactly(monthly)
  return [['monthly_account', { quantity: 1n, amount: price, least: price, most: price, posted: pence(0n) }]]
}
