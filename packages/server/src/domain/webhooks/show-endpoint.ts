// An endpoint as its own GET shows it, without its secrets: for answers, and for the event that says that it was switched off.
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
