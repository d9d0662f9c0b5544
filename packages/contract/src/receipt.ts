import { Type, type Static } from 'typebox'

import { PAYOUT_STATUSES } from './payout-status.ts'
import { DateTime, Environment, Money, Uuid } from './scalars.ts'
import { Named, Nullable, Words } from './schema.ts'

export const ReceiptCheck = Named(
  'ReceiptCheck',
  Type.Object(
    {
      object: Type.Literal('receipt'),
      payout_id: Uuid,
      environment: Environment,
      business_name: Type.String({ description: 'Who paid.', examples: ['Thistle Market'] }),
      recipient_name: Type.String({ description: 'Who was paid.', examples: ['Amara Okafor'] }),
      account_last4: Type.String({ description: 'The end of the recipient’s account number.', examples: ['5678'] }),
      amount_gbp: Money('What the recipient receives.', '25.00'),
      reference: Nullable(Type.String({ description: 'The business’s own words.' })),
      status: Words(PAYOUT_STATUSES, { description: 'What has become of it by now.' }),
      failure_reason: Nullable(Type.String({ description: 'Why the money did not stay with the recipient.' })),
      created_at: DateTime,
      completed_at: Nullable({ ...DateTime, description: 'When it first arrived, whatever came of it since.' }),
      ended_at: Nullable({ ...DateTime, description: 'When it failed, was cancelled or came back.' }),
    },
    { description: 'What a receipt’s link proves: the payout as it is now. What it cost the business is not told.' },
  ),
)
export type ReceiptCheck = Static<typeof ReceiptCheck>
