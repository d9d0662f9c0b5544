// A month, from sums that are kept as payouts move: its cost does not grow with the number of payouts.
import { after } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { type Month, londonMidnight, londonMonth, nextMonth, parseMonth } from '../../core/london-month.ts'
import { type Pence, sumPence } from '../../core/money.ts'
import type { Plan } from '../../core/plan.ts'
import type { Scope } from '../../core/scope.ts'
import { type InvoiceLineRow, listLinesOfMonth } from '../../storage/invoices.ts'
import { findPlanAt } from '../../storage/plans.ts'
import { type MonthlyUsage, readUsage as readMonth } from '../../storage/usage.ts'
import type { Deps } from '../deps.ts'
import { invoiceLines } from './invoice-lines.ts'

export interface UsageSoFar {
  readonly month: Month
  readonly usage: MonthlyUsage | null
  readonly lines: readonly InvoiceLineRow[]
  readonly total: Pence
}

interface Billed {
  readonly plan: Plan
  readonly verifiedAt: Date | null
}

/** The month so far, or one that is over when it is named. */
export async function readUsage(
  deps: Pick<Deps, 'db' | 'clock'>,
  scope: Scope,
  asked: Billed & { month?: string | undefined },
): Promise<UsageSoFar> {
  const thisMonth = londonMonth(deps.clock.now())
  const month = asked.month === undefined ? thisMonth : monthUpTo(asked.month, thisMonth)
  const usage = await readMonth(deps.db.lookup, scope, month)
  const lines = scope.environment === 'live' ? await linesOf(deps, scope, { ...asked, month, usage, thisMonth }) : []
  return { month, usage, lines, total: sumPence(lines.map((line) => line.amount)) }
}

/** A month that is over costs what its invoice says, or what the plan of its last day does until there is one. */
async function linesOf(
  deps: Pick<Deps, 'db'>,
  scope: Scope,
  bill: Billed & { month: Month; usage: MonthlyUsage | null; thisMonth: Month },
): Promise<readonly InvoiceLineRow[]> {
  const { month, usage, verifiedAt } = bill
  if (month === bill.thisMonth) return invoiceLines({ month, usage, verifiedAt, plan: bill.plan })
  const billed = await listLinesOfMonth(deps.db, scope.partnerId, month)
  if (billed.length > 0) return billed
  const plan = await findPlanAt(deps.db, scope.partnerId, after(londonMidnight(nextMonth(month)), -1))
  return plan === null ? [] : invoiceLines({ month, usage, verifiedAt, plan })
}

function monthUpTo(text: string, thisMonth: Month): Month {
  const month = parseMonth(text)
  if (month !== null && month <= thisMonth) return month
  throw new AppError('invalid_request', `There is nothing to tell of ${text} yet: the newest month is ${thisMonth}.`, {
    details: { fields: [`month (a month such as ${thisMonth}, not after it)`] },
  })
}
