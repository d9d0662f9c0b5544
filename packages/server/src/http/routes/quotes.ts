import { Quote, QuoteRequest } from '@kestrel/contract'

import { quotePayout } from '../../domain/quotes/quote.ts'
import { warningsBefore } from '../../domain/payouts/warn/warn-before.ts'
import { mayAskAboutRecipient } from '../../domain/payouts/warn/ask-about-recipient.ts'
import { callerOf, termsOf } from '../access/authenticate.ts'
import type { Caller } from '../access/caller.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { presentQuote } from '../present/quote.ts'
import { presentWarning } from '../present/warning.ts'
import { ABOUT_RECIPIENT } from '../access/route-cost.ts'
import type { RouteContext } from './route-context.ts'

export function addQuoteRoutes({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Body: QuoteRequest }>('/v1/quotes', {
    config: { scope: 'quote', auth: 'key', action: 'quote.create' },
    schema: operationSchema(
      {
        id: 'createQuote',
        tag: 'Payouts',
        summary: 'Quote a payout',
        description:
          'What a payout would cost now. A quote binds nobody: the rate may move before the payout is made. With a `recipient` it also says what is worth a second look: another account than last time, the same amount twice in a week, a first payment. It counts as 25 requests then. A key or a member asks about 200 recipients per day and about as many more as were paid; the next is 429. Members who may not pay get no warnings.',
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
    handler: async (request, reply) => {
      const { amount_gbp: amountGbp, country = 'GB', recipient } = request.body
      const terms = termsOf(request)
      const caller = callerOf(request)
      const isAsking = recipient !== undefined && mayPay(caller)
      if (isAsking) app.chargeMore(request, reply, ABOUT_RECIPIENT)
      const quote = await quotePayout(deps, terms, { amountGbp, country })
      if (!isAsking) return presentQuote(quote)
      const asker = caller.session?.memberId ?? caller.keyId ?? caller.id
      await mayAskAboutRecipient(deps, { scope: terms, asker, bank: recipient.bank })
      const warnings = await warningsBefore(deps, terms, { recipient, amount: quote.amount })
      return { ...presentQuote(quote), warnings: warnings.map(presentWarning) }
    },
  })
}

/** A caller who may not pay need not know whether an account was paid before. A key counts as an admin. */
function mayPay({ session }: Caller): boolean {
  return session === null || session.role === 'admin'
}
