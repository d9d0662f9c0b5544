import type { WebhookDelivery, WebhookEndpoint } from '@kestrel/contract'

import { Badge } from '../parts/status-pill.tsx'

export function DeliveryBadge({ state }: Pick<WebhookDelivery, 'state'>) {
  if (state === 'delivered') {
    return (
      <Badge tone="ok" icon="check">
        Delivered
      </Badge>
    )
  }
  if (state === 'failed') {
    return (
      <Badge tone="bad" icon="cross">
        Failed
      </Badge>
    )
  }
  return (
    <Badge tone="info" icon="clock">
      Waiting
    </Badge>
  )
}

/** One that fails is said to fail: it is active, and nothing arrives. */
export function EndpointBadge({ endpoint }: { endpoint: WebhookEndpoint }) {
  if (endpoint.status === 'disabled') {
    return (
      <Badge tone="bad" icon="cancelled">
        Switched off
      </Badge>
    )
  }
  if (endpoint.status === 'paused') {
    return (
      <Badge tone="quiet" icon="clock">
        Paused
      </Badge>
    )
  }
  return endpoint.failing_since === null ? (
    <Badge tone="ok" icon="check">
      Active
    </Badge>
  ) : (
    <Badge tone="warn" icon="alert">
      Failing
    </Badge>
  )
}
