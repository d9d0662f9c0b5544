import { Type, type Static } from 'typebox'

import { Country, Money } from './scalars.ts'
import { Named } from './schema.ts'

export const Quote = Named(
  'Quote',
  Type.Object(
    {
      object: Type.Literal('quote'),
      country: Type.Literal('GB'),
      seller_receives_gbp: Money('What the recipient receives.', '25.00'),
      fee_gbp: Money('The whole fee, the sum of the two parts in `fee_breakdown`.', '1.24'),
      wallet_sends_usdc: Money(
        'What the wallet would send: the amount and `taken_in_transfer_gbp` at the rate, rounded up to the cent.',
        '32.07',
      ),
      exchange_rate: Type.Object({
        gbp_per_usd: Type.Number({ description: 'Pounds for one US dollar.', examples: [0.79] }),
      }),
      fee_breakdown: Type.Object({
        taken_in_transfer_gbp: Money('The bank’s share of the fee, sent together with the amount.', '0.33'),
        on_monthly_invoice_gbp: Money('The rest of the fee, which goes on the monthly invoice.', '0.91'),
      }),
    },
    { description: 'What a payout would cost now. Not binding: the rate may move before the payout is made.' },
  ),
)
export type Quote = Static<typeof Quote>

export const QuoteRequest = Named(
  'QuoteRequest',
  Type.Object(
    {
      amount_gbp: Money('What the recipient receives: 1.00 to 20000.00, unless the account has other limits.', '25.00'),
      country: Type.Optional(Country),
    },
    { additionalProperties: false, description: 'The amount that the recipient receives.' },
  ),
)
export type QuoteRequest = Static<typeof QuoteRequest>
