// Which payouts a figure is made of, as the address of their list.
import { lastOfMonth } from '../format/dates.ts'

/** The search that leads to exactly the payouts that a month's usage counts. */
export const completedInMonth = (month: string) => ({
  completed_from: `${month.slice(0, 7)}-01`,
  completed_to: lastOfMonth(month),
})

interface FigureSearch {
  readonly status?: string
  readonly completed_from?: string
  readonly completed_to: string
  readonly ended_from?: string
  readonly ended_to?: string
}

/** The payouts that a month's charges of a kind are for; null for what is charged for something else. */
export function chargedInMonth(kind: string, month: string): FigureSearch | null {
  const { completed_from, completed_to } = completedInMonth(month)
  if (kind === 'payout_fees' || kind === 'network_fees') return { completed_from, completed_to }
  // Only returns of completed payouts are charged, each when its money is back: as a rule in the month in which it ended.
  if (kind === 'bank_exceptions') {
    return { status: 'returned', completed_to, ended_from: completed_from, ended_to: completed_to }
  }
  return null
}
