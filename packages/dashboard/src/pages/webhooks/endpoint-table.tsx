import type { WebhookEndpoint } from '@kestrel/contract'
import { Link } from '@tanstack/react-router'

import { linkClass } from '../../app/page.tsx'
import { inThousands } from '../../format/people.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Time } from '../../parts/time.tsx'
import { EndpointBadge } from '../../webhooks/badges.tsx'
import { eventsWords, outcomeWords, rateWords } from '../../webhooks/delivery-words.ts'

export function EndpointTable({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) {
  return (
    <DataTable
      caption="Webhook endpoints"
      columns={COLUMNS}
      rows={endpoints}
      rowId={({ id }) => id}
      narrow={(endpoint) => (
        <div className="grid gap-1.5">
          <div className="flex items-start justify-between gap-3">
            <Address endpoint={endpoint} />
            <EndpointBadge endpoint={endpoint} />
          </div>
          <p className="text-sm text-muted">{eventsWords(endpoint.events)}</p>
          <p className="text-sm text-muted">
            Last 24 hours: <Rate endpoint={endpoint} />
          </p>
          {endpoint.last_failure === null ? null : (
            <p className="text-sm text-muted">
              Last failure: <LastFailure endpoint={endpoint} />
            </p>
          )}
        </div>
      )}
    />
  )
}

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  { id: 'address', header: 'Address', cell: (endpoint) => <Address endpoint={endpoint} /> },
  {
    id: 'events',
    header: 'Events',
    cell: ({ events }) => <span title={events.join(', ')}>{eventsWords(events)}</span>,
  },
  { id: 'state', header: 'Status', cell: (endpoint) => <EndpointBadge endpoint={endpoint} /> },
  { id: 'rate', header: 'Last 24 hours', cell: (endpoint) => <Rate endpoint={endpoint} /> },
  { id: 'failure', header: 'Last failure', cell: (endpoint) => <LastFailure endpoint={endpoint} /> },
]

function Address({ endpoint: { id, url, description } }: { endpoint: WebhookEndpoint }) {
  return (
    <span className="min-w-0">
      <Link to="/webhooks/$id" params={{ id }} className={`font-mono text-sm wrap-anywhere ${linkClass}`}>
        {url}
      </Link>
      {description === null ? null : <span className="block text-sm text-muted wrap-anywhere">{description}</span>}
    </span>
  )
}

function Rate({ endpoint }: { endpoint: WebhookEndpoint }) {
  if (endpoint.success_rate_24h === null) return <span className="text-muted">No attempts</span>
  return (
    <span className="num">
      {rateWords(endpoint)}{' '}
      <span className="text-sm whitespace-nowrap text-muted">
        {inThousands(endpoint.delivered_24h)} of {inThousands(endpoint.attempts_24h)}
      </span>
    </span>
  )
}

function LastFailure({ endpoint: { last_failure: last } }: { endpoint: WebhookEndpoint }) {
  if (last === null) return <span className="text-muted">None</span>
  return (
    <span>
      {outcomeWords(last)}{' '}
      <span className="text-sm text-muted">
        <Time at={last.at} as="ago" />
      </span>
    </span>
  )
}
