import type { PayoutDay, PayoutStatus, PayoutSummary } from '@kestrel/contract'

import { formatPence } from '../../core/money.ts'
import type { PayoutDay as DayValue, PayoutSums, SumsOfFilter } from '../../domain/payouts/read/sum-payouts.ts'

type OneStatus = PayoutSums['byStatus'][PayoutStatus]

export function presentPayoutSums(sums: SumsOfFilter): PayoutSummary {
  return {
    object: 'payout_summary',
    count: sums.count,
    amount_gbp: formatPence(sums.amount),
    fee_gbp: formatPence(sums.fee),
    counted_from: sums.countedFrom?.toISOString() ?? null,
    by_status: byStatus(sums, ({ count, amount }) => ({ count, amount_gbp: formatPence(amount) })),
  }
}

export function presentPayoutDay(day: DayValue): PayoutDay {
  return {
    date: day.date,
    completed_gbp: formatPence(day.completed),
    other_gbp: formatPence(day.notCompleted),
    fees_gbp: formatPence(day.fees),
    count: day.count,
    by_status: byStatus(day, ({ count }) => count),
  }
}

function byStatus<T>(sums: PayoutSums, present: (one: OneStatus) => T): Record<PayoutStatus, T> {
  return Object.fromEntries(Object.entries(sums.byStatus).map(([status, one]) => [status, present(one)])) as Record<
    PayoutStatus,
    T
  >
}
