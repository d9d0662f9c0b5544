// HTTP to the bank, and the one judgement that everything depends on: may the bank have acted on the request?
import { Pool } from 'undici'

import { monotonicMs, systemClock } from '../../core/clock.ts'
import { Turns } from '../../core/turns.ts'
import { type Trace, beginTrace, currentTrace, partOf, traceHeader } from '../../core/trace.ts'
import type { BankCall } from '../bank-call.ts'
import type { WalletAtBank } from '../transfer.ts'
import { operationOf, outcomeOf } from './describe-call.ts'
import { Exchange, TooLargeError } from './exchange.ts'
import { laneOf } from './whose-turn.ts'

export interface ProviderOptions {
  /** Such as https://api.bridge.xyz/v0, without a slash at its end. */
  readonly baseUrl: string
  /** In its place, for a bank whose address is not known yet: asked at the first request. */
  readonly findBaseUrl?: () => string
  readonly apiKey: string
  /** The operator's own wallet there, if the operator has named it. */
  readonly excess?: WalletAtBank | null
  readonly connectTimeoutMs?: number
  readonly totalTimeoutMs?: number
  /** Whether requests that belong to no trace begin one. */
  readonly isTraced?: boolean
  /** Hears of each request when it has ended. */
  readonly onCall?: (call: BankCall) => void
}

export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** Required on every POST of the bank's API, forbidden elsewhere. */
  readonly idempotencyKey?: string
  /** The answer is a page of rows, which may be larger than any single thing. */
  readonly isList?: true
}

export type ProviderReply =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly body: unknown
      /** How long the bank asks us to wait, if it does. */
      readonly retryAfterMs?: number
    }
  /** Certain: no connection was made, so no byte of the request left. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The request may have arrived. Nothing is known about what the bank did with it. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly isTooLarge?: true }

const NO_TURN: ProviderReply = { kind: 'not_sent', reason: 'The bank could not be reached (no connection was free).' }

const CONNECT_TIMEOUT_MS = 2_000
const TOTAL_TIMEOUT_MS = 10_000
const MOST_CONNECTIONS = 64
/** Also while others are free: one flood at a bank that hangs leaves half of the connections to everybody else. */
const MOST_OF_LANE = 32
const LARGEST_ANSWER_BYTES = 1024 * 1024
/** A page of a hundred rows is about 200 KB. One row may be far too large, and must not hide the others. */
const LARGEST_LIST_BYTES = 8 * 1024 * 1024

/** A bank that asks for longer is asked again all the same: a payout waits for its answer. */
const LONGEST_WAIT_MS = 5 * 60_000
/** Such as `Wed, 21 Oct 2026 07:28:00 GMT`. Anything else that a date could be read from is no answer to how long. */
const HTTP_DATE = /^\s*[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT\s*$/

export class ProviderClient {
  readonly #options: ProviderOptions
  readonly #turns = new Turns({ most: MOST_CONNECTIONS, mostOfLane: MOST_OF_LANE })
  #way: Way | null = null

  constructor(options: ProviderOptions) {
    this.#options = options
    if (options.findBaseUrl === undefined) this.#open()
  }

  async call(request: ProviderRequest): Promise<ProviderReply> {
    const { onCall, isTraced = false, totalTimeoutMs = TOTAL_TIMEOUT_MS } = this.#options
    const within = currentTrace()
    const trace = within === null ? (isTraced ? beginTrace() : null) : partOf(within)
    const [startedAt, startedMs] = [systemClock.now(), monotonicMs()]
    // The other half is the bank's: whatever is sent has time for an answer.
    const turn = this.#turns.run(laneOf(request), totalTimeoutMs / 2, () => {
      return this.#send(request, trace, Math.round(totalTimeoutMs - (monotonicMs() - startedMs)))
    })
    const reply = (await turn) ?? NO_TURN
    const seconds = (monotonicMs() - startedMs) / 1_000
    onCall?.({ operation: operationOf(request), outcome: outcomeOf(reply), startedAt, seconds, trace })
    return reply
  }

  async #send(request: ProviderRequest, trace: Trace | null, timeoutMs: number): Promise<ProviderReply> {
    const { method, path, body, idempotencyKey } = request
    let exchange: Exchange | undefined
    try {
      const { pool, basePath } = this.#open()
      requireWritable(basePath + path, idempotencyKey)
      // A list of names and values, one behind the other, which undici sends as it is.
      const headers = ['api-key', this.#options.apiKey, 'accept', 'application/json']
      if (body !== undefined) headers.push('content-type', 'application/json')
      if (idempotencyKey !== undefined) headers.push('idempotency-key', idempotencyKey)
      if (trace !== null) headers.push('traceparent', traceHeader(trace))
      const answer = await Exchange.ask(
        pool,
        { method, path: basePath + path, headers, body: body === undefined ? null : JSON.stringify(body) },
        {
          timeoutMs,
          mostBytes: request.isList === true ? LARGEST_LIST_BYTES : LARGEST_ANSWER_BYTES,
          begun: (made) => (exchange = made),
        },
      )
      const { status, bytes } = answer
      return { kind: 'answered', status, body: parsed(bytes.toString('utf8')), ...waitIn(answer.headers) }
    } catch (error) {
      return judge(error, { hasLeft: exchange?.hasLeft ?? false })
    }
  }

  #open(): Way {
    const { baseUrl, findBaseUrl } = this.#options
    return (this.#way ??= openWay(findBaseUrl?.() ?? baseUrl, this.#options))
  }

  /** Requests that are under way fail, and those that wait for their turns find the pool closed. */
  async close(): Promise<void> {
    await this.#way?.pool.destroy()
  }
}

