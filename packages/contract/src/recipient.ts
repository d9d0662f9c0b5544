import { Type, type Static } from 'typebox'

import { DateTime, Money, VISIBLE_OR_EMPTY, VISIBLE_TEXT } from './scalars.ts'
import { ListOf, Named, Nullable, Words } from './schema.ts'

/** `x-rule` is the hint that `details.missing` shows behind the name of an offending field. */
const name = (example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 80,
    pattern: VISIBLE_TEXT,
    'x-rule': '1 to 80 characters',
    examples: [example],
  })
const text = (example: string) =>
  Type.String({ minLength: 1, pattern: VISIBLE_TEXT, 'x-rule': 'text', examples: [example] })

export const Recipient = Named(
  'Recipient',
  Type.Object(
    {
      type: Type.Optional(
        Words(['individual', 'business'], {
          default: 'individual',
          'x-rule': 'individual or business',
        }),
      ),
      first_name: name('Amara'),
      last_name: name('Okafor'),
      email: Type.Optional(Type.String({ format: 'email', maxLength: 254, 'x-rule': 'an email address' })),
      address: Type.Object(
        {
          line1: text('1 High Street'),
          line2: Type.Optional(Type.String({ pattern: VISIBLE_OR_EMPTY, 'x-rule': 'text' })),
          city: text('Leeds'),
          postal_code: text('LS1 4AP'),
          region: Type.Optional(
            Type.String({
              maxLength: 80,
              pattern: VISIBLE_OR_EMPTY,
              'x-rule': 'at most 80 characters',
              description: 'The town is used if omitted.',
            }),
          ),
        },
        { additionalProperties: false, 'x-rule': 'an object' },
      ),
      bank: Type.Object(
        {
          bank_name: text('Monzo'),
          sort_code: Type.String({ pattern: '^\\d{6}$', 'x-rule': '6 digits', examples: ['040004'] }),
          account_number: Type.String({ pattern: '^\\d{8}$', 'x-rule': '8 digits', examples: ['12345678'] }),
        },
        { additionalProperties: false, 'x-rule': 'an object' },
      ),
    },
    { additionalProperties: false, 'x-rule': 'an object', description: 'Who is paid, and into which account.' },
  ),
)
export type Recipient = Static<typeof Recipient>

export const RecipientSummary = Named(
  'RecipientSummary',
  Type.Object(
    {
      name: Nullable(Type.String()),
      account_last4: Nullable(Type.String()),
      payouts: Type.Integer({ minimum: 0, description: 'Payouts on their way or completed.' }),
      paid_gbp: Money('What the completed ones among them came to.', '75.00'),
      last_paid_at: DateTime,
    },
    { description: 'A recipient, grouped from the newest payouts of the last 90 days.' },
  ),
)
export type RecipientSummary = Static<typeof RecipientSummary>

export const RecipientList = ListOf(RecipientSummary, {
  $id: 'RecipientList',
  description: 'At most 200 recipients, the last paid first.',
})
