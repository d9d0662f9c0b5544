import { Type, type Static } from 'typebox'

import { ConfirmCode, DateTime, Environment, MONEY_PATTERN, Money, PlainText, Uuid } from './scalars.ts'
import { ListOf, Named, Nullable, Words } from './schema.ts'

export const API_KEY_PATTERN = '^kp_(sandbox|live)_[a-f0-9]{48}$'

/** What a key may be used for. */
export const KEY_SCOPES = ['read', 'quote', 'pay', 'webhooks', 'sandbox'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

const SCOPES =
  '`read`: every read. `quote`: quotes. `pay`: payouts, cancelling, pausing. `webhooks`: where events go. `sandbox`: outcomes and test money.'

/** A limit in pounds: as it is shown, and as it is asked for. */
const shownLimit = (what: string, example: string) => Nullable(Money(`${what}; null for no such limit.`, example))
const wantedLimit = (what: string, example: string) =>
  Type.Optional(
    Nullable(
      Type.String({
        pattern: MONEY_PATTERN,
        maxLength: 12,
        'x-rule': 'an amount such as 500.00, or null',
        description: `${what}; null for no such limit.`,
        examples: [example],
      }),
    ),
  )
const LIMITS = {
  max_per_payout_gbp: ['The most that may be paid at once', '250.00'],
  daily_gbp: ['The most that may be paid per day in London', '1000.00'],
  monthly_gbp: ['The most that may be paid per month in London', '20000.00'],
} as const
export const SPENDING_LIMITS = {
  max_per_payout_gbp: shownLimit(...LIMITS.max_per_payout_gbp),
  daily_gbp: shownLimit(...LIMITS.daily_gbp),
  monthly_gbp: shownLimit(...LIMITS.monthly_gbp),
}
export const SPENDING_LIMITS_WANTED = {
  max_per_payout_gbp: wantedLimit(...LIMITS.max_per_payout_gbp),
  daily_gbp: wantedLimit(...LIMITS.daily_gbp),
  monthly_gbp: wantedLimit(...LIMITS.monthly_gbp),
}
/** What was paid under the limits; null where none was ever set. */
export const SPENT = {
  spent_today_gbp: Nullable(Money('What counts against the daily limit; null where there never was a limit.', '75.00')),
  spent_this_month_gbp: Nullable(Money('The same for the month.', '1240.00')),
}

/** The rules of a key in a request: those that are left out stay as they are, or are given by the environment. */
export const KEY_RULES_WANTED = {
  scopes: Type.Optional(
    Type.Array(Words(KEY_SCOPES), {
      minItems: 1,
      maxItems: KEY_SCOPES.length,
      'x-rule': `some of ${KEY_SCOPES.join(', ')}`,
      description: SCOPES,
      examples: [['read', 'pay']],
    }),
  ),
  ...SPENDING_LIMITS_WANTED,
  allowed_ips: Type.Optional(
    Nullable(
      Type.Array(Type.String({ minLength: 2, maxLength: 43 }), {
        minItems: 1,
        maxItems: 20,
        'x-rule': 'up to 20 addresses or networks such as 203.0.113.0/24, or null',
        description: 'The addresses and networks that it may be used from; null for anywhere.',
        examples: [['203.0.113.0/24']],
      }),
    ),
  ),
  expires_at: Type.Optional(
    Nullable(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        'x-rule': 'a date-time such as 2027-01-31T00:00:00Z, or null',
        description: 'When it stops by itself; null for never.',
        examples: ['2027-01-31T00:00:00Z'],
      }),
    ),
  ),
}

const rules = {
  scopes: Type.Array(Words(KEY_SCOPES), { description: SCOPES }),
  ...SPENDING_LIMITS,
  allowed_ips: Nullable(
    Type.Array(Type.String(), { description: 'The networks that it may be used from; null for anywhere.' }),
  ),
}

const metadata = {
  id: Uuid,
  environment: Environment,
  key_prefix: Type.String({ description: 'The start of the key only.', examples: ['kp_sandbox_5d0c1a'] }),
  label: Nullable(Type.String({ maxLength: 60 })),
  created_at: DateTime,
}

export const ApiKey = Named(
  'ApiKey',
  Type.Object(
    {
      ...metadata,
      last_used_at: Nullable(DateTime),
      last_used_ip: Nullable(Type.String({ description: 'The address that the last request came from.' })),
      revoked_at: Nullable(DateTime),
      created_by: Nullable(Type.String({ description: 'The email of the member who made it in the dashboard.' })),
      expires_at: Nullable(
        Type.String({
          format: 'date-time',
          description: 'The key stops by itself at this moment: it was made so, or it was rotated.',
        }),
      ),
      replaced_by: Nullable(Type.String({ format: 'uuid', description: 'The key that replaced it.' })),
      ...rules,
      ...SPENT,
    },
    { description: 'An API key without its secret, which is shown once, when the key is created.' },
  ),
)
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyList = ListOf(ApiKey, {
  $id: 'ApiKeyList',
  description:
    'The active keys of both environments, and those revoked in the last 90 days: 200 at most, the newest first.',
})

export const ApiKeyCreated = Named(
  'ApiKeyCreated',
  Type.Object({
    ...metadata,
    ...rules,
    expires_at: Nullable(DateTime),
    secret: Type.String({ pattern: API_KEY_PATTERN }),
    note: Type.String(),
    replaces: Type.Optional(Type.String({ format: 'uuid', description: 'The key that it replaces.' })),
  }),
)
export type ApiKeyCreated = Static<typeof ApiKeyCreated>

export const ApiKeyRevoked = Named('ApiKeyRevoked', Type.Object({ id: Uuid, revoked: Type.Literal(true) }))
export type ApiKeyRevoked = Static<typeof ApiKeyRevoked>

export const NewApiKey = Named(
  'NewApiKey',
  Type.Object(
    {
      environment: Words(['sandbox', 'live'], { 'x-rule': 'sandbox or live' }),
      label: Type.Optional(PlainText(60, 'orders')),
      ...KEY_RULES_WANTED,
      confirm_code: Type.Optional(ConfirmCode),
    },
    { additionalProperties: false },
  ),
)
export type NewApiKey = Static<typeof NewApiKey>

export const KeyChange = Named(
  'KeyChange',
  Type.Object(
    { ...KEY_RULES_WANTED, confirm_code: Type.Optional(ConfirmCode) },
    { additionalProperties: false, description: 'Fields that are left out stay as they are.' },
  ),
)
export type KeyChange = Static<typeof KeyChange>

export const GRACE_SECONDS = [0, 3_600, 86_400, 604_800] as const

export const KeyRotation = Named(
  'KeyRotation',
  Type.Object(
    {
      grace_seconds: Type.Unsafe<(typeof GRACE_SECONDS)[number]>({
        type: 'integer',
        enum: [...GRACE_SECONDS],
        'x-rule': '0, 3600, 86400 or 604800',
        description: 'How long the old key still works: not at all, an hour, a day or a week.',
      }),
      confirm_code: Type.Optional(ConfirmCode),
    },
    { additionalProperties: false },
  ),
)
export type KeyRotation = Static<typeof KeyRotation>
