// The bank's messages: where they are sent to, how they are signed, and what their categories are about.
import { randomHex } from '../../core/ids.ts'
import type { EventTopic, RegisteredWebhook } from '../account.ts'
import type { BankWebhooks } from '../port.ts'
import { ask } from './ask-provider.ts'
import { longText, text } from './json-words.ts'
import type { ProviderClient } from './provider-client.ts'
import { readWebhook } from './webhook-signature.ts'

const SIGNATURE_HEADER = 'x-webhook-signature'

const TOPICS = new Map<string, EventTopic>([
  ['transfer', { kind: 'transfer' }],
  ['kyc_link', { kind: 'verification' }],
  ['customer', { kind: 'holder' }],
  ['bridge_wallet.activity', { kind: 'wallet' }],
  ['virtual_account.activity', { kind: 'deposit', source: 'bank' }],
  ['liquidation_address.drain', { kind: 'deposit', source: 'chain' }],
])

export function createWebhooks(client: ProviderClient): BankWebhooks {
  return {
    register: (url) => register(client, url),
    remove: async (ref) => void (await client.call({ method: 'DELETE', path: `/webhooks/${encodeURIComponent(ref)}` })),
    read: ({ headers, ...message }) => {
      const signature = headers[SIGNATURE_HEADER]
      return readWebhook({ ...message, signature: typeof signature === 'string' ? signature : undefined })
    },
    topicOf: (category) => TOPICS.get(category) ?? { kind: 'other' },
  }
}

async function register(client: ProviderClient, url: string): Promise<RegisteredWebhook> {
  const created = await ask(client, {
    method: 'POST',
    path: '/webhooks',
    body: {
      url,
      event_epoch: 'webhook_creation',
      event_categories: [...TOPICS.keys()],
    },
    idempotencyKey: `webhook:${randomHex(12)}`,
  })
  const webhookRef = text(created, 'id')
  await ask(client, { method: 'PUT', path: `/webhooks/${encodeURIComponent(webhookRef)}`, body: { status: 'active' } })
  return { webhookRef, publicKey: longText(created, 'public_key') }
}
