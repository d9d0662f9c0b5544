// Requests and answers of the operations about webhooks.
import type { WebhookEndpoint, WebhookEndpointWithSecret, WebhookKey } from '@kestrel/contract'

import type { NamedExamples, OperationExamples } from './examples.ts'

const only = (summary: string, value: unknown): NamedExamples => ({ example: { summary, value } })

const ENDPOINT: WebhookEndpoint = {
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
  previous_secret_until: null,
  created_at: '2026-11-02T09:15:11.902Z',
  created_by: 'demo@thistle.test',
}

const WITH_SECRET: WebhookEndpointWithSecret = {
  ...ENDPOINT,
  secret: `whsec_${'Kx3v'.repeat(10)}Kx0=`,
  note: 'Copy the secret now. It cannot be shown again.',
}

const KEY: WebhookKey = { id: '6c1f0b7a', algorithm: 'ed25519', public_key: `whpk_${'p2Qa'.repeat(10)}p20=` }

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
  listWebhookKeys: { answers: { 200: only('One key', { object: 'list', data: [KEY] }) } },
}
