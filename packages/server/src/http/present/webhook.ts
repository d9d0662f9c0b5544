import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@kestrel/contract'

import type { EndpointDoing } from '../../domain/webhooks/how-endpoints-do.ts'
import { showEndpoint } from '../../domain/webhooks/show-endpoint.ts'

export function presentEndpoint(endpoint: EndpointDoing): WebhookEndpoint {
  return showEndpoint(endpoint)
}

export function presentWithSecret(endpoint: EndpointDoing, secret: string): WebhookEndpointWithSecret {
  return { ...showEndpoint(endpoint), secret, note: 'Copy the secret now. It cannot be shown again.' }
}
