// What changed, event by event: for programs that want to know it without asking for everything again.
import { Event, EventList } from '@kestrel/contract'
import { Type } from 'typebox'

import { listEvents, readEvent } from '../../domain/events/read-events.ts'
import { scopeOf } from '../access/authenticate.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { costOfPage } from '../access/route-cost.ts'
import { presentEvent, presentEventPage } from '../present/event.ts'
import { type EventListQuery, EventQuerySchema, eventQuery } from '../query/event-query.ts'
import type { RouteContext } from './route-context.ts'

export function addEventRoutes(context: RouteContext): void {
  addList(context)
  addRead(context)
}

function addList({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Querystring: EventListQuery }>('/v1/events', {
    config: { auth: 'key', action: 'events.list', line: 'costly' },
    schema: operationSchema(
      {
        id: 'listEvents',
        tag: 'Events',
        summary: 'List events',
        description:
          'What changed in the last 90 days: one event per change, written with the change itself, so none is missing. The newest first. With `after`, what came after that event, the oldest first: a program that keeps the id of the last event it has dealt with goes on from there and misses nothing.',
        query: EventQuerySchema,
        ok: { 200: { schema: EventList, description: 'One page of events.' } },
        errors: ['not_found', 'invalid_request'],
        curl: (base) => `curl "${base}/v1/events?type=payout.completed&limit=10" \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const asked = eventQuery(request.query)
      app.chargeMore(request, reply, costOfPage(asked.limit))
      return presentEventPage(deps, await listEvents(deps, scopeOf(request), asked))
    },
  })
}

function addRead({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Params: { id: string } }>('/v1/events/:id', {
    config: { auth: 'key', action: 'event.read' },
    schema: operationSchema(
      {
        id: 'readEvent',
        tag: 'Events',
        summary: 'Read an event',
        description: 'The same for as long as it is kept: its data is how things were then.',
        query: EnvironmentQuery,
        params: Type.Object({ id: Type.String({ description: 'The id of the event, a UUID.' }) }),
        ok: { 200: { schema: Event, description: 'The event.' } },
        errors: ['not_found', 'invalid_request'],
        curl: (base) => `curl ${base}/v1/events/$EVENT_ID \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request) => {
      const event = await readEvent(deps, scopeOf(request), request.params.id)
      request.activityDetail = event.id
      return presentEvent(deps, event)
    },
  })
}
