// What the bank refuses, in the real bank's error bodies: `{code, message, source?}`, with a few that carry more.
export type ErrorLocation = 'path' | 'query' | 'body' | 'header'

export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly source?: { readonly location: ErrorLocation; readonly key: string }
  readonly [extra: string]: unknown
}

export class BankError extends Error {
  override readonly name = 'BankError'
  readonly status: number
  readonly body: ErrorBody
  readonly retryAfterSeconds: number | null

  constructor(status: number, body: ErrorBody, options: { retryAfterSeconds?: number } = {}) {
    super(body.message)
    this.status = status
    this.body = body
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }
}

/** The names are those of the request: `destination.amount`, several of them separated by commas. */
export function invalidParameters(location: ErrorLocation, keys: readonly string[], message?: string): BankError {
  return new BankError(400, {
    code: 'invalid_parameters',
    message: message ?? 'Please resubmit the following parameters that are either missing or invalid.',
    source: { location, key: keys.join(',') },
  })
}

export function refused(code: string, message: string, extra: Readonly<Record<string, unknown>> = {}): BankError {
  return new BankError(400, { code, message, ...extra })
}

/** In the words of the real bank's own example: `Unknown customer id`. */
export function unknownId(noun: string): BankError {
  return new BankError(404, { code: 'Invalid', message: `Unknown ${noun} id` })
}

export function conflict(code: string, message: string): BankError {
  return new BankError(409, { code, message })
}
