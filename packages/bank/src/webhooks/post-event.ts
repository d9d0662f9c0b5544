// One attempt to deliver an event over HTTP.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/** A receiver that takes longer counts as silent: it should answer first and work afterwards. */
const TIME_OUT_MS = 5_000
const LONGEST_BODY_KEPT = 1_000

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
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeOutMs)])
  try {
    return await post(url, message, signal)
  } catch (error) {
    stopping.throwIfAborted()
    return { status: 0, body: error instanceof Error ? error.message : 'no answer' }
  }
}

function post(url: string, message: { body: string; signature: string }, signal: AbortSignal): Promise<PostResult> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        signal,
        // Each attempt has its own connection: a receiver that restarted must not cost an attempt.
        agent: false,
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
    sent.on('error', reject)
    sent.end(message.body)
  })
}

function keepable(body: string): string {
  return body.slice(0, LONGEST_BODY_KEPT).replaceAll('\0', '')
}
