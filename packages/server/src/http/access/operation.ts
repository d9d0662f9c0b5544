// How a route is described. Its validation, its serialisation and its page in the documentation all come from this one
// description.
import { ErrorBody, type ErrorCode, RefTo } from '@kestrel/contract'
import { type TSchema, Type } from 'typebox'

import { ERROR_CATALOGUE } from '../errors/error-catalogue.ts'
import type { RouteAccess } from './route-access.ts'

type NamedSchema = TSchema & { $id: string }

type Success = { readonly description: string } & (
  | { readonly schema: NamedSchema }
  /** For an answer that is not JSON: its media type. */
  | { readonly text: string }
  | { readonly isEmpty: true }
)

export interface Operation {
  readonly id: string
  readonly tag:
    | 'Service'
    | 'Account'
    | 'Payouts'
    | 'Events'
    | 'Billing'
    | 'Webhooks'
    | 'Access'
    | 'Sandbox'
    | 'Dashboard'
  readonly summary: string
  readonly description?: string
  readonly auth?: RouteAccess['auth']
  readonly needs?: RouteAccess['needs']
  readonly query?: TSchema
  readonly params?: TSchema
  readonly body?: NamedSchema
  /** Media types of a body that is not JSON. */
  readonly bytes?: readonly string[]
  readonly headers?: TSchema
  readonly ok: Readonly<Record<number, Success>>
  readonly errors: readonly ErrorCode[]
  /** A command that works when pasted, with the caller's key in $KEY. */
  readonly curl: (baseUrl: string) => string
}

/** Errors that any request without a key can get. */
const OPEN_ERRORS: readonly ErrorCode[] = ['rate_limited']
/** Errors that any request with a key can get. */
const KEY_ERRORS: readonly ErrorCode[] = [
  'unauthorized',
  'partner_not_active',
  'scope_missing',
  'address_not_allowed',
  'rate_limited',
]
/** Errors that only members signed in to the dashboard can get. */
const SESSION_ERRORS: readonly ErrorCode[] = ['api_key_required', 'cross_site_request', 'business_changed']
const ANY_ERRORS: readonly ErrorCode[] = ['internal_error', 'unavailable']

/** The dashboard's pages call the API's operations too, but their documentation is for readers with a key. */
const SECURITY = { key: [{ apiKey: [] }], session: [{ session: [] }], none: [] } as const

export function operationSchema(operation: Operation, baseUrl: string): object {
  const { auth = 'key', needs, query, params, body, headers } = operation
  const errors = new Set([
    ...operation.errors,
    ...(auth === 'none' ? OPEN_ERRORS : KEY_ERRORS),
    ...(auth === 'session' || needs !== undefined ? SESSION_ERRORS : []),
    ...ANY_ERRORS,
  ])
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: SECURITY[auth],
    ...(query === undefined ? {} : { querystring: query }),
    ...(params === undefined ? {} : { params }),
    ...(body === undefined ? {} : { body: RefTo(body) }),
    ...(headers === undefined ? {} : { headers }),
    // Not as a body, because nothing of it is validated.
    ...(operation.bytes === undefined ? {} : { 'x-bytes': operation.bytes }),
    response: { ...successes(operation), ...failures([...errors]) },
    'x-codeSamples': [{ lang: 'bash', label: 'curl', source: operation.curl(baseUrl) }],
  }
}

function successes(operation: Operation): object {
  return Object.fromEntries(
    Object.entries(operation.ok).map(([status, success]) => [
      status,
      { description: success.description, ...contentOf(success) },
    ]),
  )
}

function contentOf(success: Success): object {
  // What the document understands as: no body.
  if ('isEmpty' in success) return { type: 'null' }
  const content =
    'schema' in success
      ? { 'application/json': { schema: RefTo(success.schema) } }
      : { [success.text]: { schema: Type.String() } }
  return { content }
}

/** Of an answer that its caller may know already, by its ETag. */
export const NOT_CHANGED: Operation['ok'] = {
  304: { isEmpty: true, description: 'Nothing has changed since the answer whose `ETag` was sent as `If-None-Match`.' },
}

function failures(codes: readonly ErrorCode[]): object {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = ERROR_CATALOGUE[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => [
      status,
      {
        description: own.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].happened}`).join('\n\n'),
        content: { 'application/json': { schema: RefTo(ErrorBody) } },
      },
    ]),
  )
}

/** Every route takes `environment`. An API key has its own (spec, part 4); a session's default is sandbox. */
export const EnvironmentQuery = Type.Object(
  {
    environment: Type.Optional(
      Type.Unsafe<'sandbox' | 'live'>({
        type: 'string',
        enum: ['sandbox', 'live'],
        'x-rule': 'sandbox or live',
        description: 'For the dashboard, where it is `sandbox` by default. Ignored with an API key: the key decides.',
      }),
    ),
  },
  { additionalProperties: false },
)