interface Way {
  readonly pool: Pool
  readonly basePath: string
}

function openWay(baseUrl: string, options: ProviderOptions): Way {
  const { origin, pathname } = new URL(baseUrl)
  // No retries and no redirects: undici makes neither unless asked, and nobody asks.
  const pool = new Pool(origin, {
    connections: MOST_CONNECTIONS,
    pipelining: 1,
    connect: { timeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS },
    headersTimeout: options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS,
    bodyTimeout: options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS,
  })
  return { pool, basePath: pathname.replace(/\/$/, '') }
}

/**
 * Seconds, or a date, which is measured from the bank's own date: its clock need not be ours. Whatever is asked for, we
 * wait no longer than the longest; what cannot be read counts as nothing.
 */
export function waitIn(headers: Readonly<Record<string, string | string[] | undefined>>): { retryAfterMs?: number } {
  const { 'retry-after': header, date } = headers
  if (typeof header !== 'string') return {}
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : null
  const from =
    typeof date === 'string' && !Number.isNaN(Date.parse(date)) ? Date.parse(date) : systemClock.now().getTime()
  const ms = seconds === null ? (HTTP_DATE.test(header) ? Date.parse(header) - from : 0) : seconds * 1_000
  return ms > 0 ? { retryAfterMs: Math.min(ms, LONGEST_WAIT_MS) } : {}
}

/** Undefined when the answer is not JSON: the caller must not mistake it for an empty one. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const IN_NO_PATH = /[^\u0021-\u00ff]/
const IN_NO_HEADER = /[^\t\u0020-\u007e\u0080-\u00ff]/

/** undici refuses such a request too, but its pool then keeps the connection for it, and never gives it to anybody. */
function requireWritable(path: string, idempotencyKey = ''): void {
  if (IN_NO_PATH.test(path) || IN_NO_HEADER.test(idempotencyKey)) throw new Error('It cannot be written as HTTP.')
}

/**
 * Judges by when it went wrong and not by what went wrong: the same broken handshake may come before or after the
 * request.
 */
export function judge(error: unknown, { hasLeft }: Pick<Exchange, 'hasLeft'>): ProviderReply {
  const code = codeOf(error)
  if (!hasLeft) return { kind: 'not_sent', reason: `The bank could not be reached (${code}).` }
  const isTooLarge = error instanceof TooLargeError
  return { kind: 'unknown', reason: `The bank did not answer (${code}).`, ...(isTooLarge ? { isTooLarge } : {}) }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no error'
  const { code, cause } = error as Error & { code?: unknown }
  if (typeof code === 'string') return code
  // A host with several addresses fails with all of their errors at once.
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return cause instanceof Error ? codeOf(cause) : error.name
}
