// Sums over many payouts: over a filter, and day by day.
import { Type, type Static, type TSchema } from 'typebox'

import { PAYOUT_STATUSES, type PayoutStatus } from './payout-status.ts'
import { DateTime, Day, Money } from './scalars.ts'
import { ListOf, Named, Nullable } from './schema.ts'

/** One value for each status, including zeros. */
function ByStatus<T extends TSchema>(value: T) {
  return Type.Object(Object.fromEntries(PAYOUT_STATUSES.map((status) => [status, value])) as Record<PayoutStatus, T>)
}

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const PayoutSummary = Named(
  'PayoutSummary',
  Type.Object(
    {
      object: Type.Literal('payout_summary'),
      count: Count('How many payouts the filters leave.'),
      amount_gbp: Money('The sum of their `amount_gbp`.', '125.00'),
      fee_gbp: Money('The sum of their `fee_gbp`. Only those that complete are charged.', '6.20'),
      counted_from: Nullable({
        ...DateTime,
        description:
          'Null: all payouts were looked at. Filters that no sum is kept for, such as `q` and amounts, are looked for in the newest 100,000 payouts, and this is when the oldest of them was created. `created_to` moves on to those before it.',
      }),
      by_status: ByStatus(
        Type.Object({
          count: Count('How many have this status.'),
          amount_gbp: Money('The sum of their `amount_gbp`.', '100.00'),
        }),
      ),
    },
    { description: 'Sums over the payouts of a filter.' },
  ),
)
export type PayoutSummary = Static<typeof PayoutSummary>

export const PayoutDay = Named(
  'PayoutDay',
  Type.Object(
    {
      date: Day,
      completed_gbp: Money(
        'What recipients received of the payouts created on this day; of a month’s days, of those that completed on it.',
        '75.00',
      ),
      other_gbp: Money('The amounts of those that are not completed, or not any more.', '25.00'),
      fees_gbp: Money('The whole fees of the completed ones.', '3.72'),
      count: Count('Payouts created on this day; of a month’s days, those that completed on it.'),
      by_status: ByStatus(Count('How many of them have this status now.')),
    },
    { description: 'One day of Europe/London.' },
  ),
)
export type PayoutDay = Static<typeof PayoutDay>

export const PayoutDayList = ListOf(PayoutDay, {
  $id: 'PayoutDayList',
  description: 'The last days, or those of a month, the newest last. Days without payouts are included.',
})
