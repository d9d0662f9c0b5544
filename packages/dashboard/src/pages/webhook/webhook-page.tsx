import type { WebhookEndpoint } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { Loaded } from '../../app/loaded.tsx'
import { BackLink, Page } from '../../app/page.tsx'
import { useScope } from '../../app/session.ts'
import { Card } from '../../parts/card.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { isNotFound } from '../../server/client.ts'
import { endpointQuery } from '../../server/webhook-queries.ts'
import { NotHere } from '../../shell/not-here.tsx'
import { EndpointBadge } from '../../webhooks/badges.tsx'
import { VerifyTabs } from '../../webhooks/verify-tabs.tsx'
import { Deliveries } from './deliveries.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { EndpointFigures } from './endpoint-figures.tsx'
import { EndpointNotices } from './endpoint-notices.tsx'
import { PublicKey } from './public-key.tsx'

export function WebhookPage() {
  const { id } = useParams({ from: '/inside/webhooks/$id' })
  const query = useQuery(endpointQuery(useScope(), id))
  const endpoint = query.data
  const isMissing = isNotFound(query.error)
  return (
    <Page
      title={endpoint === undefined ? 'Webhook endpoint' : new URL(endpoint.url).host}
      heading={<span className="wrap-anywhere">{endpoint?.url ?? 'Webhook endpoint'}</span>}
      back={<BackLink to="/webhooks">Webhooks</BackLink>}
      sub={endpoint === undefined ? undefined : <UnderTitle endpoint={endpoint} />}
      actions={endpoint === undefined || isMissing ? undefined : <EndpointActions endpoint={endpoint} />}
    >
      {isMissing ? <Missing /> : <Loaded query={query}>{(found) => <Body endpoint={found} />}</Loaded>}
    </Page>
  )
}

function UnderTitle({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <>
      {endpoint.description === null ? null : <p className="wrap-anywhere">{endpoint.description}</p>}
      <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
        <EndpointBadge endpoint={endpoint} />
        <Copyable text={endpoint.id} what="endpoint id" />
      </span>
    </>
  )
}

function Body({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <>
      <EndpointNotices endpoint={endpoint} />
      <EndpointFigures endpoint={endpoint} />
      <Deliveries endpoint={endpoint} />
      <Card title="Verify what arrives">
        <p className="mb-3 text-muted">
          Anybody can send something to your address. With the secret your receiver can tell that it was us; any library
          for Standard Webhooks does it.
        </p>
        <VerifyTabs />
      </Card>
      <PublicKey endpointId={endpoint.id} />
    </>
  )
}

function Missing() {
  return (
    <NotHere what="endpoint" all={{ to: '/webhooks', label: 'All endpoints' }}>
      An endpoint belongs to one environment, and one that was deleted is gone.
    </NotHere>
  )
}
