// The bank's messages: where they are sent to, how they are signed, and what their categories are about.
import { randomHex } from '../../core/ids.ts'
import type { EventTopic, RegisteredWebhook } from '../account.ts'
import { BankRefusal, type BankWebhooks } from '../port.ts'
import { ask } from './ask-provider.ts'
import { type Json, longText, text } from './json-words.ts'
import type { ProviderClient } from './provider-client.ts'
import { readWebhook } from './webhook-signature.ts'

const SIGNATURE_HEADER = 'x-webhook-signature'

/** A newer category. What it tells is found in the wallet's history too, only later. */
const WALLET_ACTIVITY = 'bridge_wallet.activity'

const TOPICS = new Map<string, EventTopic>([
  ['transfer', { kind: 'transfer' }],
  ['kyc_link', { kind: 'verification' }],
  ['customer', { kind: 'holder' }],
  [WALLET_ACTIVITY, { kind: 'wallet' }],
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
  const created = await create(client, url)
  const webhookRef = text(created, 'id')
  await ask(client, { method: 'PUT', path: `/webhooks/${encodeURIComponent(webhookRef)}`, body: { status: 'active' } })
  return { webhookRef, publicKey: longText(created, 'public_key') }
}

/** A bank that does not know the newest category still sends the others. */
async function create(client: ProviderClient, url: string): Promise<Json> {
  const all = [...TOPICS.keys()]
  try {
    return await createFor(client, url, all)
  } catch (error) {
    if (!(error instanceof BankRefusal)) throw error
    const older = all.filter((category) => category !== WALLET_ACTIVITY)
    return await createFor(client, url, older)
  }
}

function createFor(client: ProviderClient, url: string, event_categories: readonly string[]): Promise<Json> {
  const body = { url, event_epoch: 'webhook_creation', event_categories }
  return ask(client, { method: 'POST', path: '/webhooks', body, idempotencyKey: `webhook:${randomHex(12)}` })
}
