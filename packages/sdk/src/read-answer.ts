// A failed answer in one shape, whether the service wrote it or a proxy in front of it.
import type { ErrorAnswer } from './errors.ts'

interface ErrorFields {
  readonly code?: unknown
  readonly message?: unknown
  readonly details?: unknown
  readonly request_id?: unknown
  readonly doc_url?: unknown
}

export async function errorAnswer(response: Response): Promise<ErrorAnswer> {
  const { code, message, details, request_id: requestId, doc_url: docUrl } = fieldsIn(await response.text())
  return {
    status: response.status,
    code: textOr(code, 'unexpected_answer'),
    message: textOr(message, `The answer ${response.status} is none of the service's: is there a proxy in between?`),
    ...(details === undefined ? {} : { details }),
    requestId: textOr(requestId, response.headers.get('x-request-id')),
    docUrl: textOr(docUrl, null),
    retryAfterSeconds: secondsIn(response.headers.get('retry-after')),
  }
}

function fieldsIn(text: string): ErrorFields {
  try {
    const body = JSON.parse(text) as { error?: ErrorFields } | null
    return typeof body?.error === 'object' ? (body.error ?? {}) : {}
  } catch {
    return {}
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
