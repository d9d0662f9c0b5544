// An endpoint as its own GET shows it, without its secrets; and what the event says that it was switched off.
import type { WebhookEndpoint } from '@kestrel/contract'

import type { EndpointRow } from '../../storage/webhook-endpoints.ts'

export function showEndpoint(endpoint: EndpointRow): WebhookEndpoint {
  return {
    object: 'webhook_endpoint',
    id: endpoint.id,
    environment: endpoint.environment,
    url: endpoint.url,
    description: endpoint.description,
    events: [...endpoint.events],
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    disabled_at: endpoint.disabledAt?.toISOString() ?? null,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    previous_secret_until: endpoint.previousSecretUntil?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
    created_by: endpoint.createdBy,
  }
}

/** For everybody who reads events: neither the whole address, which may hold a secret, nor who made it. */
export function showDisabled(endpoint: EndpointRow) {
  const { object, id, environment, status, disabled_reason, disabled_at } = showEndpoint(endpoint)
  return { object, id, environment, host: new URL(endpoint.url).host, status, disabled_reason, disabled_at }
}
