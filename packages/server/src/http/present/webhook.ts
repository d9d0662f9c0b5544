import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@kestrel/contract'

import type { EndpointWithSecret } from '../../domain/webhooks/create-endpoint.ts'

export function presentEndpoint(endpoint: EndpointWithSecret['endpoint']): WebhookEndpoint {
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

export function presentWithSecret({ endpoint, secret }: EndpointWithSecret): WebhookEndpointWithSecret {
  return { ...presentEndpoint(endpoint), secret, note: 'Copy the secret now. It cannot be shown again.' }
}
