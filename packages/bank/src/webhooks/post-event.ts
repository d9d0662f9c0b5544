// One attempt to deliver an event over HTTP.
import { type ClientRequest, Agent as HttpAgent, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'

/** A receiver that takes longer counts as silent: it should answer first and work afterwards. */
const TIME_OUT_MS = 5_000
const LONGEST_BODY_KEPT = 1_000
/** Shorter than receivers commonly keep an idle connection open. */
const IDLE_MS = 4_000
const KEPT_OPEN = { keepAlive: true, timeout: IDLE_MS }
const http = { request: requestHttp, agent: new HttpAgent(KEPT_OPEN) }
const https = { request: requestHttps, agent: new HttpsAgent(KEPT_OPEN) }

export interface PostResult {
  /** 0 when there was no answer. */
  readonly status: number
  readonly body: string
}

/** Never throws, unless it was stopped from outside. */
export async function postEvent(
  url: string,
  message: { body: string; signature: string },
  stopping: AbortSignal,
  timeOutMs = TIME_OUT_MS,
): Promise<PostResult> {
  stopping.throwIfAborted()
  const limit = new Limit(timeOutMs)
  stopping.addEventListener('abort', limit.end)
  try {
    for (;;) {
      try {
        return await post(url, message, limit)
      } catch (error) {
        stopping.throwIfAborted()
        // A receiver that restarted, or closed the connection while it was idle, costs no attempt.
        if (error instanceof StaleConnection) continue
        return { status: 0, body: error instanceof Error ? error.message : 'no answer' }
      }
    }
  } finally {
    limit.clear()
    stopping.removeEventListener('abort', limit.end)
  }
}

/** What ends a post before its answer. A signal per post would do the same, and cost as much as the post. */
class Limit {
  readonly #timer: NodeJS.Timeout
  #request: ClientRequest | null = null
  #isOver = false

  constructor(timeOutMs: number) {
    this.#timer = setTimeout(this.end, timeOutMs)
  }

  readonly end = (): void => {
    this.#isOver = true
    this.#request?.destroy(new Error('The operation was aborted'))
  }

  applyTo(request: ClientRequest): void {
    this.#request = request
    if (this.#isOver) this.end()
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}

/** A connection from before broke before there was an answer. */
class StaleConnection extends Error {}

function post(url: string, message: { body: string; signature: string }, limit: Limit): Promise<PostResult> {
  const { request, agent } = url.startsWith('https:') ? https : http
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(message.body),
          'x-webhook-signature': message.signature,
        },
      },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (text: string) => (body += body.length < LONGEST_BODY_KEPT ? text : ''))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: keepable(body) }))
        response.on('error', reject)
      },
    )
    sent.on('error', (error: NodeJS.ErrnoException) =>
      reject(sent.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error),
    )
    limit.applyTo(sent)
    sent.end(message.body)
  })
}

function keepable(body: string): string {
  return body.slice(0, LONGEST_BODY_KEPT).replaceAll('\0', '')
}
