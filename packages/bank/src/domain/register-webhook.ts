// Registers a webhook. Each has a key pair of its own and starts switched off.
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'

import { invalidParameters, unknownId } from '../core/bank-error.ts'
import { newWebhookId } from '../core/ids.ts'
import type { Tx } from '../storage/sql.ts'
import {
  type Webhook,
  countWebhooks,
  insertWebhook,
  lockWebhook,
  queuePastEvents,
  updateWebhook,
} from '../storage/webhooks.ts'
import type { BankDeps } from './bank-deps.ts'

const MOST_WEBHOOKS = 5
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const newKeyPair = promisify(generateKeyPair)

export interface NewWebhook {
  readonly url: string
  readonly epoch: 'webhook_creation' | 'beginning_of_time'
  readonly eventCategories: readonly string[] | null
}

export async function registerWebhook(deps: BankDeps, tx: Tx, input: NewWebhook): Promise<Webhook> {
  refuseUnsafeUrl(input.url)
  if ((await countWebhooks(tx)) >= MOST_WEBHOOKS) {
    throw invalidParameters('body', ['url'], `There are ${MOST_WEBHOOKS} webhooks already. Delete one first.`)
  }
  const { publicKey, privateKey } = await newKeyPair('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const { url, eventCategories } = input
  const createdAt = deps.clock.now()
  const webhook: Webhook = { id: newWebhookId(), url, status: 'disabled', eventCategories, publicKey, createdAt }
  await insertWebhook(tx, webhook, privateKey)
  if (input.epoch === 'beginning_of_time') await queuePastEvents(tx, webhook.id)
  return webhook
}

export interface WebhookChange {
  readonly url?: string | undefined
  readonly status?: 'active' | 'disabled' | undefined
  readonly eventCategories?: readonly string[] | undefined
}

export async function changeWebhook(tx: Tx, id: string, change: WebhookChange): Promise<Webhook> {
  const webhook = await locked(tx, id)
  if (change.url !== undefined && change.url !== webhook.url) {
    refuseUnsafeUrl(change.url)
    if (webhook.status === 'active') {
      throw invalidParameters('body', ['url'], 'Disable the webhook before changing its URL.')
    }
  }
  const changed: Webhook = {
    ...webhook,
    url: change.url ?? webhook.url,
    status: change.status ?? webhook.status,
    eventCategories: change.eventCategories ?? webhook.eventCategories,
  }
  await updateWebhook(tx, changed)
  return changed
}

export async function deleteWebhook(tx: Tx, id: string): Promise<Webhook> {
  const deleted: Webhook = { ...(await locked(tx, id)), status: 'deleted' }
  await updateWebhook(tx, deleted)
  return deleted
}

async function locked(tx: Tx, id: string): Promise<Webhook> {
  const webhook = await lockWebhook(tx, id)
  if (webhook === null) throw unknownId('webhook')
  return webhook
}

/** Plain HTTP is allowed only where nobody can listen in: on this very machine. */
function refuseUnsafeUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname))) return
  throw invalidParameters('body', ['url'], 'The URL must use HTTPS, or HTTP on the loopback address.')
}
