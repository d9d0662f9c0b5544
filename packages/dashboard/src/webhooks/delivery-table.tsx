import type { WebhookDelivery } from '@kestrel/contract'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'

import { linkClass } from '../app/page.tsx'
import { useIsAdmin } from '../app/session.ts'
import { relative } from '../format/dates.ts'
import { Button } from '../parts/button.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Time } from '../parts/time.tsx'
import { DeliveryBadge } from './badges.tsx'
import { causeWords } from './delivery-words.ts'
import { useResend } from './use-resend.ts'

interface TableProps {
  readonly deliveries: readonly WebhookDelivery[]
  /** Where it was sent, on a page that shows several endpoints. */
  readonly whither?: (delivery: WebhookDelivery) => ReactNode
}

/** Each leads to its own page. Admins send one again from here. */
export function DeliveryTable({ deliveries, whither }: TableProps) {
  const isAdmin = useIsAdmin()
  const columns = useMemo(() => columnsOf(whither, isAdmin), [whither, isAdmin])
  return (
    <DataTable
      caption="Webhook deliveries"
      columns={columns}
      rows={deliveries}
      rowId={({ id }) => id}
      narrow={(delivery) => (
        <div className="grid gap-1.5">
          <div className="flex items-start justify-between gap-3">
            <EventName delivery={delivery} />
            <DeliveryBadge state={delivery.state} />
          </div>
          {whither === undefined ? null : <div className="text-sm">{whither(delivery)}</div>}
          <div className="flex items-center justify-between gap-3">
            <span className="text-sm text-muted">
              <Time at={delivery.created_at} />, <Attempts delivery={delivery} />
            </span>
            {isAdmin ? <Resend delivery={delivery} /> : null}
          </div>
        </div>
      )}
    />
  )
}

function columnsOf(whither: TableProps['whither'], isAdmin: boolean): readonly Column<WebhookDelivery>[] {
  return [
    { id: 'event', header: 'Event', cell: (delivery) => <EventName delivery={delivery} /> },
    ...(whither === undefined ? [] : [{ id: 'endpoint', header: 'Endpoint', cell: whither }]),
    { id: 'state', header: 'State', cell: ({ state }) => <DeliveryBadge state={state} /> },
    { id: 'attempts', header: 'Attempts', cell: (delivery) => <Attempts delivery={delivery} /> },
    { id: 'made', header: 'Made', cell: ({ created_at: at }) => <Time at={at} /> },
    ...(isAdmin
      ? [
          {
            id: 'actions',
            header: 'Actions',
            isRight: true,
            cell: (delivery: WebhookDelivery) => <Resend delivery={delivery} />,
          },
        ]
      : []),
  ]
}

function EventName({ delivery }: { delivery: WebhookDelivery }) {
  const cause = causeWords(delivery)
  return (
    <span className="min-w-0">
      <Link
        to="/webhooks/deliveries/$id"
        params={{ id: delivery.id }}
        className={`font-mono text-sm wrap-anywhere ${linkClass}`}
      >
        {delivery.event_type}
      </Link>
      {cause === null ? null : <span className="text-sm text-muted"> {cause}</span>}
    </span>
  )
}

function Attempts({ delivery: { attempts, next_try_at: next, state } }: { delivery: WebhookDelivery }) {
  const words = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  const isLater = state === 'waiting' && next !== null && attempts > 0
  return (
    <span className="num text-muted">
      {words}
      {isLater ? `, next ${relative(next, new Date())}` : ''}
    </span>
  )
}

function Resend({ delivery }: { delivery: WebhookDelivery }) {
  const act = useResend()
  return (
    <Button
      kind="quiet"
      aria-label={`Resend ${delivery.event_type}`}
      busy={act.isPending ? 'Sending…' : false}
      onClick={() => act.mutate(delivery)}
    >
      Resend
    </Button>
  )
}
