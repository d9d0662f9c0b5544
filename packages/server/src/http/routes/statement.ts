// The wallet's statement, in pages or as a file.
import { Statement } from '@kestrel/contract'
import { type Static, Type } from 'typebox'

import { openStatement, readStatement, statementDays } from '../../domain/wallet/read-statement.ts'
import { scopeOf } from '../access/authenticate.ts'
import { sendCsv } from '../csv/csv.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { PAGE_FIELDS, pageAsked } from '../query/page-query.ts'
import { presentStatement } from '../present/statement.ts'
import { statementCsv } from '../csv/statement-csv.ts'
import { AGGREGATE, EXPORT } from '../access/route-cost.ts'
import type { RouteContext } from './route-context.ts'

const day = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      description,
      'x-rule': 'a day such as 2026-11-01',
      examples: ['2026-11-01'],
    }),
  )

const DaysQuery = Type.Object(
  {
    ...EnvironmentQuery.properties,
    from: day('The first day, in London. The 1st of the month of `to` by default.'),
    to: day('The last day, in London. Today by default.'),
  },
  { additionalProperties: false },
)

const PageQuery = Type.Object(
  {
    ...DaysQuery.properties,
    ...PAGE_FIELDS,
  },
  { additionalProperties: false },
)

const DESCRIPTION =
  'Every movement of the wallet, the oldest first, with its payout or deposit and what the wallet held after it. Amounts are exact: two decimals, or as many as it takes.'

export function addStatementRoutes(context: RouteContext): void {
  addPage(context)
  addFile(context)
}

function addPage({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Querystring: Static<typeof PageQuery> }>('/v1/statement', {
    config: { auth: 'key', action: 'statement.read', ...AGGREGATE },
    schema: operationSchema(
      {
        id: 'readStatement',
        tag: 'Billing',
        summary: 'Read the statement of the wallet',
        description: DESCRIPTION,
        query: PageQuery,
        ok: { 200: { schema: Statement, description: 'One page of it.' } },
        errors: ['invalid_request'],
        curl: (base) => `curl "${base}/v1/statement?limit=10" \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request) => {
      const asked = { ...statementDays(deps, request.query), ...pageAsked(request.query) }
      return presentStatement(scopeOf(request), await readStatement(deps, scopeOf(request), asked))
    },
  })
}

function addFile({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Querystring: Static<typeof DaysQuery> }>('/v1/statement.csv', {
    config: { auth: 'key', action: 'statement.export', ...EXPORT },
    schema: operationSchema(
      {
        id: 'exportStatement',
        tag: 'Billing',
        summary: 'Export the statement of the wallet',
        description: `${DESCRIPTION} As a CSV file in UTF-8 with headings, from the opening to the closing balance.`,
        query: DaysQuery,
        ok: { 200: { text: 'text/csv', description: 'The file, as it is read.' } },
        errors: ['invalid_request'],
        curl: (base) => `curl ${base}/v1/statement.csv \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const scope = scopeOf(request)
      const days = statementDays(deps, request.query)
      const statement = await openStatement(deps, scope, days)
      const name = `statement-${scope.environment}-${days.from}_${days.to}.csv`
      return sendCsv(reply, name, statementCsv(statement))
    },
  })
}
