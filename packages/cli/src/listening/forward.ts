// One event to a receiver, signed as Standard Webhooks says, until it is taken or the tries are used up.
import { createHmac } from 'node:crypto'

import type { Event } from '@kestrel/sdk'

import { pause } from '../watch.ts'

const LONGEST_TRY_MS = 15_000
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

export interface Receiver {
  readonly url: string
  readonly secret: string
  readonly tries: number
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
  /** Each try that failed; `waitMs` is null after the last. */
  onFailure(why: string, tries: number, waitMs: number | null): void
}

export interface Forwarded {
  readonly isTaken: boolean
  readonly tries: number
  /** A status, or why there was none. */
  readonly answer: string
}

export async function forward(event: Event, receiver: Receiver): Promise<Forwarded> {
  for (let tries = 1; ; tries += 1) {
    const { isTaken, answer } = await tryOnce(event, receiver)
    if (isTaken || receiver.signal.aborted) return { isTaken, tries, answer }
    const waitMs = tries < receiver.tries ? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1)) : null
    receiver.onFailure(answer, tries, waitMs)
    if (waitMs === null) return { isTaken, tries, answer }
    await pause(waitMs, receiver.signal)
    if (receiver.signal.aborted) return { isTaken, tries, answer }
  }
}

async function tryOnce(event: Event, receiver: Receiver): Promise<{ isTaken: boolean; answer: string }> {
  const body = JSON.stringify(event)
  try {
    const response = await receiver.fetch(receiver.url, {
      method: 'POST',
      headers: signedHeaders(event.id, body, receiver.secret),
      body,
      // Whoever moved has not taken it.
      redirect: 'manual',
      signal: AbortSignal.any([receiver.signal, AbortSignal.timeout(LONGEST_TRY_MS)]),
    })
    await response.body?.cancel()
    return { isTaken: response.ok, answer: String(response.status) }
  } catch (error) {
    return { isTaken: false, answer: reasonOf(error) }
  }
}

function signedHeaders(id: string, body: string, secret: string): Record<string, string> {
  // The moment of this try: a receiver refuses old ones.
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'kestrel-pay',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${LONGEST_TRY_MS / 1_000} s`
  const cause = error.cause as { code?: string; message?: string } | undefined
  return cause?.code ?? cause?.message ?? error.message
}
