import type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryWithAttempts,
  WebhookTestResult,
} from '@kestrel/contract'

import type { Deps } from '../../domain/deps.ts'
import type { DeliveryPage, LookedIntoDelivery } from '../../domain/webhooks/read-deliveries.ts'
import type { TestAttempt } from '../../domain/webhooks/send-test.ts'
import { presentEvent } from './event.ts'

type Delivery = DeliveryPage['deliveries'][number]

export function presentDelivery(delivery: Delivery): WebhookDelivery {
  return {
    object: 'webhook_delivery',
    id: delivery.id,
    environment: delivery.environment,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    subject_id: delivery.subjectId,
    sequence: delivery.sequence,
    cause: delivery.cause,
    state: delivery.state,
    attempts: delivery.attempts,
    created_at: delivery.createdAt.toISOString(),
    next_try_at: delivery.nextTryAt?.toISOString() ?? null,
    ended_at: delivery.endedAt?.toISOString() ?? null,
  }
}

export function presentDeliveryPage({ deliveries, nextCursor }: DeliveryPage): WebhookDeliveryList {
  return {
    object: 'list',
    data: deliveries.map(presentDelivery),
    has_more: nextCursor !== null,
    next_cursor: nextCursor,
  }
}

export function presentDeliveryWithAttempts(
  deps: Pick<Deps, 'rails'>,
  { delivery, event, attempts, headers }: LookedIntoDelivery,
): WebhookDeliveryWithAttempts {
  return {
    ...presentDelivery(delivery),
    headers: { ...headers },
    payload: event === null ? null : presentEvent(deps, event),
    attempt_list: attempts.map(presentAttempt),
  }
}

function presentAttempt(attempt: LookedIntoDelivery['attempts'][number]): WebhookAttempt {
  return { ...attempt, at: attempt.at.toISOString() }
}

export function presentTest(test: TestAttempt): WebhookTestResult {
  const { at, ms, status, error, answer, headers, body, isDelivered } = test
  return {
    object: 'webhook_test',
    delivered: isDelivered,
    at: at.toISOString(),
    ms,
    status,
    error,
    answer,
    headers: { ...headers },
    body,
  }
}
