// Sums over the payouts of a filter, and the last days one by one.
import { PAYOUT_STATUSES, type PayoutStatus } from '@kestrel/contract'

import { type LondonDay, daysUpTo, londonDay } from '../../../core/london-day.ts'
import { type Month, daysOf, firstDay, nextMonth } from '../../../core/london-month.ts'
import { type Pence, pence, sumPence } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import type { PayoutCriteria } from '../../../storage/payout-criteria.ts'
import { type DaySum, type StatusSum, sumCompletedByDay, sumPayoutsByDay } from '../../../storage/payout-days.ts'
import { sumPayouts as readSums } from '../../../storage/payout-sums.ts'
import type { Deps } from '../../deps.ts'

export interface PayoutSums {
  readonly count: number
  readonly amount: Pence
  readonly fee: Pence
  readonly byStatus: Readonly<Record<PayoutStatus, { readonly count: number; readonly amount: Pence }>>
}

export interface SumsOfFilter extends PayoutSums {
  /** When the oldest payout that was looked at was created, if there were more than are looked at. Null: all of them were. */
  readonly countedFrom: Date | null
}

export async function sumPayouts(
  deps: Pick<Deps, 'reports'>,
  scope: Scope,
  criteria: PayoutCriteria,
): Promise<SumsOfFilter> {
  const { sums, downTo } = await readSums(deps.reports, scope, criteria)
  return { ...sumsOf(sums), countedFrom: downTo?.createdAt ?? null }
}

export interface PayoutDay extends PayoutSums {
  readonly date: LondonDay
  readonly completed: Pence
  readonly notCompleted: Pence
  /** Fees of the completed ones: only they are charged. */
  readonly fees: Pence
}

/** Today is the last day; days without payouts are included. */
export async function payoutsByDay(
  deps: Pick<Deps, 'reports' | 'clock'>,
  scope: Scope,
  count: number,
): Promise<PayoutDay[]> {
  const days = daysUpTo(londonDay(deps.clock.now()), count)
  const rows = await sumPayoutsByDay(deps.reports, scope, days[0]!)
  return sumsByDay(days, rows, ({ status }) => status === 'completed')
}

/**
 * The days of a month up to today, each with the payouts that first completed on it. Those that came back later still
 * count, as in the month's usage, so the days add up to that.
 */
export async function completedByDay(
  deps: Pick<Deps, 'reports' | 'clock'>,
  scope: Scope,
  month: Month,
): Promise<PayoutDay[]> {
  const today = londonDay(deps.clock.now())
  const days = daysOf(month).filter((day) => day <= today)
  const rows = await sumCompletedByDay(deps.reports, scope, firstDay(month), firstDay(nextMonth(month)))
  return sumsByDay(days, rows, () => true)
}

function sumsByDay(
  days: readonly LondonDay[],
  rows: readonly DaySum[],
  isCompleted: (row: DaySum) => boolean,
): PayoutDay[] {
  return days.map((date) => {
    const own = rows.filter((row) => row.date === date)
    const [completed, others] = [own.filter(isCompleted), own.filter((row) => !isCompleted(row))]
    return {
      ...sumsOf(own),
      date,
      completed: sumPence(completed.map((row) => row.amount)),
      notCompleted: sumPence(others.map((row) => row.amount)),
      fees: sumPence(completed.map((row) => row.fee)),
    }
  })
}

function sumsOf(rows: readonly StatusSum[]): PayoutSums {
  const byStatus = new Map(rows.map((row) => [row.status, row]))
  return {
    count: rows.reduce((total, row) => total + row.count, 0),
    amount: sumPence(rows.map((row) => row.amount)),
    fee: sumPence(rows.map((row) => row.fee)),
    byStatus: Object.fromEntries(
      PAYOUT_STATUSES.map((status) => {
        const { count = 0, amount = pence(0n) } = byStatus.get(status) ?? {}
        return [status, { count, amount }]
      }),
    ) as PayoutSums['byStatus'],
  }
}
