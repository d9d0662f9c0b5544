// The query of GET /v1/events.
import { EVENT_TYPES, type EventType } from '@kestrel/contract'
import { type Static, Type } from 'typebox'

import type { EventQuery } from '../../domain/events/read-events.ts'
import { EnvironmentQuery } from '../access/operation.ts'
import { PAGE_FIELDS, pageAsked } from './page-query.ts'

const A_TYPE = `(${EVENT_TYPES.map((type) => type.replace('.', '\\.')).join('|')})`

export const EventQuerySchema = Type.Object(
  {
    ...EnvironmentQuery.properties,
    type: Type.Optional(
      Type.String({
        pattern: `^${A_TYPE}(,${A_TYPE})*$`,
        maxLength: 1_000,
        'x-words': EVENT_TYPES,
        description:
          'Events of this type, or of one of several: with commas between them, or the parameter several times.',
        'x-rule': 'types of events with commas between them',
        examples: ['payout.completed,payout.refunded'],
      }),
    ),
    subject: Type.Optional(
      Type.String({
        pattern: '^[^\\u0000]*$',
        maxLength: 100,
        description: 'Events about this one alone: the id of a payout, for example.',
        'x-rule': 'at most 100 characters',
      }),
    ),
    after: Type.Optional(
      Type.String({
        maxLength: 36,
        description:
          'The id of an event: what came after it, the oldest first. An id that is unknown here answers 404.',
        'x-rule': 'the id of an event',
      }),
    ),
    ...PAGE_FIELDS,
  },
  { additionalProperties: false },
)
export type EventListQuery = Static<typeof EventQuerySchema>

export function eventQuery(query: EventListQuery): EventQuery {
  const { type, subject = null, after = null } = query
  return { types: type === undefined ? null : typesIn(type), subject, after, ...pageAsked(query) }
}

/** Each type once: their pages are put together. */
function typesIn(text: string): EventType[] {
  const asked = new Set(text.split(','))
  return EVENT_TYPES.filter((type) => asked.has(type))
}
