// Why a payout is not sent now: an earlier attempt with its key may have been made after all. Whoever is told so is never
// told that nothing was sent, only that this request sent nothing.
import { AppError } from '../../../core/errors.ts'

/** What an attempt was before it was tried again. */
export type GivenUp = 'not_sent' | 'rejected'

export interface HeldBack {
  readonly kind: 'held_back'
  readonly why:
    | { readonly is: 'unasked' }
    /** The bank's list may lack until then what it has. */
    | { readonly is: 'too_soon'; readonly until: Date }
    /** The bank has made what another request with this key asked for. */
    | { readonly is: 'made'; readonly payoutId: string }
  /** What the payout is again: nothing of this attempt was sent. */
  readonly as: GivenUp
}

export function refusalOf({ why, as }: HeldBack, now: Date): AppError {
  switch (why.is) {
    case 'unasked':
      return unasked()
    case 'too_soon':
      return as === 'rejected' ? stillRejected(why.until) : tooSoon(why.until, now)
    case 'made':
      return madeAlready(why.payoutId)
  }
}

/** For programs: the code alone would say that nothing was sent. */
const EARLIER_ATTEMPT = { earlier_attempt: true }

/** Codes that say by themselves that an earlier request may have paid. */
const OF_DOUBT: ReadonlySet<string> = new Set([
  'idempotency_key_reused',
  'idempotency_key_in_progress',
  'internal_error',
  'unavailable',
])

/** The same refusal, without a word about what became of earlier requests with the key. */
export function ofThisRequest({ code, message, details, retryAfterSeconds }: AppError): AppError {
  return new AppError(code, message.replace('Nothing was sent.', 'This request sent nothing.'), {
    details: OF_DOUBT.has(code) ? details : { ...(details as object | undefined), ...EARLIER_ATTEMPT },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}

export function unasked(): AppError {
  return new AppError(
    'unavailable',
    'The bank refused an earlier attempt with this Idempotency-Key, and cannot be asked now whether it made it all the same. This request sent nothing. Retry with the same key: that tells, and never pays twice.',
    { retryAfterSeconds: 5 },
  )
}

function stillRejected(until: Date): AppError {
  return new AppError(
    'recipient_account_rejected',
    `The bank did not accept this account, and is not asked for the same payout again before ${until.toISOString()}. Check the sort code and account number with the recipient.`,
    { details: EARLIER_ATTEMPT },
  )
}

function tooSoon(until: Date, now: Date): AppError {
  return new AppError(
    'idempotency_key_in_progress',
    `The bank refused an earlier attempt with this Idempotency-Key, and may show until ${until.toISOString()} that it made it all the same. This request sent nothing. Retry with the same key after that; it will never pay twice.`,
    { retryAfterSeconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000)) },
  )
}

export function madeAlready(payoutId: string): AppError {
  return new AppError(
    'idempotency_key_reused',
    `The bank refused payout ${payoutId} of this Idempotency-Key, and made it all the same. This request sent nothing, and nothing more is sent under this key. Write to support about that payout; use a new key for a new one.`,
    // Its id is for support: the caller cannot see a payout that was given up.
    { details: { fields: [] } },
  )
}
