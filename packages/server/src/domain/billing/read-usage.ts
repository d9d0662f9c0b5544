// A month's figures and cost, from its sums and charges: reading takes no longer because of other months.
import { AppError } from '../../core/errors.ts'
import { type Month, lastMomentOf, londonMonth, parseMonth } from '../../core/london-month.ts'
import { type Pence, sumPence } from '../../core/money.ts'
import { planAt } from '../../core/plan.ts'
import type { Scope } from '../../core/scope.ts'
import type { InvoiceLineRow } from '../../storage/invoices.ts'
import { listPlans } from '../../storage/plans.ts'
import { type MonthlyUsage, readUsage as readMonth } from '../../storage/usage.ts'
import type { Deps } from '../deps.ts'
import { invoiceLines } from './invoice-lines.ts'

export interface UsageSoFar {
  readonly month: Month
  readonly usage: MonthlyUsage | null
  readonly lines: readonly InvoiceLineRow[]
  readonly total: Pence
}

/** The month so far, or a past month by name. */
export async function readUsage(
  deps: Pick<Deps, 'reports' | 'clock'>,
  scope: Scope,
  asked: { verifiedAt: Date | null; month?: string | undefined },
): Promise<UsageSoFar> {
  const { verifiedAt } = asked
  const thisMonth = londonMonth(deps.clock.now())
  const month = asked.month === undefined ? thisMonth : monthUpTo(asked.month, thisMonth)
  // Not on the look-ups' connection: a busy month has many charges to add up, and look-ups must not wait for it.
  const [{ usage, charges }, monthlyAccount] = await Promise.all([
    readMonth(deps.reports, scope, month),
    scope.environment === 'live' ? accountOf(deps, scope, month) : null,
  ])
  const lines = monthlyAccount === null ? [] : invoiceLines({ month, charges, verifiedAt, monthlyAccount })
  return { month, usage, lines, total: sumPence(lines.map((line) => line.amount)) }
}

/** What the month's account costs by the plan of its end, as the invoice has it; then it is among the charges. */
async function accountOf(deps: Pick<Deps, 'reports'>, scope: Scope, month: Month): Promise<Pence> {
  return planAt(await listPlans(deps.reports, scope.partnerId), lastMomentOf(month)).monthlyAccount
}

/** The month that a text names; one that has not begun is refused. */
export function monthUpTo(text: string, thisMonth: Month): Month {
  const month = parseMonth(text)
  if (month !== null && month <= thisMonth) return month
  throw new AppError('invalid_request', `There are no figures for ${text} yet: the newest month is ${thisMonth}.`, {
    details: { fields: [`month (a month such as ${thisMonth}, not after it)`] },
  })
}
