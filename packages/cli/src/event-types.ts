// The types of events that there are, to choose from. The compiler refuses one that is missing here or is none.
import type { Operations } from '@kestrel/sdk'

type Asked = NonNullable<NonNullable<Operations['GET /v1/events']['query']>['type']>
type EventType = Extract<Asked, string>

const TYPES: Readonly<Record<EventType, true>> = {
  'payout.created': true,
  'payout.pending': true,
  'payout.processing': true,
  'payout.completed': true,
  'payout.failed': true,
  'payout.cancelled': true,
  'payout.returned': true,
  'payout.refunded': true,
  'balance.low': true,
  'balance.recovered': true,
  'deposit.received': true,
  'invoice.issued': true,
  'invoice.paid': true,
  'invoice.overdue': true,
  'invoice.void': true,
  'verification.changed': true,
  'api_key.created': true,
  'api_key.changed': true,
  'api_key.rotated': true,
  'api_key.revoked': true,
  'member.limits_changed': true,
  'webhook_endpoint.disabled': true,
}

export const EVENT_TYPES: readonly string[] = Object.keys(TYPES)
