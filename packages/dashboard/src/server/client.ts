// The one place that calls fetch. An answer is a value, a refusal is an ApiError, and silence is an Unanswered:
// whoever moves money must treat the three differently.
import type { Environment, ErrorBody, ErrorCode } from '@kestrel/contract'

import { businessHeader } from './business.ts'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string | null

  constructor(status: number, error: ErrorBody['error'], requestId: string | null) {
    super(error.message)
    this.status = status
    this.code = error.code
    this.details = isRecord(error.details) ? error.details : {}
    this.requestId = error.request_id ?? requestId
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Nothing came back: nobody knows whether the request arrived. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

type Query = Readonly<Record<string, string | number | undefined>>

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly query?: Query
  readonly body?: unknown
  readonly file?: Blob
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export async function call<T>(path: string, options: Call = {}): Promise<T> {
  const response = await send(path, options)
  const text = await response.text().catch(() => {
    throw new Unanswered('The connection broke before the answer was complete.')
  })
  const body = parsed(text)
  if (response.ok) return body as T
  const requestId = response.headers.get('x-request-id')
  if (isErrorBody(body)) throw new ApiError(response.status, body.error, requestId)
  throw new ApiError(
    response.status,
    { code: 'unavailable', message: `The server answered ${response.status} without an explanation. Try again.` },
    requestId,
  )
}

async function send(path: string, { method = 'GET', query, body, file, headers, signal }: Call): Promise<Response> {
  try {
    return await fetch(address(path, query), {
      method,
      credentials: 'same-origin',
      headers: {
        Accept: 'application/json',
        ...businessHeader(path),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(file === undefined ? {} : { 'Content-Type': file.type }),
        ...headers,
      },
      body: file ?? (body === undefined ? null : JSON.stringify(body)),
      signal: signal ?? null,
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new Unanswered('The server did not answer. Check your connection.', { cause: error })
  }
}

export function address(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text === '' ? path : `${path}?${text}`
}

/** A request with an API key instead of the session, for trying a new key out. */
export async function tryKey(secret: string): Promise<{ status: number; body: unknown; ms: number }> {
  const startedAt = performance.now()
  const response = await fetch('/v1/balance', {
    credentials: 'omit',
    headers: { Accept: 'application/json', Authorization: `Bearer ${secret}` },
  })
  const body = parsed(await response.text())
  return { status: response.status, body, ms: Math.round(performance.now() - startedAt) }
}

/** The start script of the server's version; null when it cannot be found out. Another one means a new release. */
export async function readBuild(): Promise<string | null> {
  try {
    const response = await fetch('/dashboard/', { cache: 'no-store' })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    return page.querySelector('script[type=module][src]')?.getAttribute('src') ?? null
  } catch {
    return null
  }
}

/** Every list that comes whole; those that come in pages have a name of their own in the contract. */
export interface List<T> {
  readonly object: 'list'
  readonly data: readonly T[]
}

/** What a page is about: one business in one environment, like the server's scope. Here the business goes by its slug. */
export interface Scope {
  readonly slug: string
  readonly environment: Environment
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : (JSON.parse(text) as unknown)
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isErrorBody(body: unknown): body is ErrorBody {
  return isRecord(body) && isRecord(body['error']) && typeof body['error']['message'] === 'string'
}
