// Proves that every line is its charges, every total its lines, and all invoices together the completed live payouts.
import { lastMonthBilled } from '../../core/billing-calendar.ts'
import { type Pence, pence } from '../../core/money.ts'
import {
  BILLING_CHECKS,
  type BillingBreak,
  countBilling,
  findBillingBreaks,
  takeTimeAndRoom,
} from '../../storage/billing-audit.ts'
import type { Deps } from '../deps.ts'

export interface Audit {
  readonly checks: readonly string[]
  readonly breaks: readonly BillingBreak[]
  readonly invoices: number
  readonly charges: number
  readonly payouts: number
  readonly total: Pence
}

export async function auditInvoices(deps: Pick<Deps, 'reports' | 'clock'>): Promise<Audit> {
  const last = lastMonthBilled(deps.clock.now())
  return deps.reports.inTransaction(async (tx) => {
    takeTimeAndRoom(tx)
    const breaks = await findBillingBreaks(tx, last)
    const { total, ...counts } = await countBilling(tx)
    return { checks: BILLING_CHECKS, breaks, ...counts, total: pence(total) }
  })
}
