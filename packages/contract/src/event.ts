import { Type, type Static } from 'typebox'

import { EVENT_MEANINGS, EVENT_TYPES } from './event-type.ts'
import { DateTime, Environment, Uuid } from './scalars.ts'
import { Named, Nullable, RefTo, Words } from './schema.ts'

export const EVENT_SUBJECTS = [
  'payout',
  'deposit',
  'account',
  'invoice',
  'api_key',
  'member',
  'webhook_endpoint',
] as const
export type EventSubject = (typeof EVENT_SUBJECTS)[number]

export const Event = Named(
  'Event',
  Type.Object(
    {
      object: Type.Literal('event'),
      id: { ...Uuid, description: 'The same wherever the event is read or sent: two with one id are one event.' },
      type: Type.String({
        description: EVENT_TYPES.map((type) => `\`${type}\`: ${EVENT_MEANINGS[type]}`).join(' '),
        examples: ['payout.completed'],
      }),
      environment: Environment,
      occurred_at: DateTime,
      subject: Type.Object(
        {
          object: Words(EVENT_SUBJECTS),
          id: Type.String({ examples: ['019a87c2-4f3e-7c11-9d52-3f0a6b1c2d4e'] }),
        },
        { description: 'What it is about.' },
      ),
      sequence: Type.Integer({
        minimum: 1,
        description: 'Counts the events of the subject: 1, 2, 3. A higher one happened later.',
      }),
      request_id: Nullable(
        Type.String({
          format: 'uuid',
          description: 'The `X-Request-Id` of your own request that caused it; null where something else did.',
        }),
      ),
      data: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'The subject as it was then, in the shape that its own `GET` answers: a payout, an invoice, a key, a member, a deposit of `GET /v1/funding`. Of `GET /v1/balance` and `GET /v1/compliance`, the part that it is about. It has no bank details.',
      }),
    },
    { description: 'One thing that changed, as it was then. Events are kept for 90 days.' },
  ),
)
export type Event = Static<typeof Event>

export const EventList = Named(
  'EventList',
  Type.Object(
    {
      object: Type.Literal('list'),
      data: Type.Array(RefTo(Event)),
      has_more: Type.Boolean({ description: 'Whether a next page exists.' }),
      next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get the next page.' })),
    },
    { description: 'Events, the newest first; with `after` the oldest first.' },
  ),
)
export type EventList = Static<typeof EventList>
