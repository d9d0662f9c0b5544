// The month so far, from sums that are kept as payouts move: its cost does not grow with the number of payouts.
import { type Month, londonMonth } from '../../core/london-month.ts'
import { type Pence, sumPence } from '../../core/money.ts'
import type { Plan } from '../../core/plan.ts'
import type { Scope } from '../../core/scope.ts'
import type { InvoiceLineRow } from '../../storage/invoices.ts'
import { type MonthlyUsage, readUsage as readMonth } from '../../storage/usage.ts'
import type { Deps } from '../deps.ts'
import { invoiceLines } from './invoice-lines.ts'

export interface UsageSoFar {
  readonly month: Month
  readonly usage: MonthlyUsage | null
  readonly lines: readonly InvoiceLineRow[]
  readonly total: Pence
}

export async function readUsage(
  deps: Pick<Deps, 'db' | 'clock'>,
  scope: Scope,
  partner: { plan: Plan; verifiedAt: Date | null },
): Promise<UsageSoFar> {
  const month = londonMonth(deps.clock.now())
  const usage = await readMonth(deps.db.lookup, scope, month)
  const lines = scope.environment === 'live' ? invoiceLines({ month, usage, ...partner }) : []
  return { month, usage, lines, total: sumPence(lines.map((line) => line.amount)) }
}
