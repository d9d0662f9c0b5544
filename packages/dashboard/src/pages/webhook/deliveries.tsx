import type { WebhookEndpoint } from '@kestrel/contract'
import { EVENT_TYPES } from '@kestrel/contract/event-type'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'

import { Loaded } from '../../app/loaded.tsx'
import { useScope } from '../../app/session.ts'
import { Card } from '../../parts/card.tsx'
import { inputClass } from '../../parts/field.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { Segments } from '../../parts/tabs.tsx'
import { deliveryPagesQuery } from '../../server/webhook-queries.ts'
import { DeliveryTable } from '../../webhooks/delivery-table.tsx'

const STATES = [
  { value: '', label: 'All' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'failed', label: 'Failed' },
] as const

/** What was sent to the endpoint, and what waits. The filter is in the address, so a link is a view. */
export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const scope = useScope()
  const { state, type } = useSearch({ from: '/inside/webhooks/$id' })
  const known = STATES.find(({ value }) => value === state)?.value ?? ''
  const filter = { ...(known === '' ? {} : { state: known }), ...(type === undefined ? {} : { type }) }
  const pages = useInfiniteQuery(deliveryPagesQuery(scope, endpoint.id, filter))
  return (
    <Card title="Deliveries" flush className="overflow-hidden" action={<Filters state={known} type={type ?? ''} />}>
      <Loaded query={pages}>
        {({ pages: read }) => {
          const deliveries = read.flatMap(({ data }) => data)
          if (deliveries.length > 0) return <DeliveryTable deliveries={deliveries} />
          if (Object.keys(filter).length > 0) {
            return (
              <EmptyState icon="search" title="No deliveries match">
                {pages.hasNextPage ? 'Look further back, or choose another filter.' : 'Choose another filter.'}
              </EmptyState>
            )
          }
          return (
            <EmptyState icon="webhooks" title="Nothing was sent yet">
              <p>Whatever happens from now on is sent here. To try your receiver out now, send a test event.</p>
            </EmptyState>
          )
        }}
      </Loaded>
      <LoadMore pages={pages}>Load older deliveries</LoadMore>
    </Card>
  )
}

function Filters({ state, type }: { state: (typeof STATES)[number]['value']; type: string }) {
  const navigate = useNavigate({ from: '/webhooks/$id' })
  const show = (change: { state?: string; type?: string }) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segments label="State" value={state} options={STATES} onChange={(value) => show({ state: value })} />
      <select
        aria-label="Type of event"
        className={`${inputClass} w-auto!`}
        value={type}
        onChange={(event) => show({ type: event.target.value })}
      >
        <option value="">All types</option>
        {EVENT_TYPES.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </div>
  )
}
