// Events as the documentation shows them: one payout, from its end to its beginning.
import type { Event, EventList, Payout } from '@kestrel/contract'

import { COMPLETED, PROCESSING } from './payout-examples.ts'

const REQUEST_ID = '01a19b8a-d7a2-7b04-9a51-4f8e2c6d0b17'

const event = (own: Pick<Event, 'id' | 'type' | 'sequence' | 'request_id'>, payout: Payout): Event => ({
  object: 'event',
  ...own,
  environment: 'sandbox',
  occurred_at: payout.updated_at,
  subject: { object: 'payout', id: payout.id },
  data: payout,
})

export const EVENT = event(
  { id: '01a19b8a-dfec-7c3d-8b92-6e1f0a4d5c38', type: 'payout.completed', sequence: 3, request_id: null },
  COMPLETED,
)

export const EVENTS: EventList = {
  object: 'list',
  data: [
    EVENT,
    event(
      {
        id: '01a19b8a-d7d4-7e21-a4c6-90b3d85f7a42',
        type: 'payout.processing',
        sequence: 2,
        request_id: REQUEST_ID,
      },
      PROCESSING,
    ),
    event(
      { id: '01a19b8a-d7d4-7190-b8e5-2c7a61f3d904', type: 'payout.created', sequence: 1, request_id: REQUEST_ID },
      PROCESSING,
    ),
  ],
  has_more: false,
  next_cursor: null,
}
