// An expected refusal: a code of the API, a message for the partner's developer, and what a program can use.
import type { ErrorCode } from '@kestrel/contract'

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: unknown
  /** Seconds after which trying again makes sense. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, extra: { details?: unknown; retryAfterSeconds?: number } = {}) {
    super(message)
    this.code = code
    this.details = extra.details
    this.retryAfterSeconds = extra.retryAfterSeconds
  }
}

export function notFound(): AppError {
  // One text for unknown, foreign and malformed ids: the answer must not tell them apart.
  return new AppError('not_found', 'There is nothing here that this key can see. Check the address and the id.')
}
