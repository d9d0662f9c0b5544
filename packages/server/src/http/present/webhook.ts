import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@kestrel/contract'

import type { EndpointDoing } from '../../domain/webhooks/how-endpoints-do.ts'
import { showEndpoint } from '../../domain/webhooks/show-endpoint.ts'

export function presentEndpoint(endpoint: EndpointDoing): WebhookEndpoint {
  return showEndpoint(endpoint)
}

export function presentWithSecret(endpoint: EndpointDoing, secret: string): WebhookEndpointWithSecret {
  return { ...showEndpoint(endpoint), secret, note: 'Copy the secret now. It cannot be shown again.' }
}

type Endpoint = Pick<EndpointDoing, 'url' | 'description' | 'events' | 'status'>

/** An address may hold a password or a token: a log tells the host, and that there is more. */
export function endpointName({ url }: Pick<Endpoint, 'url'>): string {
  const { protocol, host, pathname, search } = new URL(url)
  return `${protocol}//${host}${pathname === '/' && search === '' ? '' : '/…'}`
}

/** What a log of changes tells of an endpoint. That it moved is told even where the host is the same. */
export function settingsIn(endpoint: Endpoint, before: Endpoint = endpoint) {
  const { url, description, events, status } = endpoint
  const hasMovedWithin = url !== before.url && endpointName(endpoint) === endpointName(before)
  return { url: `${endpointName(endpoint)}${hasMovedWithin ? ' (another path)' : ''}`, description, events, status }
}
