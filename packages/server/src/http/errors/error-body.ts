// The one shape of every failure (spec, part 7).
import type { ErrorBody, ErrorCode } from '@kestrel/contract'

import { withFieldErrors } from './field-errors.ts'

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
      ...(failure.details === undefined ? {} : { details: withFieldErrors(failure) }),
      request_id: requestId,
      doc_url: `${publicUrl}/docs/errors#${failure.code}`,
    },
  }
}
