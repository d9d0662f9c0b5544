// An event as it is shown and sent. Its data is what the subject's own GET would have answered at that moment.
import type { EventList, Event as PublicEvent } from '@kestrel/contract'

import type { Deps } from '../../domain/deps.ts'
import type { Event } from '../../domain/events/event.ts'
import type { EventPage } from '../../domain/events/read-events.ts'
import { presentPayout } from './payout.ts'

export function presentEvent(deps: Pick<Deps, 'rails'>, event: Event): PublicEvent {
  return {
    object: 'event',
    id: event.id,
    type: event.type,
    environment: event.environment,
    occurred_at: event.occurredAt.toISOString(),
    subject: { object: event.subject.object, id: event.subject.id },
    sequence: event.sequence,
    request_id: event.requestId,
    data: presentPayout(deps, event.subject.payout),
  }
}

export function presentEventPage(deps: Pick<Deps, 'rails'>, page: EventPage): EventList {
  return {
    object: 'list',
    data: page.events.map((event) => presentEvent(deps, event)),
    has_more: page.nextCursor !== null,
    next_cursor: page.nextCursor,
  }
}
