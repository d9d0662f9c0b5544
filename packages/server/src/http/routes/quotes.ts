import { Quote, QuoteRequest } from '@kestrel/contract'

import { quotePayout } from '../../domain/quotes/quote.ts'
import { warningsBefore } from '../../domain/payouts/warn-before.ts'
import { termsOf } from '../authenticate.ts'
import { EnvironmentQuery, operationSchema } from '../operation.ts'
import { presentQuote } from '../present/quote.ts'
import { presentWarning } from '../present/warning.ts'
import type { RouteContext } from './route-context.ts'

export function addQuoteRoutes({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Body: QuoteRequest }>('/v1/quotes', {
    config: { auth: 'key', action: 'quote.create' },
    schema: operationSchema(
      {
        id: 'createQuote',
        tag: 'Payouts',
        summary: 'Quote a payout',
        description:
          'What a payout would cost now. A quote binds nobody: the rate may move before the payout is made. With a `recipient` it also says what is worth a second look: another account than last time, the same amount twice in a week, a first payment.',
        query: EnvironmentQuery,
        body: QuoteRequest,
        ok: { 200: { schema: Quote, description: 'The quote.' } },
        errors: [
          'invalid_json',
          'invalid_amount',
          'corridor_not_enabled',
          'invalid_recipient',
          'invalid_request',
          'body_too_large',
          'unsupported_media_type',
          'bank_unavailable',
        ],
        curl: (base) =>
          `curl ${base}/v1/quotes \\\n  -H "Authorization: Bearer $KEY" \\\n  -H "Content-Type: application/json" \\\n  -d '{"amount_gbp": "25.00"}'`,
      },
      publicUrl,
    ),
    handler: async (request) => {
      const { amount_gbp: amountGbp, country = 'GB', recipient } = request.body
      const terms = termsOf(request)
      const quote = await quotePayout(deps, terms, { amountGbp, country })
      if (recipient === undefined) return presentQuote(quote)
      const warnings = await warningsBefore(deps, terms, { recipient, amount: quote.amount })
      return { ...presentQuote(quote), warnings: warnings.map(presentWarning) }
    },
  })
}
