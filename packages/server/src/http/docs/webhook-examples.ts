// Requests and answers of the operations about webhooks.
import type {
  WebhookDelivery,
  WebhookDeliveryWithAttempts,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookKey,
  WebhookTestResult,
} from '@kestrel/contract'

import { SERVICE_VERSION } from '../../core/service-version.ts'

import type { NamedExamples, OperationExamples } from './examples.ts'
import { COMPLETED } from './payout-examples.ts'

const only = (summary: string, value: unknown): NamedExamples => ({ example: { summary, value } })

export const ENDPOINT: WebhookEndpoint = {
  object: 'webhook_endpoint',
  id: '01a19b8a-0c10-7e55-8f3a-0d5f3c2b7a92',
  environment: 'sandbox',
  url: 'https://hooks.thistle.example/kestrel',
  description: null,
  events: ['payout.completed', 'payout.failed'],
  status: 'active',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  attempts_24h: 640,
  delivered_24h: 632,
  success_rate_24h: 0.9875,
  last_failure: { at: '2026-11-02T04:11:52.310Z', status: 503, error: 'http_status' },
  previous_secret_until: null,
  created_at: '2026-11-02T09:15:11.902Z',
  created_by: 'demo@thistle.test',
}

const WITH_SECRET: WebhookEndpointWithSecret = {
  ...ENDPOINT,
  attempts_24h: 0,
  delivered_24h: 0,
  success_rate_24h: null,
  last_failure: null,
  secret: `whsec_${'Kx3v'.repeat(10)}Kx0=`,
  note: 'Copy the secret now. It cannot be shown again.',
}

const KEY: WebhookKey = { id: '6c1f0b7a', algorithm: 'ed25519', public_key: `whpk_${'p2Qa'.repeat(10)}p20=` }

const DELIVERY: WebhookDelivery = {
  object: 'webhook_delivery',
  id: '01a19b8f-5d20-7b1a-9c77-2e4f8d6a1b04',
  environment: 'sandbox',
  endpoint_id: ENDPOINT.id,
  event_id: '01a19b8f-5d1f-7c3e-a2b0-6f1d0a9c5e45',
  event_type: 'payout.completed',
  subject_id: COMPLETED.id,
  sequence: 3,
  cause: 'event',
  state: 'delivered',
  attempts: 1,
  created_at: '2026-11-02T09:20:08.480Z',
  next_try_at: null,
  ended_at: '2026-11-02T09:20:08.612Z',
}

const SENT = {
  'content-type': 'application/json',
  'user-agent': `Kestrel-Payouts/${SERVICE_VERSION}`,
  accept: '*/*',
  'accept-encoding': 'identity',
  'webhook-id': DELIVERY.event_id,
  'webhook-timestamp': '1793611208',
}
const ANSWERED = { at: '2026-11-02T09:20:08.512Z', ms: 96, status: 200, error: null, answer: 'ok' }

const LOOKED_INTO: WebhookDeliveryWithAttempts = {
  ...DELIVERY,
  headers: SENT,
  payload: {
    object: 'event',
    id: DELIVERY.event_id,
    type: DELIVERY.event_type,
    environment: 'sandbox',
    occurred_at: DELIVERY.created_at,
    subject: { object: 'payout', id: COMPLETED.id },
    sequence: 3,
    request_id: null,
    data: { ...COMPLETED },
  },
  attempt_list: [{ number: 1, ...ANSWERED }],
}

const AGAIN: WebhookDelivery = { ...DELIVERY, cause: 'redelivery', state: 'waiting', attempts: 0, ended_at: null }

const TESTED: WebhookTestResult = {
  object: 'webhook_test',
  delivered: true,
  ...ANSWERED,
  headers: { ...SENT, 'webhook-signature': `v1,${'Kx3v'.repeat(10)}Kx0= v1a,${'p2Qa'.repeat(21)}p2==` },
  body: `{"object":"event","id":"${DELIVERY.event_id}","type":"ping"}`,
}

/** By operationId. */
export const WEBHOOK_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  listWebhookEndpoints: { answers: { 200: only('One receiver', { object: 'list', data: [ENDPOINT] }) } },
  readWebhookEndpoint: { answers: { 200: only('A receiver', ENDPOINT) } },
  createWebhookEndpoint: {
    request: {
      some: {
        summary: 'Some events',
        value: { url: ENDPOINT.url, events: ['payout.completed', 'payout.failed'] },
      },
      all: { summary: 'All events', value: { url: ENDPOINT.url, description: 'The shop', events: ['*'] } },
    },
    answers: { 201: only('With its secret, this once', WITH_SECRET) },
  },
  changeWebhookEndpoint: {
    request: {
      pause: { summary: 'Pause it: events are kept', value: { status: 'paused' } },
      move: { summary: 'Another address', value: { url: 'https://hooks.thistle.example/v2' } },
    },
    answers: { 200: only('Paused', { ...ENDPOINT, status: 'paused' }) },
  },
  rotateWebhookSecret: {
    request: { day: { summary: 'Both sign for a day', value: { grace_seconds: 86400 } } },
    answers: {
      200: only('With its new secret, this once', {
        ...WITH_SECRET,
        previous_secret_until: '2026-11-03T09:15:11.902Z',
      }),
    },
  },
  deleteWebhookEndpoint: { answers: { 200: only('It is gone', { id: ENDPOINT.id, deleted: true }) } },
  testWebhookEndpoint: {
    request: {
      ping: { summary: 'A ping', value: { type: 'ping' } },
      failed: { summary: 'A payout that failed', value: { type: 'payout.failed' } },
    },
    answers: { 200: only('It arrived', TESTED) },
  },
  listWebhookDeliveries: {
    answers: { 200: only('One delivery', { object: 'list', data: [DELIVERY], has_more: false, next_cursor: null }) },
  },
  listDeliveriesOfSubject: {
    answers: { 200: only('One delivery', { object: 'list', data: [DELIVERY], has_more: false, next_cursor: null }) },
  },
  readWebhookDelivery: { answers: { 200: only('Delivered at once', LOOKED_INTO) } },
  redeliverEvent: {
    request: {
      all: { summary: 'To all that want it', value: {} },
      one: { summary: 'To one', value: { endpoint_id: ENDPOINT.id } },
    },
    answers: {
      202: only('To one endpoint', { object: 'list', data: [{ ...AGAIN, next_try_at: DELIVERY.created_at }] }),
    },
  },
  replayWebhooks: {
    request: {
      failed: { summary: 'What failed', value: { from: '2026-11-02T09:00:00Z' } },
      all: {
        summary: 'All of an hour',
        value: { from: '2026-11-02T09:00:00Z', to: '2026-11-02T10:00:00Z', only: 'all' },
      },
    },
    answers: {
      202: only('Three are sent again', {
        object: 'webhook_replay',
        deliveries: 3,
        has_more: false,
        until: '2026-11-02T10:00:00.000Z',
      }),
    },
  },
  listWebhookKeys: { answers: { 200: only('One key', { object: 'list', data: [KEY] }) } },
}
