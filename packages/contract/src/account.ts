import { Type, type Static } from 'typebox'

import { PauseOfAccount } from './payout-pause.ts'
import { Environment, Uuid } from './scalars.ts'
import { Named, Nullable, Words } from './schema.ts'

export const ACCOUNT_STATUSES = ['active', 'suspended', 'closed'] as const
export const RAIL_KINDS = ['provider_production', 'provider_sandbox', 'simulated'] as const

export const RailKind = Words(RAIL_KINDS, {
  description:
    'Which payout rail the key drives. `simulated` applies only until the sandbox is connected for the account.',
})
export type RailKind = Static<typeof RailKind>

export const Account = Named(
  'Account',
  Type.Object(
    {
      object: Type.Literal('account'),
      id: Uuid,
      name: Type.String({ examples: ['Thistle Market'] }),
      status: Type.String({ description: 'One of `active`, `suspended`, `closed`.', examples: ['active'] }),
      environment: Environment,
      funding_wallet: Type.Object({
        currency: Type.Literal('USDC'),
        chain: Type.String({ examples: ['base'] }),
        address: Nullable(Type.String()),
      }),
      enabled_countries: Type.Array(Type.String({ minLength: 2, maxLength: 2 }), { examples: [['GB']] }),
      prices: Type.Object(
        {
          payout: Type.Optional(Type.String()),
          monthly_account: Type.Optional(Type.String()),
          business_verification: Type.Optional(Type.String()),
          network_fees: Type.Optional(Type.String()),
          bank_exceptions: Type.Optional(Type.String()),
        },
        { description: 'The prices of the account, in words.' },
      ),
      rail: Type.Optional(RailKind),
      payouts_pause: Type.Optional(PauseOfAccount),
    },
    { description: "The partner's account, seen through the key's environment." },
  ),
)
export type Account = Static<typeof Account>
