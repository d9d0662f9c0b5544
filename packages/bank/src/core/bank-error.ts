// What the bank refuses, in the real bank's error bodies: `{code, message, source?}`, with a few that carry more.
export type ErrorLocation = 'path' | 'query' | 'body' | 'header'

export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly source?: { readonly location: ErrorLocation; readonly key: string | Readonly<Record<string, string>> }
  readonly [extra: string]: unknown
}

export class BankError extends Error {
  override readonly name = 'BankError'
  readonly status: number
  readonly body: ErrorBody

  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

/** What a judgement comes to, or the refusal that it threw. */
export function orRefusal<T>(judge: () => T): T | BankError {
  try {
    return judge()
  } catch (error) {
    if (error instanceof BankError) return error
    throw error
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

/** The real bank's word for a record that is there already, and which one that is. */
export function duplicateRecord(key: string, message: string, id: string | undefined): BankError {
  return refused('duplicate_record', message, { id, source: { location: 'body', key } })
}

/** Of a key: that it is too old, or that it was used with another request. No code of its own is known in public. */
export function keyRefused(message: string): BankError {
  return new BankError(422, {
    code: 'invalid_parameters',
    message,
    source: { location: 'header', key: 'Idempotency-Key' },
  })
}

/** As a gateway turns away who asks too often, without a word of the bank's own. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests'
  /** Null: the caller is not told how long to wait. */
  readonly retryAfter: number | string | null

  constructor(retryAfter: number | string | null) {
    super('Too many requests')
    this.retryAfter = retryAfter
  }
}

/** As a gateway answers for a bank that takes too long. The request may have been carried out. */
export class GatewayTimeout extends Error {
  override readonly name = 'GatewayTimeout'
}

/** In the words of the real bank's own example: `Unknown customer id`. */
export function unknownId(noun: string): BankError {
  return new BankError(404, { code: 'Invalid', message: `Unknown ${noun} id` })
}

export function conflict(code: string, message: string): BankError {
  return new BankError(409, { code, message })
}
