// What was sent to an endpoint, and what it answered.
import { Type, type Static } from 'typebox'

import { EVENT_TYPES } from './event-type.ts'
import type { Event } from './event.ts'
import { DateTime, Environment, Uuid } from './scalars.ts'
import { ListOf, Named, Nullable, RefTo, Words } from './schema.ts'

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const
export const DELIVERY_CAUSES = ['event', 'redelivery', 'replay'] as const

const fields = {
  object: Type.Literal('webhook_delivery'),
  id: Uuid,
  environment: Environment,
  endpoint_id: Uuid,
  event_id: { ...Uuid, description: 'The header `webhook-id`: the same however often it is sent.' },
  event_type: Type.String({ examples: ['payout.completed'] }),
  subject_id: { ...Uuid, description: 'What the event is about.' },
  sequence: Type.Integer({ minimum: 1, description: 'Which event of its subject it is.' }),
  cause: Words(DELIVERY_CAUSES, { description: 'Why it is sent: it happened, or somebody asked for it again.' }),
  state: Words(DELIVERY_STATES, {
    description:
      '`waiting`: for its next attempt. `delivered`: the receiver answered 2xx. `failed`: it is not tried again.',
  }),
  attempts: Type.Integer({
    minimum: 0,
    description: 'How often it was tried. There are ten attempts over three days.',
  }),
  created_at: DateTime,
  next_try_at: Nullable(DateTime),
  ended_at: Nullable(DateTime),
}

export const WebhookDelivery = Named(
  'WebhookDelivery',
  Type.Object(fields, { description: 'One event for one endpoint.' }),
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveryList = Named(
  'WebhookDeliveryList',
  Type.Object(
    {
      object: Type.Literal('list'),
      data: Type.Array(RefTo(WebhookDelivery)),
      has_more: Type.Boolean({ description: 'Whether a next page exists. A page may be empty and have a next one.' }),
      next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get the next page.' })),
    },
    { description: 'Deliveries, the newest first.' },
  ),
)
export type WebhookDeliveryList = Static<typeof WebhookDeliveryList>

export const WebhookDeliveriesMade = ListOf(WebhookDelivery, {
  $id: 'WebhookDeliveriesMade',
  description: 'The deliveries that were made, one per endpoint.',
})

const attemptFields = {
  at: DateTime,
  ms: Type.Integer({ minimum: 0, description: 'How long it took.' }),
  status: Nullable(Type.Integer({ description: 'The status of the answer; null when there was none.' })),
  error: Nullable(
    Type.String({
      description:
        'What went wrong; null when it was delivered: `http_status`, `redirect`, `timeout`, `dns`, `tls`, `connection`, `bad_answer`, `refused_address`, `event_forgotten`, `not_sent` (the fault is ours).',
    }),
  ),
  answer: Type.String({ description: 'The first 2 KB of the answer.' }),
}

export const WebhookAttempt = Named(
  'WebhookAttempt',
  Type.Object({ number: Type.Integer({ minimum: 1 }), ...attemptFields }, { description: 'One attempt to deliver.' }),
)
export type WebhookAttempt = Static<typeof WebhookAttempt>

const Headers = Type.Record(Type.String(), Type.String())

export const WebhookDeliveryWithAttempts = Named(
  'WebhookDeliveryWithAttempts',
  Type.Object(
    {
      ...fields,
      headers: { ...Headers, description: 'As they are sent, without the signature, which is made for each attempt.' },
      payload: Nullable({
        ...Type.Unsafe<Event | null>({ type: 'object', additionalProperties: true }),
        type: 'object',
        description: 'The body that is sent: the event. Null once it is no longer kept.',
      }),
      attempt_list: Type.Array(RefTo(WebhookAttempt), { description: 'The oldest first.' }),
    },
    { description: 'A delivery with what is sent and every attempt.' },
  ),
)
export type WebhookDeliveryWithAttempts = Static<typeof WebhookDeliveryWithAttempts>

/** What can be sent as a test: a ping, or an event about a payout that does not exist. */
export const TEST_EVENT_TYPES = ['ping', ...EVENT_TYPES.filter((type) => type.startsWith('payout.'))] as const

export const WebhookTest = Named(
  'WebhookTest',
  Type.Object(
    {
      type: Type.Optional(
        Words(TEST_EVENT_TYPES, { default: 'ping', 'x-rule': 'ping or a type of event about payouts' }),
      ),
    },
    { additionalProperties: false },
  ),
)
export type WebhookTest = Static<typeof WebhookTest>

export const WebhookTestResult = Named(
  'WebhookTestResult',
  Type.Object(
    {
      object: Type.Literal('webhook_test'),
      delivered: Type.Boolean(),
      ...attemptFields,
      headers: { ...Headers, description: 'As they were sent, with the signature.' },
      body: Type.String({ description: 'The body as it was sent.' }),
    },
    { description: 'One attempt, made while you waited. It is not kept, and not tried again.' },
  ),
)
export type WebhookTestResult = Static<typeof WebhookTestResult>

export const Redelivery = Named(
  'Redelivery',
  Type.Object(
    { endpoint_id: Type.Optional({ ...Uuid, description: 'Only to this endpoint. By default to all that want it.' }) },
    { additionalProperties: false },
  ),
)
export type Redelivery = Static<typeof Redelivery>

export const WebhookReplay = Named(
  'WebhookReplay',
  Type.Object(
    {
      from: Type.String({ format: 'date-time', 'x-rule': 'a moment, such as 2026-11-02T09:00:00Z' }),
      to: Type.Optional(Type.String({ format: 'date-time', 'x-rule': 'a moment', description: 'Now by default.' })),
      only: Type.Optional(
        Words(['failed', 'all'], {
          default: 'failed',
          'x-rule': 'failed or all',
          description:
            '`failed`: what was not delivered. `all`: every event that the endpoint wants, also those from before it was made.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)
export type WebhookReplay = Static<typeof WebhookReplay>

export const WebhookReplayStarted = Named(
  'WebhookReplayStarted',
  Type.Object({
    object: Type.Literal('webhook_replay'),
    deliveries: Type.Integer({ minimum: 0, description: 'How many are sent again.' }),
    has_more: Type.Boolean({ description: 'Whether there is more than is sent at once: replay again from `until`.' }),
    until: DateTime,
  }),
)
export type WebhookReplayStarted = Static<typeof WebhookReplayStarted>
