import { Type, type Static } from 'typebox'

import { Country, DateTime, Environment, Money, Uuid, VISIBLE_OR_EMPTY } from './scalars.ts'
import { PAYOUT_STATUSES } from './payout-status.ts'
import { FailureCode, Retry } from './failure-code.ts'
import { PayoutWarning } from './payout-warning.ts'
import { Quote } from './quote.ts'
import { Recipient } from './recipient.ts'
import { Named, Nullable, RefTo, Words } from './schema.ts'

const PayoutStatus = Words(PAYOUT_STATUSES, {
  description:
    '`pending`: saved, waiting for the bank to confirm. `processing`: on its way. `completed`: in the recipient’s account. `failed` and `cancelled`: did not go, nothing charged. `returned`: the recipient’s bank sent it back.',
})

const payoutProperties = {
  id: Uuid,
  object: Type.Literal('payout'),
  environment: Environment,
  status: PayoutStatus,
  reference: Type.Optional(Nullable(Type.String({ description: 'Your own words, as they were sent.' }))),
  statement_reference: Type.Optional(
    Nullable(
      Type.String({
        description: 'The reference as the recipient’s bank statement carries it: at most 18 characters.',
      }),
    ),
  ),
  country: Type.Literal('GB'),
  amount_gbp: Money('What the recipient receives.', '25.00'),
  fee_gbp: Money('The whole fee. It is charged only if the payout completes.', '1.24'),
  wallet_sent_usdc: Money('What the wallet sends: the amount and the bank’s share of the fee, in USDC.', '32.07'),
  recipient: Type.Object({
    name: Nullable(Type.String({ examples: ['Amara Okafor'] })),
    account_last4: Nullable(Type.String({ examples: ['5678'] })),
  }),
  failure_reason: Type.Optional(
    Nullable(
      Type.String({
        description: 'Why the money did not stay with the recipient. Set when `failed`, `cancelled` or `returned`.',
      }),
    ),
  ),
  failure_code: Type.Optional(Nullable(FailureCode)),
  retry: Type.Optional(Nullable(Retry)),
  cancelable: Type.Optional(
    Type.Boolean({ description: 'Whether the bank, as far as we know, would still stop it: `POST …/cancel`.' }),
  ),
  idempotency_key: Type.Optional(Type.String({ description: 'The key that it was made with.' })),
  created_at: DateTime,
  updated_at: DateTime,
  completed_at: Type.Optional(
    Nullable({ ...DateTime, description: 'When it first arrived, whatever came of it since.' }),
  ),
  refunded_at: Type.Optional(
    Nullable({ ...DateTime, description: 'When the money of a payout that came to nothing was back in the wallet.' }),
  ),
  created_via: Words(['api', 'dashboard']),
  warnings: Type.Optional(
    Type.Array(RefTo(PayoutWarning), {
      description: 'The warnings at the time when the payout was made. They stay as they were then.',
    }),
  ),
}

export const Payout = Named(
  'Payout',
  Type.Object(payoutProperties, {
    description: 'One payment to one person. Only the name and the last four digits of the account are ever shown.',
  }),
)
export type Payout = Static<typeof Payout>

export const PayoutCreated = Named(
  'PayoutCreated',
  Type.Object(
    { ...payoutProperties, quote: Type.Optional(RefTo(Quote)) },
    { description: 'A new payout with the quote that it was made at.' },
  ),
)
export type PayoutCreated = Static<typeof PayoutCreated>

export const PayoutList = Named(
  'PayoutList',
  Type.Object(
    {
      object: Type.Literal('list'),
      data: Type.Array(RefTo(Payout)),
      has_more: Type.Boolean({ description: 'Whether a next page exists.' }),
      next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get the next page.' })),
    },
    { description: 'Payouts, the newest first.' },
  ),
)
export type PayoutList = Static<typeof PayoutList>

const payoutDetails = {
  amount_gbp: Money('What the recipient receives: 1.00 to 20000.00, unless the account has other limits.', '25.00'),
  country: Type.Optional(Country),
  reference: Type.Optional(
    Type.String({
      maxLength: 120,
      pattern: VISIBLE_OR_EMPTY,
      'x-rule': 'at most 120 characters',
      description:
        'Your own words for it, kept whole; bank statements carry 18 characters. In sandbox, a reference that begins with `sandbox:` chooses how the payout ends.',
      examples: ['Invoice 1042'],
    }),
  ),
  recipient: RefTo(Recipient),
}

export const CreatePayoutRequest = Named(
  'CreatePayoutRequest',
  Type.Object(
    {
      ...payoutDetails,
      confirm_code: Type.Optional(
        Type.String({
          pattern: '^[0-9]{6}$',
          'x-rule': '6 digits',
          description: 'Not needed with an API key: the dashboard confirms live payouts with it.',
        }),
      ),
    },
    { additionalProperties: false, description: 'What the recipient receives, and who the recipient is.' },
  ),
)
export type CreatePayoutRequest = Static<typeof CreatePayoutRequest>

export const ConfirmCodeRequest = Named(
  'ConfirmCodeRequest',
  Type.Object(payoutDetails, {
    additionalProperties: false,
    description: 'The payout that is to be confirmed, exactly as it will be asked for.',
  }),
)
export type ConfirmCodeRequest = Static<typeof ConfirmCodeRequest>

export const ConfirmCodeSent = Named(
  'ConfirmCodeSent',
  Type.Object(
    {
      object: Type.Literal('confirm_code'),
      sent_to: Type.String({ description: 'Where the code went, masked.', examples: ['d•••@thistle.test'] }),
      expires_at: DateTime,
      amount_gbp: Money('What the code confirms.', '25.00'),
      recipient_name: Type.String({ examples: ['Amara Okafor'] }),
    },
    { description: 'A code for exactly this payout is on its way to the member who asked.' },
  ),
)
export type ConfirmCodeSent = Static<typeof ConfirmCodeSent>
