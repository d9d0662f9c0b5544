import { Type, type Static } from 'typebox'

import { Email, Money } from './scalars.ts'
import { Named, Nullable } from './schema.ts'

export const VERIFICATION_STATUSES = [
  'not_started',
  'in_progress',
  'in_review',
  'approved',
  'rejected',
  'suspended',
] as const
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number]

export const Compliance = Named(
  'Compliance',
  Type.Object(
    {
      object: Type.Literal('compliance'),
      business_verification: Type.Object({
        status: Type.String({
          description: 'One of `not_started`, `in_progress`, `in_review`, `approved`, `rejected`, `suspended`.',
        }),
        provider_status: Nullable(Type.String({ description: 'The bank’s own word.' })),
        continue_url: Nullable(Type.String({ format: 'uri' })),
        terms_url: Nullable(Type.String({ format: 'uri' })),
        can_start: Type.Optional(
          Type.Boolean({
            description:
              'Whether verification can be started here: false while no bank is connected for live payments.',
          }),
        ),
        live_open: Type.Optional(
          Type.Boolean({
            description:
              'Whether the live wallet is open at the bank. While this is false, nothing can be topped up or paid in live, not even by a business that is `approved`.',
          }),
        ),
        missing: Type.Optional(
          Type.Array(Type.String(), {
            description:
              'What the bank still wants, or has not done, before live is complete: a sentence each. `continue_url` is where the business gives it. Empty when nothing is missing, or when the bank does not say.',
          }),
        ),
      }),
      account: Type.Object({
        isolated_wallet: Type.Boolean(),
        wallet_chain: Nullable(Type.String()),
        enabled_countries: Type.Array(Type.String()),
        payout_limits_gbp: Type.Object({
          min: Money('The smallest payout.', '1.00'),
          max_per_payout: Money('The largest payout.', '20000.00'),
        }),
        billing_email: Nullable(Email),
        contact_email: Nullable(Email),
      }),
      screening: Type.String({ description: 'One of `clear`, `review`, `blocked`.' }),
    },
    { description: 'How far business verification is, and what the account may do.' },
  ),
)
export type Compliance = Static<typeof Compliance>
