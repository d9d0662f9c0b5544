import { Type, type Static } from 'typebox'

import { DateTime, Environment, Uuid } from './scalars.ts'
import { ListOf, Named, Nullable } from './schema.ts'

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
    { ...metadata, last_used_at: Nullable(DateTime), revoked_at: Nullable(DateTime) },
    { description: 'An API key without its secret, which is shown once, when the key is created.' },
  ),
)
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyList = ListOf(ApiKey, {
  $id: 'ApiKeyList',
  description: 'The active keys of both environments, and those revoked in the last 90 days.',
})

export const ApiKeyCreated = Named(
  'ApiKeyCreated',
  Type.Object({
    ...metadata,
    secret: Type.String({ pattern: API_KEY_PATTERN }),
    note: Type.String(),
  }),
)
export type ApiKeyCreated = Static<typeof ApiKeyCreated>

export const ApiKeyRevoked = Named('ApiKeyRevoked', Type.Object({ id: Uuid, revoked: Type.Literal(true) }))
export type ApiKeyRevoked = Static<typeof ApiKeyRevoked>
