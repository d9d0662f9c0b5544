import { Type, type Static } from 'typebox'

import { Day, ExactMoney, Money } from './scalars.ts'
import { Named, Nullable } from './schema.ts'

export const Usage = Named(
  'Usage',
  Type.Object(
    {
      object: Type.Literal('usage'),
      period_start: Day,
      payouts: Type.Object({
        count: Type.Integer({ minimum: 0, description: 'Payouts created in the month.' }),
        completed: Type.Integer({ minimum: 0, description: 'Payouts completed in the month, whenever created.' }),
        paid_to_sellers_gbp: Money(
          'What recipients received in the completed payouts. One that came back later is still counted, as is its fee.',
          '3400.00',
        ),
        fees_gbp: Money('The whole fees of the completed payouts.', '73.60'),
      }),
      invoice_so_far: Type.Object({
        lines: Type.Array(
          Type.Object({
            kind: Type.String({ examples: ['payout_fees'] }),
            description: Type.String({ examples: ['Monthly account'] }),
            quantity: Type.Integer({ minimum: 0, description: 'How many are charged so far.' }),
            unit_price_gbp: Nullable(Money('The price of one, where every one costs the same whole pence.', '15.00')),
            unit_price_exact_gbp: Nullable(ExactMoney('The price of one, where every one costs the same.', '0.022')),
            amount_gbp: Money('What the line comes to so far.', '48.40'),
          }),
        ),
        total_gbp: Money('The sum of the lines.', '63.40'),
      }),
    },
    { description: 'The month so far. Months are those of Europe/London.' },
  ),
)
export type Usage = Static<typeof Usage>
