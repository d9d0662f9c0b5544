import { Type, type Static } from 'typebox'

import { Money } from './scalars.ts'
import { Named, Nullable } from './schema.ts'

const Runway = Type.Object(
  {
    days: Type.Number({
      description:
        'How many days it lasts at the pace of the last 14 days, to one decimal, rounded down. At most 9999.',
      examples: [12.4],
    }),
    payouts: Type.Integer({
      description:
        'How many payouts of the average size of those days still fit, each with the part of its fee that the wallet sends along. At most 999999.',
      examples: [312],
    }),
    gbp_per_day: Money('That pace: what arrived in the last 14 days, per day.', '635.06'),
    suggested_top_up_usdc: Money(
      'What to add so that it lasts 14 days, in whole USDC, rounded up. 0.00: it does already.',
      '1287.00',
    ),
  },
  { description: 'How long the wallet lasts. Null when nothing has arrived in the last 14 days: nobody can say then.' },
)

export const Balance = Named(
  'Balance',
  Type.Object(
    {
      object: Type.Literal('balance'),
      usdc: Money('What the wallet can spend, in USDC, rounded down to the cent.', '9967.93'),
      approx_gbp: Money('About how many pounds that is, rounded down to the penny.', '7874.66'),
      gbp_per_usd: Type.Number({ description: 'Pounds for one US dollar.', examples: [0.79] }),
      runway: Nullable(Runway),
    },
    { description: 'What the wallet can still pay out. Money reserved for running payouts is not part of it.' },
  ),
)
export type Balance = Static<typeof Balance>
