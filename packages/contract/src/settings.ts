import { Type, type Static } from 'typebox'

import { ConfirmCode, Email, EmailInput, MONEY_PATTERN, PlainText } from './scalars.ts'
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
      billing_name: Nullable(
        Type.String({ description: 'The name on invoices, if it is not the name of the business.' }),
      ),
      billing_address: Type.Array(Type.String(), { description: 'The lines of the address on invoices.' }),
      vat_number: Nullable(Type.String()),
      low_balance_usdc: Nullable(Type.String(LowBalance)),
    },
    { description: 'The settings of a business, and how its sign-in page looks.' },
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
            description: 'Null removes it.',
            examples: ['#2b4bd8'],
          }),
        ),
      ),
      billing_email: Type.Optional({ ...EmailInput, description: 'Where invoices go.' }),
      contact_email: Type.Optional({ ...EmailInput, description: 'The address for questions about the account.' }),
      billing_name: Type.Optional(
        Nullable({
          ...PlainText(120, 'Thistle Market Trading Ltd'),
          description: 'Null for the name of the business.',
        }),
      ),
      billing_address: Type.Optional(
        Type.Array(PlainText(80, '1 High Street'), {
          maxItems: 6,
          'x-rule': 'up to 6 lines of 1 to 80 characters',
          description: 'The lines of the address, for invoices from the next one on.',
          examples: [['1 High Street', 'Leeds', 'LS1 1AA']],
        }),
      ),
      vat_number: Type.Optional(Nullable({ ...PlainText(30, 'GB123456789'), description: 'Null removes it.' })),
      low_balance_usdc: Type.Optional(
        Nullable(Type.String({ ...LowBalance, maxLength: 15, 'x-rule': 'USDC with two decimals, or null' })),
      ),
      confirm_code: Type.Optional(ConfirmCode),
    },
    { additionalProperties: false, description: 'Fields that are left out stay as they are.' },
  ),
)
export type ChangeSettingsRequest = Static<typeof ChangeSettingsRequest>
