// What can go wrong, by what it says about money.
import { COMES_BEFORE_KEY, type ErrorCode, type ErrorDetails, NOTHING_WAS_SENT } from './generated/error-codes.ts'
import { reasonOf } from './reason-of.ts'

/** Every error of this library. */
export class KestrelError extends Error {
  override readonly name: string = 'KestrelError'
  /**
   * True when it is certain that no money was sent: not by this call, and not by an earlier one with its idempotency key. When it
   * is false, repeat the call with the same key: it tells, and never pays twice.
   */
  readonly nothingWasSent: boolean

  constructor(message: string, options: { nothingWasSent: boolean; cause?: unknown }) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.nothingWasSent = options.nothingWasSent
  }
}

/** Something is wrong with how the library is called. Nothing was asked. */
export class UsageError extends KestrelError {
  override readonly name = 'UsageError'

  constructor(message: string) {
    super(message, { nothingWasSent: true })
  }
}

/** Nobody answered. No payout was asked for, or nobody can have heard it: an earlier call with its key may have paid then. */
export class ConnectionError extends KestrelError {
  override readonly name = 'ConnectionError'
}

/** A payout was asked for, and no answer came: it may have been made. Repeat with this key, which never pays twice. */
export class OutcomeUnknownError extends KestrelError {
  override readonly name = 'OutcomeUnknownError'
  readonly idempotencyKey: string

  constructor(idempotencyKey: string, cause: unknown) {
    super(
      `No answer of the service came (${reasonOf(cause)}), so the payout may have been made. Repeat it with the same idempotency key, ${idempotencyKey}: that tells, and never pays twice.`,
      { nothingWasSent: false, cause },
    )
    this.idempotencyKey = idempotencyKey
  }
}

/** What `waitUntilFinal` waited for did not happen in time. The payout goes on by itself. */
export class StillUnderWayError extends KestrelError {
  override readonly name = 'StillUnderWayError'
  readonly payoutId: string

  constructor(payoutId: string, status: string, timeoutMs: number) {
    super(`Payout ${payoutId} is still ${status} after ${timeoutMs} ms. Wait again, or listen to its events.`, {
      nothingWasSent: false,
    })
    this.payoutId = payoutId
  }
}

/** A webhook that must not be believed. */
export class WebhookVerificationError extends KestrelError {
  override readonly name = 'WebhookVerificationError'

  constructor(message: string) {
    super(message, { nothingWasSent: true })
  }
}

/** An editor offers the codes that are known; the service may have others one day. */
export type AnyErrorCode = ErrorCode | (string & {})

export interface ErrorAnswer {
  readonly status: number
  readonly code: AnyErrorCode
  readonly message: string
  readonly details?: unknown
  readonly requestId: string | null
  readonly docUrl: string | null
  readonly retryAfterSeconds: number | null
  readonly idempotencyKey?: string | undefined
}

/** The service refused. */
export class ApiError extends KestrelError {
  override readonly name = 'ApiError'
  readonly status: number
  /** Decide by this: codes stay, messages may be worded better one day. */
  readonly code: AnyErrorCode
  /** What a program can use, depending on the code: `error.is('insufficient_funds')` gives it its type. */
  readonly details: unknown
  readonly requestId: string | null
  readonly docUrl: string | null
  /** The key of the request that was refused, if it had one. */
  readonly idempotencyKey: string | null
  readonly retryAfterSeconds: number | null

  constructor(answer: ErrorAnswer, options: { wasInDoubt: boolean }) {
    super(answer.message, { nothingWasSent: !options.wasInDoubt && !leavesInDoubt(answer) && !isSilentOnKey(answer) })
    this.status = answer.status
    this.code = answer.code
    this.details = answer.details
    this.requestId = answer.requestId
    this.docUrl = answer.docUrl
    this.idempotencyKey = answer.idempotencyKey ?? null
    this.retryAfterSeconds = answer.retryAfterSeconds
  }

  /** Whether the same request, a little later, may be accepted without a change by anybody. */
  get retryable(): boolean {
    return isRetryable(this.status, this.code)
  }

  /** Whether it has this code; if so, `details` has the type of that code, where it has any. */
  is<Code extends ErrorCode>(
    code: Code,
  ): this is ApiError & { readonly code: Code; readonly details: DetailsOf<Code> } {
    return this.code === code
  }
}

type DetailsOf<Code extends ErrorCode> = (Code extends keyof ErrorDetails ? ErrorDetails[Code] : never) | undefined

/** Whether the request that was answered so may have sent something, or the service itself doubts an earlier one with its key. */
export function leavesInDoubt({ code, details }: ErrorAnswer): boolean {
  const { earlier_attempt: isAfterAnother } = (details ?? {}) as { earlier_attempt?: unknown }
  return !NOTHING_WAS_SENT.has(code) || isAfterAnother === true
}

/** Whether an earlier call with the key may have sent something: this one was refused before anybody looked. */
function isSilentOnKey({ code, idempotencyKey }: ErrorAnswer): boolean {
  return idempotencyKey !== undefined && COMES_BEFORE_KEY.has(code)
}

const RETRYABLE: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

export function isRetryable(status: number, code: string): boolean {
  return RETRYABLE.has(status) || code === 'idempotency_key_in_progress'
}
