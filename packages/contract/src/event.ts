import { Type, type Static } from 'typebox'

import { EVENT_TYPES, type EventType } from './event-type.ts'
import { DateTime, Environment, Uuid } from './scalars.ts'
import { Named, Nullable, RefTo, Words } from './schema.ts'

/** What each type of event says. */
const EVENT_MEANINGS: Readonly<Record<EventType, string>> = {
  'payout.created': 'A payout was created.',
  'payout.pending': 'It waits for the bank to confirm it.',
  'payout.processing': 'The bank has it.',
  'payout.completed': 'The money is in the recipient’s account.',
  'payout.failed': 'It did not arrive.',
  'payout.cancelled': 'It was stopped.',
  'payout.returned': 'The recipient’s bank sent it back.',
  'payout.refunded': 'The money of a payout that came to nothing is back in the wallet.',
  'balance.low': 'The wallet holds less than the settings ask for.',
  'balance.recovered': 'It holds enough again.',
  'deposit.received': 'Money arrived in the wallet.',
  'invoice.issued': 'An invoice was issued.',
  'invoice.paid': 'It is paid.',
  'invoice.overdue': 'It was due, and is not paid.',
  'invoice.void': 'It is void, and not to be paid.',
  'verification.changed': 'The bank has decided something about the business.',
  'api_key.created': 'An API key was created.',
  'api_key.changed': 'What it may do is different now.',
  'api_key.rotated': 'It was replaced by another.',
  'api_key.revoked': 'It no longer works.',
  'member.limits_changed': 'What a member may pay in the dashboard is different now.',
  'webhook_endpoint.disabled': 'We no longer send to an endpoint.',
}

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
