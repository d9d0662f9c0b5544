// An endpoint as its own GET shows it, without its secrets; and what the event says that it was switched off.
import type { WebhookEndpoint } from '@kestrel/contract'

import type { EndpointRow } from '../../storage/webhook-endpoints.ts'
import type { EndpointDoing } from './how-endpoints-do.ts'

export function showEndpoint(endpoint: EndpointDoing): WebhookEndpoint {
  const { attempts, delivered } = endpoint
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
    attempts_24h: attempts,
    delivered_24h: delivered,
    success_rate_24h: attempts === 0 ? null : Math.floor((delivered / attempts) * RATE_STEPS) / RATE_STEPS,
    last_failure: lastFailure(endpoint),
    previous_secret_until: endpoint.previousSecretUntil?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
    created_by: endpoint.createdBy,
  }
}

/** Rounded down: one failure among very many is not all right. */
const RATE_STEPS = 10_000

function lastFailure({ lastFailedAt, lastFailedStatus, lastFailedError }: EndpointRow) {
  if (lastFailedAt === null) return null
  return { at: lastFailedAt.toISOString(), status: lastFailedStatus, error: lastFailedError }
}

/** For everybody who reads events: neither the whole address, which may hold a secret, nor who made it. */
export function showDisabled(endpoint: EndpointRow) {
  const { id, environment, status, disabledReason, disabledAt } = endpoint
  return {
    object: 'webhook_endpoint',
    id,
    environment,
    host: new URL(endpoint.url).host,
    status,
    disabled_reason: disabledReason,
    disabled_at: disabledAt?.toISOString() ?? null,
  }
}
