// One attempt to deliver: a POST to a receiver that a partner named. No redirects, no proxies, nothing unpacked, and never
// more than a little of the answer is read.
import type { LookupOptions } from 'node:dns'
import { type LookupFunction, isIP } from 'node:net'

import { Agent } from 'undici'

import { monotonicMs } from '../core/clock.ts'
import { createClosedNetworks } from './closed-networks.ts'
import { type Reach, bareHost } from './endpoint-url.ts'
import { AnswerReader, type Heard, TooLate } from './receive-answer.ts'
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
  readonly body: string | Buffer
  /** The attempt ends with it, unless it was answered before. */
  readonly until?: AbortSignal
}

/** Why there was no answer; `stopped`: it was ended by `until`, and nobody knows what the receiver made of it. */
export type SendError = 'stopped' | 'timeout' | 'refused_address' | 'dns' | 'tls' | 'connection' | 'bad_answer'

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
  const stops = new Stops()
  const agents = { here: agentFor('here', resolving, ca), public: agentFor('public', resolving, ca) }
  return {
    check: async (host, reach) => void (await resolveChecked(resolving, host, reach)),
    send: async (request) => {
      const started = monotonicMs()
      try {
        const host = bareHost(request.url)
        // An address in the URL is never looked up, so it is checked here. A name is checked for every connection.
        if (isIP(host) !== 0) await resolveChecked(resolving, host, request.reach)
        const { status, answer, headers } = await sendOnce(agents[request.reach], request, { timeoutMs, stops })
        const [retryAfter, wish] = [oneOf(headers['retry-after']), oneOf(headers['webhook-delivery'])]
        return { status, error: null, ms: msSince(started), answer, retryAfter, wish }
      } catch (error) {
        const none = { status: null, answer: '', retryAfter: null, wish: null }
        return { ...none, error: wordFor(error), ms: msSince(started) }
      }
    },
    close: async () => void (await Promise.all([agents.here.destroy(), agents.public.destroy()])),
  }
}

function agentFor(reach: Reach, resolving: Resolving, ca: string | undefined): Agent {
  return new Agent({
    pipelining: 1,
    maxHeaderSize: MOST_HEADER_BYTES,
    // The attempt's own clock is what ends it.
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

const msSince = (started: number) => Math.round(monotonicMs() - started)

/** The attempt was ended by whoever began it. */
class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** What a signal ends, with one listener for however many attempts there are. */
class Stops {
  readonly #under = new WeakMap<AbortSignal, Set<AnswerReader>>()

  /** The set that the attempt is in while it is under way; null when it must not begin. */
  of(signal: AbortSignal): Set<AnswerReader> | null {
    if (signal.aborted) return null
    const known = this.#under.get(signal)
    if (known !== undefined) return known
    const underWay = new Set<AnswerReader>()
    this.#under.set(signal, underWay)
    const endAll = () => {
      for (const each of underWay) each.end(new Stopped())
    }
    signal.addEventListener('abort', endAll, { once: true })
    return underWay
  }
}

function sendOnce(
  agent: Agent,
  { url, headers, body, until }: WebhookRequest,
  { timeoutMs, stops }: { timeoutMs: number; stops: Stops },
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const underWay = until === undefined ? undefined : stops.of(until)
    if (underWay === null) return reject(new Stopped())
    const reader: AnswerReader = new AnswerReader({
      afterMs: timeoutMs,
      onHeard: (heard) => {
        underWay?.delete(reader)
        resolve(heard)
      },
      onFailed: (why) => {
        underWay?.delete(reader)
        reject(why)
      },
    })
    underWay?.add(reader)
    const path = `${url.pathname}${url.search}`
    agent.dispatch({ origin: url.origin, path, method: 'POST', headers, body }, reader)
  })
}

function oneOf(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null
}

function wordFor(error: unknown): SendError {
  if (error instanceof Stopped) return 'stopped'
  if (error instanceof TooLate) return 'timeout'
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
