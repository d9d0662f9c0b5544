// When an invoice is to be paid, in words, by the days of London.
import type { Invoice } from '@kestrel/contract'

import { daysFrom, londonDay, longDay } from '../format/dates.ts'
import { isZero } from '../format/money.ts'
import { count } from '../format/people.ts'

export type Dated = Pick<Invoice, 'status' | 'total_gbp' | 'due_at' | 'paid_at' | 'voided_at'>

/** "Due in 9 days", "Overdue by 3 days", "Paid on 5 July 2026"; nothing for a draft. */
export function dueWords({ status, total_gbp, due_at, paid_at, voided_at }: Dated, now: Date): string {
  if (paid_at !== null) return `Paid on ${longDay(paid_at)}`
  if (voided_at !== null) return `Void since ${longDay(voided_at)}, nothing to pay`
  if (due_at === null) return ''
  // It is never overdue, so "Due today" would stay for ever.
  if (isZero(total_gbp)) return 'Nothing to pay'
  const left = daysFrom(londonDay(now), londonDay(new Date(due_at)))
  if (status === 'overdue') return left < 0 ? `Overdue by ${count(-left, 'day')}` : 'Overdue since today'
  if (left <= 0) return 'Due today'
  return left === 1 ? 'Due tomorrow' : `Due in ${count(left, 'day')}`
}

/** KP-2026-000123, or the month of a draft. */
export const invoiceName = ({ number }: Pick<Invoice, 'number'>) => number ?? 'Draft invoice'

/** Lines of these kinds add up payouts; those for the account and the verification do not. */
const WITH_PAYOUTS: ReadonlySet<string> = new Set(['payout_fees', 'network_fees', 'bank_exceptions'])

export function hasPayouts({ kind, quantity }: Pick<Invoice['lines'][number], 'kind' | 'quantity'>): boolean {
  return WITH_PAYOUTS.has(kind) && quantity > 0
}
