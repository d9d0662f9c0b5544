// Events that there are, and sending one again.
import type { Event, Operations, WebhookDelivery } from '@kestrel/sdk'

import { countOf } from '../amount.ts'
import type { Context } from '../command.ts'
import type { Column } from '../output.ts'

const COLUMNS: readonly Column<Event>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'TYPE', of: ({ type }) => type },
  { title: 'SUBJECT', of: ({ subject }) => subject.id },
  { title: 'NR', of: ({ sequence }) => String(sequence) },
  { title: 'OCCURRED', of: ({ occurred_at: at }) => at },
]

const DELIVERY_COLUMNS: readonly Column<WebhookDelivery>[] = [
  { title: 'DELIVERY', of: ({ id }) => id },
  { title: 'ENDPOINT', of: ({ endpoint_id: id }) => id },
  { title: 'STATE', of: ({ state }) => state },
]

type Query = NonNullable<Operations['GET /v1/events']['query']>

export async function list(context: Context): Promise<void> {
  const limit = countOf(context.option('limit'), { name: 'limit', usual: 20, most: 10_000 })
  const query = {
    type: context.option('type')?.split(','),
    subject: context.option('subject'),
    after: context.option('after'),
  }
  const kestrel = await context.client()
  const events = await kestrel.events.list(query as Query, { signal: context.around.signal }).first(limit)
  context.out.table(events, COLUMNS, 'No events.')
}

export async function resend(context: Context): Promise<void> {
  const endpoint = context.option('endpoint')
  const kestrel = await context.client()
  const { data } = await kestrel.events.redeliver(
    context.args[0]!,
    endpoint === undefined ? {} : { endpoint_id: endpoint },
    { signal: context.around.signal },
  )
  context.out.table(data, DELIVERY_COLUMNS, 'No webhook endpoint wants this event.')
}
