// Sums over payouts: over a filter, and day by day.
import { PayoutDayList, PayoutSummary } from '@kestrel/contract'
import { type Static, Type } from 'typebox'

import { MONTH_PATTERN, parseMonth } from '../../core/london-month.ts'
import { AppError } from '../../core/errors.ts'
import { completedByDay, payoutsByDay, sumPayouts } from '../../domain/payouts/read/sum-payouts.ts'
import { scopeOf } from '../access/authenticate.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { type PayoutFilterQuery, PayoutFilterQuerySchema, payoutCriteria } from '../query/payout-query.ts'
import { presentList } from '../present/lists.ts'
import { presentPayoutDay, presentPayoutSums } from '../present/payout-figures.ts'
import { AGGREGATE } from '../access/route-cost.ts'
import type { RouteContext } from './route-context.ts'

const DEFAULT_DAYS = 7
const A_MONTH = 'a month such as 2026-10, and then no days'

const DaysQuery = Type.Object(
  {
    ...EnvironmentQuery.properties,
    days: Type.Optional(
      Type.Unsafe<7 | 14 | 30>({
        type: 'integer',
        enum: [7, 14, 30],
        default: DEFAULT_DAYS,
        description: 'How many days, today included.',
        'x-rule': '7, 14 or 30',
      }),
    ),
    completed_in: Type.Optional(
      Type.String({
        pattern: MONTH_PATTERN,
        description:
          'Instead of the last days, those of this month up to today, each with the payouts that first completed on it, whatever happened to them since. They add up to the usage of the month.',
        'x-rule': A_MONTH,
        examples: ['2026-10'],
      }),
    ),
  },
  { additionalProperties: false },
)

export function addPayoutFigureRoutes(context: RouteContext): void {
  addSummary(context)
  addDays(context)
}

function addSummary({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Querystring: PayoutFilterQuery }>('/v1/payouts/summary', {
    config: { auth: 'key', action: 'payouts.sum', ...AGGREGATE },
    schema: operationSchema(
      {
        id: 'sumPayouts',
        tag: 'Payouts',
        summary: 'Sum payouts up',
        description:
          'How many payouts fit the filters of the list, and their sums. Where `counted_from` is set, there are older payouts that were not looked at.',
        query: PayoutFilterQuerySchema,
        ok: { 200: { schema: PayoutSummary, description: 'The sums.' } },
        errors: ['invalid_request'],
        curl: (base) =>
          `curl "${base}/v1/payouts/summary?status=completed,processing" \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request) =>
      presentPayoutSums(await sumPayouts(deps, scopeOf(request), payoutCriteria(request.query))),
  })
}

function addDays({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Querystring: Static<typeof DaysQuery> }>('/v1/payouts/daily', {
    config: { auth: 'key', action: 'payouts.daily', ...AGGREGATE },
    schema: operationSchema(
      {
        id: 'listPayoutDays',
        tag: 'Payouts',
        summary: 'List payouts by day',
        description:
          'The last days in London time, each with the payouts that were created on it, by what they are now. Or the days of a month, each with the payouts that completed on it.',
        query: DaysQuery,
        ok: { 200: { schema: PayoutDayList, description: 'The days, today last.' } },
        errors: ['invalid_request'],
        curl: (base) => `curl "${base}/v1/payouts/daily?days=7" \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request) => {
      const { days: count, completed_in: asked } = request.query
      const month = asked === undefined ? null : parseMonth(asked)
      if (month !== null && count !== undefined) throw bothAsked()
      const days =
        month === null
          ? await payoutsByDay(deps, scopeOf(request), count ?? DEFAULT_DAYS)
          : await completedByDay(deps, scopeOf(request), month)
      return presentList(days.map(presentPayoutDay))
    },
  })
}

function bothAsked(): AppError {
  return new AppError('invalid_request', 'Ask for the last days or for a month, not for both.', {
    details: { fields: [`completed_in (${A_MONTH})`] },
  })
}
