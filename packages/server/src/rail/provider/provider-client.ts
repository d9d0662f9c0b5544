// HTTP to the banking partner, and the one judgement everything hangs on: was the request possibly acted on?
import { Pool } from 'undici'

export interface ProviderOptions {
  /** Such as https://api.bridge.xyz/v0, without a slash at its end. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly connectTimeoutMs?: number
  readonly totalTimeoutMs?: number
}

export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** Required on every POST of the partner's API, forbidden elsewhere. */
  readonly idempotencyKey?: string
}

export type ProviderReply =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  /** Certain: no connection was made, so no byte of the request left. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The request may have arrived. Nothing is known of what became of it. */
  | { readonly kind: 'unknown'; readonly reason: string }

const CONNECT_TIMEOUT_MS = 2_000
const TOTAL_TIMEOUT_MS = 10_000
const MOST_CONNECTIONS = 64
const LARGEST_ANSWER_BYTES = 1024 * 1024

/** Failures before the first byte of a request can have been written. */
const NEVER_LEFT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

export class ProviderClient {
  readonly #pool: Pool
  readonly #basePath: string
  readonly #options: ProviderOptions

  constructor(options: ProviderOptions) {
    const { origin, pathname } = new URL(options.baseUrl)
    this.#options = options
    this.#basePath = pathname.replace(/\/$/, '')
    // No retries and no redirects: undici makes neither unless asked, and nobody asks.
    this.#pool = new Pool(origin, {
      connections: MOST_CONNECTIONS,
      pipelining: 1,
      connect: { timeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS },
      headersTimeout: options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS,
      bodyTimeout: options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS,
      maxResponseSize: LARGEST_ANSWER_BYTES,
    })
  }

  async call(request: ProviderRequest): Promise<ProviderReply> {
    const { method, path, body, idempotencyKey } = request
    try {
      const reply = await this.#pool.request({
        method,
        path: this.#basePath + path,
        headers: {
          'api-key': this.#options.apiKey,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(this.#options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS),
      })
      return { kind: 'answered', status: reply.statusCode, body: parsed(await reply.body.text()) }
    } catch (error) {
      return judge(error)
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}

/** Undefined when the answer is not JSON: the caller must not mistake it for an empty one. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function judge(error: unknown): ProviderReply {
  const code = codeOf(error)
  // A handshake that failed has carried nothing of ours.
  if (NEVER_LEFT.has(code) || /^(EPROTO|ERR_SSL_|ERR_TLS_)/.test(code))
    return { kind: 'not_sent', reason: 'The bank could not be reached.' }
  return { kind: 'unknown', reason: `The bank did not answer (${code}).` }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no error'
  const { code, cause } = error as Error & { code?: unknown }
  if (typeof code === 'string') return code
  // A host with several addresses fails with all of their errors at once.
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return cause instanceof Error ? codeOf(cause) : error.name
}
