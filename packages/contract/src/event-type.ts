/** Every kind of event that a receiver can ask for. */
export const EVENT_TYPES = [
  'payout.created',
  'payout.pending',
  'payout.processing',
  'payout.completed',
  'payout.failed',
  'payout.cancelled',
  'payout.returned',
  'payout.refunded',
  'balance.low',
  'balance.recovered',
  'deposit.received',
  'invoice.issued',
  'invoice.paid',
  'invoice.overdue',
  'invoice.void',
  'verification.changed',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'webhook_endpoint.disabled',
] as const
export type EventType = (typeof EVENT_TYPES)[number]
