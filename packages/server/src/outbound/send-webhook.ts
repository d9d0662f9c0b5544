// One attempt to deliver: a POST to a receiver that a partner named. No redirects, no proxies, nothing unpacked, and never
// more than a little of the answer is read.
import type { LookupOptions } from 'node:dns'
import { type LookupFunction, isIP } from 'node:net'

import { Agent, type Dispatcher } from 'undici'

import { monotonicMs } from '../core/clock.ts'
import { createClosedNetworks } from './closed-networks.ts'
import { type Reach, bareHost } from './endpoint-url.ts'
import {
  type FoundAddress,
  type Resolve,
  type Resolving,
  RefusedAddressError,
  resolveByName,
  resolveChecked,
} from './resolve-checked.ts'

export interface WebhookRequest {
  readonly url: URL
  readonly reach: Reach
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Why there was no answer. */
export type SendError = 'timeout' | 'refused_address' | 'dns' | 'tls' | 'connection' | 'bad_answer'

export interface WebhookAnswer {
  /** Null when there was no answer. */
  readonly status: number | null
  readonly error: SendError | null
  readonly ms: number
  /** The first 2 KB of the answer. */
  readonly answer: string
  readonly retryAfter: string | null
  /** The header `webhook-delivery`: what the receiver asks of us. */
  readonly wish: string | null
}

export interface WebhookSender {
  send(request: WebhookRequest): Promise<WebhookAnswer>
  /** Throws unless every address of the name is one that we speak to. */
  check(host: string, reach: Reach): Promise<void>
  close(): Promise<void>
}

const TIMEOUT_MS = 15_000
const CONNECT_MS = 10_000
/** Receivers that answer and then go on talking are listened to no longer than this. */
const BODY_MS = 2_000
const MOST_ANSWER_BYTES = 2_048
const MOST_HEADER_BYTES = 16_384

export interface SenderOptions {
  readonly resolve?: Resolve
  readonly timeoutMs?: number
  readonly ca?: string
  /** The operator's own networks, which nothing is sent to. */
  readonly closed?: readonly string[]
  readonly ownAddresses?: () => readonly string[]
}

export function createWebhookSender(options: SenderOptions = {}): WebhookSender {
  const { resolve = resolveByName, timeoutMs = TIMEOUT_MS, ca, closed = [], ownAddresses } = options
  const resolving = { resolve, whyClosed: createClosedNetworks(closed, ownAddresses) }
  const agents = { here: agentFor('here', resolving, ca), public: agentFor('public', resolving, ca) }
  return {
    check: async (host, reach) => void (await resolveChecked(resolving, host, reach)),
    send: async (request) => {
      const started = monotonicMs()
      const signal = AbortSignal.timeout(timeoutMs)
      const ms = () => Math.round(monotonicMs() - started)
      try {
        const host = bareHost(request.url)
        // An address in the URL is never looked up, so it is checked here. A name is checked for every connection.
        if (isIP(host) !== 0) await resolveChecked(resolving, host, request.reach)
        const reply = await agents[request.reach].request({
          origin: request.url.origin,
          path: `${request.url.pathname}${request.url.search}`,
          method: 'POST',
          headers: request.headers,
          body: request.body,
          signal,
        })
        const answer = await startOf(reply.body)
        return {
          status: reply.statusCode,
          error: null,
          ms: ms(),
          answer,
          retryAfter: oneOf(reply.headers['retry-after']),
          wish: oneOf(reply.headers['webhook-delivery']),
        }
      } catch (error) {
        return { status: null, error: wordFor(error, signal), ms: ms(), answer: '', retryAfter: null, wish: null }
      }
    },
    close: async () => void (await Promise.all([agents.here.destroy(), agents.public.destroy()])),
  }
}

function agentFor(reach: Reach, resolving: Resolving, ca: string | undefined): Agent {
  return new Agent({
    pipelining: 1,
    maxHeaderSize: MOST_HEADER_BYTES,
    // The signal of the attempt is what ends it.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: CONNECT_MS,
      ...(ca === undefined ? {} : { ca }),
      lookup: (host, options, callback) => void answerLookup(resolveChecked(resolving, host, reach), options, callback),
    },
  })
}

async function answerLookup(
  checking: Promise<readonly FoundAddress[]>,
  { all }: LookupOptions,
  callback: Parameters<LookupFunction>[2],
): Promise<void> {
  const [found, error] = await checking.then(
    (addresses) => [addresses, null] as const,
    (failed: Error) => [[], failed] as const,
  )
  const first = found[0]
  if (first === undefined) callback(error, '', 0)
  else if (all === true) callback(null, [...found])
  else callback(null, first.address, first.family)
}

/** The first bytes of an answer, as text. Whatever else comes is not waited for. */
async function startOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  const enough = setTimeout(() => body.destroy(), BODY_MS)
  try {
    for await (const part of body) {
      parts.push(Buffer.from(part as Buffer))
      bytes += (part as Buffer).length
      if (bytes >= MOST_ANSWER_BYTES) break
    }
  } catch {
    // The status has come: how the rest of the answer ends changes nothing.
  } finally {
    clearTimeout(enough)
    body.destroy()
  }
  const text = Buffer.concat(parts).subarray(0, MOST_ANSWER_BYTES).toString('utf8')
  // PostgreSQL keeps no NUL.
  return text.replaceAll('\0', '\uFFFD')
}

function oneOf(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null
}

function wordFor(error: unknown, signal: AbortSignal): SendError {
  if (signal.aborted) return 'timeout'
  if (error instanceof RefusedAddressError) return 'refused_address'
  const { code = '', name = '' } = error as { code?: string; name?: string }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout'
  if (
    /^(ENOTFOUND|ENODATA|EAI_|ESERVFAIL|EREFUSED|ETIMEOUT|ECANCELLED|EBADRESP|EBADNAME|EFORMERR|ECONNREFUSED_DNS)/.test(
      code,
    )
  )
    return 'dns'
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|EPROTO)/.test(code)) return 'tls'
  if (name === 'HTTPParserError' || /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES|UND_ERR_INVALID)/.test(code))
    return 'bad_answer'
  return 'connection'
}
