import type { WebhookDeliveryWithAttempts } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'

import { Loaded } from '../../app/loaded.tsx'
import { BackLink, linkClass, Page } from '../../app/page.tsx'
import { useIsAdmin, useScope, useSession } from '../../app/session.ts'
import { Button } from '../../parts/button.tsx'
import { Card, Fact, Facts } from '../../parts/card.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { WhoCan } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { isNotFound } from '../../server/client.ts'
import { deliveryQuery, endpointQuery } from '../../server/webhook-queries.ts'
import { NotHere } from '../../shell/not-here.tsx'
import { DeliveryBadge } from '../../webhooks/badges.tsx'
import { causeWords } from '../../webhooks/delivery-words.ts'
import { headerLines } from '../../webhooks/texts.ts'
import { useResend } from '../../webhooks/use-resend.ts'
import { Attempts } from './attempts.tsx'

export function DeliveryPage() {
  const { id } = useParams({ from: '/inside/webhooks/deliveries/$id' })
  const query = useQuery(deliveryQuery(useScope(), id))
  const delivery = query.data
  const isMissing = isNotFound(query.error)
  return (
    <Page
      title={delivery === undefined ? 'Webhook delivery' : delivery.event_type}
      heading={<span className="wrap-anywhere">{delivery?.event_type ?? 'Webhook delivery'}</span>}
      back={<BackLink to="/webhooks">Webhooks</BackLink>}
      sub={delivery === undefined ? undefined : <UnderTitle delivery={delivery} />}
      actions={delivery === undefined || isMissing ? undefined : <Actions delivery={delivery} />}
    >
      {isMissing ? <Missing /> : <Loaded query={query}>{(found) => <Body delivery={found} />}</Loaded>}
    </Page>
  )
}

function UnderTitle({ delivery }: { delivery: WebhookDeliveryWithAttempts }) {
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <DeliveryBadge state={delivery.state} />
      <Copyable text={delivery.event_id} what="event id" />
    </span>
  )
}

function Actions({ delivery }: { delivery: WebhookDeliveryWithAttempts }) {
  const { partner } = useSession()
  const isAdmin = useIsAdmin()
  const navigate = useNavigate()
  const act = useResend((made) => {
    if (made !== undefined) void navigate({ to: '/webhooks/deliveries/$id', params: { id: made.id } })
  })
  if (!isAdmin) return <WhoCan>Only admins send webhooks again. Ask an admin of {partner.name}.</WhoCan>
  return (
    <Button
      kind="primary"
      icon="refresh"
      busy={act.isPending ? 'Sending…' : false}
      onClick={() => act.mutate(delivery)}
    >
      Resend
    </Button>
  )
}

function Body({ delivery }: { delivery: WebhookDeliveryWithAttempts }) {
  return (
    <>
      <Card>
        <About delivery={delivery} />
      </Card>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
        <Card title="What we send">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
            <CodeBlock what="headers" code={headerLines(delivery.headers)} />
            <p className="text-sm text-muted">
              And <code className="font-mono">webhook-signature</code>, which is made anew for each attempt.
            </p>
            {delivery.payload === null ? (
              <p className="text-muted">The event is no longer kept: events are kept for 90 days.</p>
            ) : (
              <CodeBlock what="payload" code={JSON.stringify(delivery.payload, null, 2)} />
            )}
          </div>
        </Card>
        <Card title="What was answered">
          <Attempts delivery={delivery} />
        </Card>
      </div>
    </>
  )
}

function About({ delivery }: { delivery: WebhookDeliveryWithAttempts }) {
  const cause = causeWords(delivery)
  return (
    <Facts>
      <Fact term="Endpoint">
        <EndpointOf delivery={delivery} />
      </Fact>
      <Fact term="About">
        {delivery.event_type.startsWith('payout.') ? (
          <Link to="/payouts/$id" params={{ id: delivery.subject_id }} className={linkClass}>
            The payout
          </Link>
        ) : (
          <span className="font-mono text-sm">{delivery.subject_id}</span>
        )}
        , its event number {delivery.sequence}
      </Fact>
      <Fact term="Made">
        <Time at={delivery.created_at} as="full" />
        {cause === null ? '' : `, ${cause}`}
      </Fact>
      {delivery.next_try_at === null ? null : (
        <Fact term="Next attempt">
          <Time at={delivery.next_try_at} as="full" />
        </Fact>
      )}
    </Facts>
  )
}

/** Where it goes. Only an endpoint that is not there was deleted; one that could not be read just now is there. */
function EndpointOf({ delivery: { endpoint_id: id } }: { delivery: WebhookDeliveryWithAttempts }) {
  const { data, error } = useQuery({ ...endpointQuery(useScope(), id), refetchInterval: false, retry: false })
  if (data === undefined && error === null) return '…'
  if (data === undefined && isNotFound(error)) return 'Deleted'
  return (
    <Link to="/webhooks/$id" params={{ id }} className={linkClass}>
      {data?.url ?? 'The endpoint'}
    </Link>
  )
}

function Missing() {
  return (
    <NotHere what="delivery" all={{ to: '/webhooks', label: 'All endpoints' }}>
      Deliveries are kept for 90 days.
    </NotHere>
  )
}
