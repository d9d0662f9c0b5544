import { Type, type Static } from 'typebox'

import { DateTime, Uuid } from './scalars.ts'
import { Named, Nullable } from './schema.ts'

export const PayoutWarning = Named(
  'PayoutWarning',
  Type.Object(
    {
      code: Type.String({
        description:
          '`recipient_account_changed`: this person was paid before, at another account. `possible_duplicate`: the same amount went to this account within the last 7 days. `first_payment_to_account`: nothing was paid to this account before. `account_check_failed`, on quotes only: the sort code and the account number cannot belong together. More may be added.',
        examples: ['recipient_account_changed'],
      }),
      message: Type.String({
        description: 'The same as a sentence.',
        examples: ['Different account from last time (ending 4958). Check the new one with the recipient by phone.'],
      }),
      details: Type.Object({
        payout_id: Nullable({ ...Uuid, description: 'The earlier payout that it is about.' }),
        account_last4: Type.String({
          description: 'The last four digits of that payout’s account.',
          examples: ['4958'],
        }),
        created_at: Nullable({ ...DateTime, description: 'When that payout was made.' }),
      }),
    },
    { description: 'Something worth a second look. A warning refuses nothing.' },
  ),
)
export type PayoutWarning = Static<typeof PayoutWarning>
