import { Type, type Static } from 'typebox'

import { DateTime, Environment } from './scalars.ts'
import { Named, Nullable } from './schema.ts'

const PAUSED_BY = Type.String({
  description: 'Who paused them. A key is told `an admin` where a member is told the address.',
  examples: ['an admin'],
})

/** Since when all payouts of the account are paused, and by whom; null while they go out. */
export const PauseOfAccount = Nullable(
  Type.Object(
    { paused_at: DateTime, paused_by: PAUSED_BY },
    { description: 'Since when all payouts are paused; null while they go out.' },
  ),
)

export const PayoutPause = Named(
  'PayoutPause',
  Type.Object(
    {
      object: Type.Literal('payout_pause'),
      environment: Environment,
      paused: Type.Boolean({ description: 'Whether new payouts are refused.' }),
      paused_at: Nullable(DateTime),
      paused_by: Nullable(PAUSED_BY),
    },
    { description: 'Whether all payouts of the account are paused.' },
  ),
)
export type PayoutPause = Static<typeof PayoutPause>
