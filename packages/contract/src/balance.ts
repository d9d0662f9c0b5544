import { Type, type Static } from 'typebox'

import { Money } from './scalars.ts'
import { Named } from './schema.ts'

export const Balance = Named(
  'Balance',
  Type.Object(
    {
      object: Type.Literal('balance'),
      usdc: Money('What the wallet can spend, in USDC, rounded down to the cent.', '9967.93'),
      approx_gbp: Money('About how many pounds that is, rounded down to the penny.', '7874.66'),
      gbp_per_usd: Type.Number({ description: 'Pounds for one US dollar.', examples: [0.79] }),
    },
    { description: 'What the wallet can still pay out. Money reserved for running payouts is not part of it.' },
  ),
)
export type Balance = Static<typeof Balance>
