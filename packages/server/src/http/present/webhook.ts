import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@kestrel/contract'

import type { EndpointDoing } from '../../domain/webhooks/how-endpoints-do.ts'
import type { Caller } from '../access/caller.ts'
import { showEndpoint } from '../../domain/webhooks/show-endpoint.ts'

type Seen = Pick<Caller, 'session'>

/** Programs are not told who is in the team: to a key, a member is `member`. */
export function presentEndpoint(endpoint: EndpointDoing, { session }: Seen): WebhookEndpoint {
  const shown = showEndpoint(endpoint)
  const isMember = shown.created_by.includes('@')
  return session === null && isMember ? { ...shown, created_by: 'member' } : shown
}

export function presentWithSecret(endpoint: EndpointDoing, secret: string, caller: Seen): WebhookEndpointWithSecret {
  return { ...presentEndpoint(endpoint, caller), secret, note: 'Copy the secret now. It cannot be shown again.' }
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
