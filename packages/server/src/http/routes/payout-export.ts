import { payoutPages } from '../../domain/payouts/read/export-payouts.ts'
import { callerOf, scopeOf } from '../access/authenticate.ts'
import { sendCsv } from '../csv/csv.ts'
import { operationSchema } from '../access/operation.ts'
import { payoutCsv, payoutCsvName } from '../csv/payout-csv.ts'
import { type PayoutFilterQuery, PayoutFilterQuerySchema, payoutCriteria } from '../query/payout-query.ts'
import { EXPORT } from '../access/route-cost.ts'
import type { RouteContext } from './route-context.ts'

export function addPayoutExportRoute({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Querystring: PayoutFilterQuery }>('/v1/payouts/export.csv', {
    config: { auth: 'key', action: 'payouts.export', ...EXPORT },
    schema: operationSchema(
      {
        id: 'exportPayouts',
        tag: 'Payouts',
        summary: 'Export payouts',
        description:
          'Every payout that fits the filters, the newest first, as a CSV file in UTF-8 with headings. Text that a spreadsheet would take for a formula has an apostrophe in front.',
        query: PayoutFilterQuerySchema,
        ok: { 200: { text: 'text/csv', description: 'The file, as it is read.' } },
        errors: ['invalid_request'],
        curl: (base) =>
          `curl "${base}/v1/payouts/export.csv?status=completed,returned" \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const scope = scopeOf(request)
      const criteria = payoutCriteria(request.query)
      const name = payoutCsvName(scope.environment, criteria, {
        since: callerOf(request).createdAt,
        now: deps.clock.now(),
      })
      return sendCsv(reply, name, payoutCsv(payoutPages(deps, scope, criteria)))
    },
  })
}
