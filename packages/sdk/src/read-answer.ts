// What came, in one shape: an answer of the service, or of a proxy in front of it.
import type { ErrorAnswer } from './errors.ts'

interface ErrorFields {
  readonly code?: unknown
  readonly message?: unknown
  readonly details?: unknown
  readonly request_id?: unknown
  readonly doc_url?: unknown
}

/** What came is none of the service's: a page of something in between, or the beginning of an answer. */
export class ForeignAnswer extends Error {
  override readonly name = 'ForeignAnswer'

  constructor(response: Response) {
    super(whatIsWrong(response))
  }
}

/** Whatever the service answers says what it is, or which: a text that does not must not be taken for a payout. */
export async function jsonAnswer(response: Response): Promise<unknown> {
  const answer = parsed(await response.text()) as { object?: unknown; id?: unknown } | null
  if (typeof (answer?.object ?? answer?.id) === 'string') return answer
  throw new ForeignAnswer(response)
}

export function streamAnswer(response: Response): Response {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) return response
  throw new ForeignAnswer(response)
}

export async function errorAnswer(response: Response): Promise<ErrorAnswer> {
  const { code, message, details, request_id: requestId, doc_url: docUrl } = fieldsIn(await response.text())
  return {
    status: response.status,
    code: textOr(code, 'unexpected_answer'),
    message: textOr(message, `${sentence(whatIsWrong(response))}.`),
    ...(details === undefined ? {} : { details }),
    requestId: textOr(requestId, response.headers.get('x-request-id')),
    docUrl: textOr(docUrl, null),
    retryAfterSeconds: secondsIn(response.headers.get('retry-after')),
  }
}

function whatIsWrong({ status, headers }: Response): string {
  const to = headers.get('location')
  if (status < 300 || status > 399 || to === null || !URL.canParse(to)) {
    return `the answer ${status} is none of the service's: check its address (baseUrl), and whether there is a proxy in between`
  }
  const { origin, pathname } = new URL(to)
  return `the answer ${status} leads to ${origin}${pathname}, where the key is not sent: set baseUrl to the address of the service`
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function fieldsIn(text: string): ErrorFields {
  const body = parsed(text) as { error?: ErrorFields } | null
  return typeof body?.error === 'object' ? (body.error ?? {}) : {}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function textOr<Other extends string | null>(value: unknown, other: Other): string | Other {
  return typeof value === 'string' ? value : other
}

/** Seconds, or a date. */
function secondsIn(header: string | null): number | null {
  if (header === null) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}
