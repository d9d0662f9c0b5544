// Webhooks, their events and the log of attempts, as the real bank shows them.
import type { RecordedEvent } from '../storage/events.ts'
import type { DeliveryLog, Webhook } from '../storage/webhooks.ts'

export function presentWebhook(webhook: Webhook): object {
  return {
    id: webhook.id,
    url: webhook.url,
    status: webhook.status,
    public_key: webhook.publicKey,
    event_categories: webhook.eventCategories ?? undefined,
  }
}

export function presentEvent(event: RecordedEvent, developerId: string): object {
  return JSON.parse(eventText(event, developerId)) as object
}

/** An event as it is sent: what is stored as text goes out as it is. */
export function eventText(event: RecordedEvent, developerId: string): string {
  const about = JSON.stringify({
    api_version: 'v0',
    event_id: event.id,
    event_developer_id: developerId,
    event_sequence: Number(event.seq),
    event_category: event.category,
    event_type: `${event.category}.${event.type}`,
    event_object_id: event.objectId,
    event_object_status: event.objectStatus,
  })
  const { object, changes, createdAt } = event
  const parts = `"event_object":${object},"event_object_changes":${changes},"event_created_at":${JSON.stringify(createdAt)}`
  return `${about.slice(0, -1)},${parts}}`
}

export function presentDeliveryLog(log: DeliveryLog): object {
  return { status: log.status, event_id: log.eventId, response_body: log.responseBody, created_at: log.createdAt }
}
