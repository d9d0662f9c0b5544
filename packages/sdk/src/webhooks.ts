// Whether a webhook is ours: Standard Webhooks, `v1`. WebCrypto only, so that it runs where receivers run.
import { bytesIn } from './bytes.ts'
import { WebhookVerificationError } from './errors.ts'
import type { Event } from './generated/types.ts'

/** As the receiver has them: a `Headers`, or an object such as Node's `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** How far the sender's clock may be from this one, in seconds: five minutes by default. */
  readonly toleranceSeconds?: number
}

/** Answers the event, or throws a `WebhookVerificationError`. `raw` is the body exactly as it came, before any parsing. */
export async function verifyWebhook(
  raw: string | Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secrets: string | readonly (string | undefined)[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<Event> {
  if (typeof raw !== 'string' && !(raw instanceof Uint8Array)) {
    throw refuse('Give the body as it came, as text or bytes: parsed and written again it is another text.')
  }
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  if (!id || !timestamp || !signatures)
    throw refuse('The headers webhook-id, -timestamp and -signature are not all there.')
  // Not the real time of the sender, but near enough: an old one may be a message that somebody kept and sends again.
  // A tolerance that is no number allows nothing.
  if (!/^\d+$/.test(timestamp) || !(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds)) {
    throw refuse(`The webhook is of another time: ${timestamp}. Is the clock of this machine right?`)
  }
  const body = typeof raw === 'string' ? encode(raw) : raw
  const signed = joined(encode(`${id}.${timestamp}.`), body)
  const given = signatures.split(' ').flatMap((each) => (each.startsWith('v1,') ? [bytesOrNull(each.slice(3))] : []))
  for (const key of await keysOf([secrets].flat())) {
    for (const signature of given) {
      // Compares in constant time.
      if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, signed))) return eventIn(body)
    }
  }
  throw refuse('No signature fits. Is the secret the one of this endpoint, and the body as it came?')
}

/** One that is not set, as the old one before the first rotation, does not stand in the way of the others. */
function keysOf(secrets: readonly unknown[]) {
  const good = secrets.flatMap((secret) => {
    const bytes = /^whsec_./.test(String(secret)) ? bytesOrNull(String(secret).slice('whsec_'.length)) : null
    return bytes === null || bytes.length === 0 ? [] : [bytes]
  })
  if (good.length === 0) throw refuse('A secret begins with whsec_ and goes on in Base64.')
  return Promise.all(
    good.map((bytes) => crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])),
  )
}

function eventIn(body: Uint8Array): Event {
  return JSON.parse(new TextDecoder().decode(body)) as Event
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  // Of another realm or library it is no instance of this `Headers`.
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return [found].flat()[0]
}

function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function'
}

function bytesOrNull(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return bytesIn(base64)
  } catch {
    return null
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

function refuse(message: string): WebhookVerificationError {
  return new WebhookVerificationError(message)
}
