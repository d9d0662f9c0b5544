// The bank signs what it sends: RSA over a SHA-256 of the SHA-256 of "time.body", with one key per endpoint.
import { type KeyObject, createHash, createPublicKey, verify } from 'node:crypto'

import type { BankEvent } from '../account.ts'
import { WebhookRefused, WebhookUnreadable } from '../port.ts'
import { asObject, momentOrNull, text, wordOrNull } from './json-words.ts'

/** Older messages are refused; the bank sends them again, newly signed. */
const OLDEST_MS = 10 * 60 * 1_000
const FURTHEST_AHEAD_MS = 5 * 60 * 1_000
const HEADER = /^t=(\d{10,16}),v0=([A-Za-z0-9+/=]{20,1024})$/

export function readWebhook(message: {
  signature: string | undefined
  body: Buffer
  publicKey: string
  now: Date
}): BankEvent {
  const [, time, signature] = HEADER.exec(message.signature ?? '') ?? []
  if (time === undefined || signature === undefined) throw new WebhookRefused('There is no signature that can be read.')
  const age = message.now.getTime() - Number.parseInt(time, 10)
  if (age > OLDEST_MS || age < -FURTHEST_AHEAD_MS)
    throw new WebhookRefused('The signature is too old or from the future.')
  const digest = createHash('sha256').update(`${time}.`).update(message.body).digest()
  if (!verify('sha256', digest, keyFrom(message.publicKey), Buffer.from(signature, 'base64'))) {
    throw new WebhookRefused('The signature does not fit the message.')
  }
  try {
    const json = asObject(JSON.parse(message.body.toString('utf8')))
    return {
      eventId: word(json, 'event_id'),
      category: word(json, 'event_category'),
      objectRef: word(json, 'event_object_id'),
      happenedAt: momentOrNull(json, 'event_created_at'),
      state: wordOrNull(json, 'event_object_status'),
    }
  } catch (error) {
    throw new WebhookUnreadable(error instanceof SyntaxError ? 'The message is no JSON.' : (error as Error).message)
  }
}

/** The key that was read last, of the few that there are: reading one costs three times as much as using it. */
let lastRead: { readonly pem: string; readonly key: KeyObject } | null = null

function keyFrom(pem: string): KeyObject {
  lastRead = lastRead?.pem === pem ? lastRead : { pem, key: createPublicKey(pem) }
  return lastRead.key
}

/** The words of a message are stored in an index, which limits their length. */
const LONGEST_WORD = 200

function word(json: Readonly<Record<string, unknown>>, field: string): string {
  const given = text(json, field)
  if (given.length > LONGEST_WORD)
    throw new WebhookUnreadable(`The message has a ${field} of ${given.length} characters.`)
  return given
}
