import { Type, type Static } from 'typebox'

import { Email, EmailInput, MONEY_PATTERN, PlainText } from './scalars.ts'
import { SLUG_PATTERN } from './public-partner.ts'
import { Named, Nullable } from './schema.ts'

const LowBalance = {
  pattern: MONEY_PATTERN,
  description: 'Below this many USDC the wallet counts as low; null for never.',
  examples: ['500.00'],
}

export const Settings = Named(
  'Settings',
  Type.Object(
    {
      object: Type.Literal('settings'),
      name: Type.String({ examples: ['Thistle Market'] }),
      slug: Type.String({ pattern: SLUG_PATTERN, examples: ['thistle-market'] }),
      logo_url: Nullable(Type.String({ format: 'uri' })),
      brand_color: Nullable(Type.String({ examples: ['#2b4bd8'] })),
      billing_email: Nullable(Email),
      contact_email: Nullable(Email),
      low_balance_usdc: Nullable(Type.String(LowBalance)),
    },
    { description: 'What a business says of itself, and how it looks to those who sign in.' },
  ),
)
export type Settings = Static<typeof Settings>

export const ChangeSettingsRequest = Named(
  'ChangeSettingsRequest',
  Type.Object(
    {
      name: Type.Optional(PlainText(120, 'Thistle Market')),
      brand_color: Type.Optional(
        Nullable(
          Type.String({
            pattern: '^#[0-9A-Fa-f]{6}$',
            'x-rule': 'a colour such as #2b4bd8, or null',
            description: 'Null takes it away.',
            examples: ['#2b4bd8'],
          }),
        ),
      ),
      billing_email: Type.Optional({ ...EmailInput, description: 'Where invoices go.' }),
      contact_email: Type.Optional({ ...EmailInput, description: 'Whom to write to about the account.' }),
      low_balance_usdc: Type.Optional(
        Nullable(Type.String({ ...LowBalance, maxLength: 15, 'x-rule': 'USDC with two decimals, or null' })),
      ),
    },
    { additionalProperties: false, description: 'What is left out stays as it is.' },
  ),
)
export type ChangeSettingsRequest = Static<typeof ChangeSettingsRequest>
