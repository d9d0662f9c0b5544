// The one shape of every failure (spec, part 7).
import type { ErrorBody, ErrorCode } from '@kestrel/contract'

export interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: unknown
}

export function errorBody(failure: Failure, requestId: string, publicUrl: string): ErrorBody {
  return {
    error: {
      code: failure.code,
      message: failure.message,
      ...(failure.details === undefined ? {} : { details: failure.details }),
      request_id: requestId,
      doc_url: `${publicUrl}/docs/errors#${failure.code}`,
    },
  }
}
