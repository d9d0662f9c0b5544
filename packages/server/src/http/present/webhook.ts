import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@kestrel/contract'

import type { EndpointWithSecret } from '../../domain/webhooks/create-endpoint.ts'
import { showEndpoint } from '../../domain/webhooks/show-endpoint.ts'

export function presentEndpoint(endpoint: EndpointWithSecret['endpoint']): WebhookEndpoint {
  return showEndpoint(endpoint)
}

export function presentWithSecret({ endpoint, secret }: EndpointWithSecret): WebhookEndpointWithSecret {
  return { ...showEndpoint(endpoint), secret, note: 'Copy the secret now. It cannot be shown again.' }
}
