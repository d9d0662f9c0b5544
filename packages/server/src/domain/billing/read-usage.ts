// A month's figures and cost, from its sums and charges: reading takes no longer because of other months.
import { AppError } from '../../core/errors.ts'
import { type Month, lastMomentOf, londonMonth, parseMonth } from '../../core/london-month.ts'
import { type Pence, sumPence } from '../../core/money.ts'
import { type Plan, planAt } from '../../core/plan.ts'
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
  asked: { plan: Plan; verifiedAt: Date | null; month?: string | undefined },
): Promise<UsageSoFar> {
  const { verifiedAt } = asked
  const thisMonth = londonMonth(deps.clock.now())
  const month = asked.month === undefined ? thisMonth : monthUpTo(asked.month, thisMonth)
  // Not on the look-ups' connection: a busy month has many charges to add up, and look-ups must not wait for it.
  const { usage, charges } = await readMonth(deps.reports, scope, month)
  const plan = month === thisMonth ? asked.plan : await planAtTheEndOf(deps, scope, month)
  const lines =
    scope.environment === 'live'
      ? invoiceLines({ month, charges, verifiedAt, monthlyAccount: plan.monthlyAccount })
      : []
  return { month, usage, lines, total: sumPence(lines.map((line) => line.amount)) }
}

/** Only needed while a past month has no invoice yet; after that the account is among its charges. */
async function planAtTheEndOf(deps: Pick<Deps, 'reports'>, scope: Scope, month: Month): Promise<Plan> {
  return planAt(await listPlans(deps.reports, scope.partnerId), lastMomentOf(month))
}

/** The month that a text names; one that has not begun is refused. */
export function monthUpTo(text: string, thisMonth: Month): Month {
  const month = parseMonth(text)
  if (month !== null && month <= thisMonth) return month
  throw new AppError('invalid_request', `There are no figures for ${text} yet: the newest month is ${thisMonth}.`, {
    details: { fields: [`month (a month such as ${thisMonth}, not after it)`] },
  })
}
