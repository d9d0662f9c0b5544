import type { WebhookDelivery } from '@kestrel/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { linkClass } from '../../app/page.tsx'
import { useIsAdmin, useScope, useSession } from '../../app/session.ts'
import { Card } from '../../parts/card.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { WhoCan } from '../../parts/states.tsx'
import { deliveriesAboutPagesQuery, endpointsQuery } from '../../server/webhook-queries.ts'
import { DeliveryTable } from '../../webhooks/delivery-table.tsx'

/** What was sent to your program about this payout. A business without endpoints is told that there could be. */
export function PayoutDeliveries({ payoutId }: { payoutId: string }) {
  const scope = useScope()
  const isAdmin = useIsAdmin()
  const { partner } = useSession()
  const endpoints = useQuery(endpointsQuery(scope))
  const pages = useInfiniteQuery(deliveriesAboutPagesQuery(scope, payoutId))
  const urls = endpoints.data?.data
  const whither = useCallback(
    ({ endpoint_id: id }: WebhookDelivery) => (
      <Link to="/webhooks/$id" params={{ id }} className={`wrap-anywhere ${linkClass}`}>
        {placeOf(urls?.find((each) => each.id === id)?.url)}
      </Link>
    ),
    [urls],
  )
  return (
    <Card
      title="Webhook deliveries"
      flush
      className="overflow-hidden"
      action={isAdmin ? undefined : <WhoCan>Only admins of {partner.name} send again.</WhoCan>}
    >
      <Loaded query={pages}>
        {({ pages: read }) =>
          read.some(({ data }) => data.length > 0) ? (
            <DeliveryTable deliveries={read.flatMap(({ data }) => data)} whither={whither} />
          ) : (
            <p className="px-5 pb-5 text-muted">
              {urls?.length === 0
                ? 'Your program can hear of this as it happens, instead of asking. '
                : 'Nothing was sent about this payout: there was no endpoint that wanted its events. '}
              <Link to="/webhooks" className={linkClass}>
                Webhooks
              </Link>
            </p>
          )
        }
      </Loaded>
      <LoadMore pages={pages}>Load older deliveries</LoadMore>
    </Card>
  )
}

/** Without what all of them begin with. */
const placeOf = (url: string | undefined) => url?.replace(/^https?:\/\//, '').replace(/\/$/, '') ?? 'Endpoint'
