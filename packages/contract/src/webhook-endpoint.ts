// Receivers of webhooks: where a partner's events are sent, and the secrets that prove who sent them.
import { Type, type Static } from 'typebox'

import { DateTime, Environment, PlainText, Uuid } from './scalars.ts'
import { ListOf, Named, Nullable, Words } from './schema.ts'

export const MOST_ENDPOINTS = 10
export const MOST_EVENT_TYPES = 40
const LONGEST_URL = 2_000
const LONGEST_GRACE_SECONDS = 604_800
export const DEFAULT_GRACE_SECONDS = 86_400

export const WEBHOOK_SECRET_PATTERN = '^whsec_[A-Za-z0-9+/]{43}=$'

export const WEBHOOK_ENDPOINT_STATUSES = ['active', 'paused', 'disabled'] as const
/** Why the service switched an endpoint off. */
export const DISABLED_REASONS = ['gone', 'asked', 'failing'] as const

const fields = {
  object: Type.Literal('webhook_endpoint'),
  id: Uuid,
  environment: Environment,
  url: Type.String({
    description: 'Where events are sent, as POST.',
    examples: ['https://hooks.thistle.example/kestrel'],
  }),
  description: Nullable(Type.String()),
  events: Type.Array(Type.String(), { description: 'The types of events that it gets; `*` is all of them.' }),
  status: Words(WEBHOOK_ENDPOINT_STATUSES, {
    description:
      '`active` gets events. `paused` gets them later, when it is active again. `disabled` was switched off by the service and gets none of what happens meanwhile.',
  }),
  disabled_reason: Nullable(
    Words(DISABLED_REASONS, {
      description:
        '`gone`: it answered 410. `asked`: it answered with the header `webhook-delivery: disable`. `failing`: nothing was delivered for five days.',
    }),
  ),
  disabled_at: Nullable(DateTime),
  failing_since: Nullable(
    Type.String({ format: 'date-time', description: 'The first failure since the last delivery that arrived.' }),
  ),
  attempts_24h: Type.Integer({
    minimum: 0,
    description:
      'How many attempts there were in the last 24 hours, in whole hours. What we could not send is left out.',
  }),
  delivered_24h: Type.Integer({ minimum: 0, description: 'How many of them were answered 2xx.' }),
  success_rate_24h: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The same as a part of one, rounded down; null when there was no attempt.',
      examples: [0.9875],
    }),
  ),
  last_failure: Nullable(
    Type.Object(
      {
        at: DateTime,
        status: Nullable(Type.Integer({ description: 'The status of the answer; null when there was none.' })),
        error: Nullable(Type.String({ description: 'The same words as those of an attempt.' })),
      },
      { description: 'The attempt that failed last; null when none has.' },
    ),
  ),
  previous_secret_until: Nullable(
    Type.String({ format: 'date-time', description: 'Until then the secret before signs as well.' }),
  ),
  created_at: DateTime,
  created_by: Type.String({
    description: 'The email of the member who made it, or the start of the key. To a key, every member is `member`.',
  }),
}

export const WebhookEndpoint = Named(
  'WebhookEndpoint',
  Type.Object(fields, { description: 'A receiver of events, without its secret, which is shown once.' }),
)
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

export const WebhookEndpointList = ListOf(WebhookEndpoint, {
  $id: 'WebhookEndpointList',
  description: `The receivers of this environment, ${MOST_ENDPOINTS} at most, the oldest first.`,
})

export const WebhookEndpointWithSecret = Named(
  'WebhookEndpointWithSecret',
  Type.Object({
    ...fields,
    secret: Type.String({
      pattern: WEBHOOK_SECRET_PATTERN,
      description: 'Verifies the signature `v1` of what arrives. Any library for Standard Webhooks takes it as it is.',
    }),
    note: Type.String(),
  }),
)
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>

const Url = Type.String({
  minLength: 1,
  maxLength: LONGEST_URL,
  'x-rule': `1 to ${LONGEST_URL} characters`,
  description: 'https, at a public address. In a sandbox on your own machine also http://localhost.',
  examples: ['https://hooks.thistle.example/kestrel'],
})
const Description = PlainText(200, 'The shop')
const Events = Type.Array(Type.String({ maxLength: 60 }), {
  minItems: 1,
  maxItems: MOST_EVENT_TYPES,
  'x-rule': `1 to ${MOST_EVENT_TYPES} types of events, or ["*"]`,
  description: 'Types of events, or `["*"]` for all of them, also those that there will be.',
  examples: [['payout.completed', 'payout.failed', 'payout.returned', 'payout.refunded']],
})

export const NewWebhookEndpoint = Named(
  'NewWebhookEndpoint',
  Type.Object(
    { url: Url, description: Type.Optional(Description), events: Type.Optional(Events) },
    { additionalProperties: false },
  ),
)
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>

export const WebhookEndpointChange = Named(
  'WebhookEndpointChange',
  Type.Object(
    {
      url: Type.Optional(Url),
      description: Type.Optional(Nullable(Description)),
      events: Type.Optional(Events),
      status: Type.Optional(
        Words(['active', 'paused'], {
          'x-rule': 'active or paused',
          description: '`paused` keeps events until it is `active` again, and sends them then.',
        }),
      ),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
)
export type WebhookEndpointChange = Static<typeof WebhookEndpointChange>

export const WebhookEndpointDeleted = Named(
  'WebhookEndpointDeleted',
  Type.Object({ id: Uuid, deleted: Type.Literal(true) }),
)
export type WebhookEndpointDeleted = Static<typeof WebhookEndpointDeleted>

export const WebhookSecretRotation = Named(
  'WebhookSecretRotation',
  Type.Object(
    {
      grace_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LONGEST_GRACE_SECONDS,
          default: DEFAULT_GRACE_SECONDS,
          'x-rule': `a whole number from 0 to ${LONGEST_GRACE_SECONDS}`,
          description: 'For how long the secret before signs as well. A day by default.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)
export type WebhookSecretRotation = Static<typeof WebhookSecretRotation>

export const WebhookKey = Named(
  'WebhookKey',
  Type.Object(
    {
      id: Type.String({ description: 'Names the key; it tells nothing about it.', examples: ['6c1f0b7a'] }),
      algorithm: Type.Literal('ed25519'),
      public_key: Type.String({ pattern: '^whpk_[A-Za-z0-9+/]{43}=$' }),
    },
    { description: 'A public key that verifies signatures `v1a`.' },
  ),
)
export type WebhookKey = Static<typeof WebhookKey>

export const WebhookKeyList = ListOf(WebhookKey, {
  $id: 'WebhookKeyList',
  description: 'The public keys of this service: every webhook has a signature `v1a` by each of them.',
})
