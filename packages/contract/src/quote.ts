import { Type, type Static } from 'typebox'

import { PayoutWarning } from './payout-warning.ts'
import { Recipient } from './recipient.ts'
import { Country, Money } from './scalars.ts'
import { Named, RefTo } from './schema.ts'

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
      warnings: Type.Optional(
        Type.Array(RefTo(PayoutWarning), {
          description:
            'Only when the request names a `recipient`, and to who may pay: what is worth a second look before this is paid.',
        }),
      ),
    },
    { description: 'What a payout would cost now. Not binding: the rate may move before the payout is made.' },
  ),
)
export type Quote = Static<typeof Quote>

const { address, bank, ...person } = Recipient.properties

/**
 * A payout's recipient. A quote needs only the account; the fields that are given are compared with earlier payouts.
 */
export const QuoteRecipient = Named(
  'QuoteRecipient',
  Type.Object(
    {
      ...Type.Partial(Type.Object(person)).properties,
      address: Type.Optional(Type.Partial(address)),
      bank: Type.Object(
        { ...bank.properties, bank_name: Type.Optional(bank.properties.bank_name) },
        { additionalProperties: false, 'x-rule': 'an object' },
      ),
    },
    {
      additionalProperties: false,
      'x-rule': 'an object',
      description:
        'The recipient of the payout that is quoted, as it will be sent or only the account and the name. It is compared with whom the account has paid before, and not kept.',
    },
  ),
)
export type QuoteRecipient = Static<typeof QuoteRecipient>

export const QuoteRequest = Named(
  'QuoteRequest',
  Type.Object(
    {
      amount_gbp: Money('What the recipient receives: 1.00 to 20000.00, unless the account has other limits.', '25.00'),
      country: Type.Optional(Country),
      recipient: Type.Optional(RefTo(QuoteRecipient)),
    },
    {
      additionalProperties: false,
      description: 'The amount that the recipient receives and, for warnings, who that is.',
    },
  ),
)
export type QuoteRequest = Static<typeof QuoteRequest>
