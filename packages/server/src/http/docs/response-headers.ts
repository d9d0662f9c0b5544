// The headers that answers carry, described once, and which answers carry them.
import type { ErrorCode } from '@kestrel/contract'

import { RATE_LIMIT_HEADERS } from '../limits/rate-limit-headers.ts'

interface Header {
  readonly description: string
  readonly schema: { readonly type: 'string' | 'integer'; readonly [keyword: string]: unknown }
}

export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'The id of this request, also in `error.request_id`. Give it to us when you ask about the request.',
    schema: { type: 'string', format: 'uuid', examples: ['01a19b8a-d7b5-790c-81d3-ac94af0f21dd'] },
  },
  'Idempotent-Replayed': {
    description: 'Says that this payout was made by an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: {
    description: 'Names this answer. Sent back as `If-None-Match`, it is answered with 304 while nothing has changed.',
    schema: { type: 'string', examples: ['"Qm3yF0h1pO8Zk2r7sT5uV9wXyA4"'] },
  },
  'Retry-After': {
    description: 'The seconds after which trying again makes sense.',
    schema: { type: 'integer', minimum: 0, examples: [1] },
  },
  'RateLimit-Limit': {
    description:
      'How many plain requests may be made in one burst: 200 by a key or a member, 400 by a business with all of its keys; the limit that is nearer. A document counts as 25 of them, an export as 50, a sum over many payouts as 10, a look through the log as 5, a page of payouts as one for every 25 rows that it may have. Absent when the limit is switched off.',
    schema: { type: 'integer', minimum: 1, examples: [200] },
  },
  'RateLimit-Remaining': {
    description: 'How many of them are left now.',
    schema: { type: 'integer', minimum: 0, examples: [199] },
  },
  'RateLimit-Reset': {
    description: 'The seconds until the whole burst is there again.',
    schema: { type: 'integer', minimum: 0, examples: [1] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    schema: { type: 'string', examples: ['Bearer realm="Kestrel Payouts"'] },
  },
} as const satisfies Record<string, Header>

type HeaderName = keyof typeof RESPONSE_HEADERS

/** Refusals that say when to try again. */
const RETRY_AFTER: ReadonlySet<ErrorCode> = new Set([
  'idempotency_key_in_progress',
  'rate_limited',
  'payout_not_created',
  'bank_unavailable',
  'unavailable',
])

export function headersOf(response: {
  status: string
  /** The codes that the status can mean; none for a success. */
  codes: readonly ErrorCode[]
  needsKey: boolean
  isTagged: boolean
  isReplay: boolean
}): HeaderName[] {
  const { status, codes, needsKey, isTagged, isReplay } = response
  const isSuccess = status.startsWith('2')
  return [
    ...(isReplay ? (['Idempotent-Replayed'] as const) : []),
    ...(isTagged ? (['ETag'] as const) : []),
    ...(status === '401' ? (['WWW-Authenticate'] as const) : []),
    ...(codes.some((code) => RETRY_AFTER.has(code)) ? (['Retry-After'] as const) : []),
    ...(needsKey && (isSuccess || status === '429') ? RATE_LIMIT_HEADERS : []),
    'X-Request-Id',
  ]
}
