// An event as it is shown and sent. Its data is what the subject's own GET would have answered at that moment.
import type { EventList, Event as PublicEvent } from '@kestrel/contract'

import type { Deps } from '../../domain/deps.ts'
import type { Event } from '../../domain/events/event.ts'
import type { EventPage } from '../../domain/events/read-events.ts'
import { presentInvoice } from './billing.ts'
import { presentKey } from './key.ts'
import { presentMember } from './member.ts'
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
    data: dataOf(deps, event),
  }
}

function dataOf(deps: Pick<Deps, 'rails'>, { subject, type }: Event): PublicEvent['data'] {
  switch (subject.object) {
    case 'payout':
      return presentPayout(deps, subject.payout)
    case 'invoice':
      // Where it is to be paid is a bank account.
      return presentInvoice(subject.invoice, null)
    case 'api_key':
      return presentKey(subject.key)
    case 'member':
      return presentMember(subject.member)
    case 'account':
      return type === 'verification.changed' ? presentVerification(subject.data) : { ...subject.data }
    case 'deposit':
    case 'webhook_endpoint':
      return { ...subject.data }
  }
}

/** The part of `GET /v1/compliance` that has changed. Its links are for the business alone. */
function presentVerification({ status, bank_status: word }: Readonly<Record<string, unknown>>): PublicEvent['data'] {
  return { object: 'compliance', business_verification: { status, provider_status: word } }
}

export function presentEventPage(deps: Pick<Deps, 'rails'>, page: EventPage): EventList {
  return {
    object: 'list',
    data: page.events.map((event) => presentEvent(deps, event)),
    has_more: page.nextCursor !== null,
    next_cursor: page.nextCursor,
  }
}
