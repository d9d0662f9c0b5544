import { Type, type Static } from 'typebox'

import { ConfirmCode, DateTime, Environment, PlainText, Uuid } from './scalars.ts'
import { ListOf, Named, Nullable, Words } from './schema.ts'

export const API_KEY_PATTERN = '^kp_(sandbox|live)_[a-f0-9]{48}$'

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
        Type.String({ format: 'date-time', description: 'A key that was rotated stops by itself at this moment.' }),
      ),
      replaced_by: Nullable(Type.String({ format: 'uuid', description: 'The key that replaced it.' })),
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
      confirm_code: Type.Optional(ConfirmCode),
    },
    { additionalProperties: false },
  ),
)
export type NewApiKey = Static<typeof NewApiKey>

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
