// What a failed attempt to send means. The question behind each: may money have moved?
import type { ErrorCode } from '@kestrel/contract'

import { ApiError } from '../../server/client.ts'

export type SendOutcome =
  /** The bank did not answer; nothing was sent. The same key again. */
  | { readonly kind: 'not_sent'; readonly requestId: string | null }
  /** Nobody knows. The same key again is safe: it never pays twice. */
  | { readonly kind: 'unknown'; readonly requestId: string | null }
  /** The key has already made a payout, with other details. */
  | { readonly kind: 'reused'; readonly payoutId: string | null }
  /** About the emailed code: the dialog says it. */
  | { readonly kind: 'code'; readonly error: ApiError }
  /** Refused before anything was sent; something must be changed. */
  | { readonly kind: 'refused'; readonly error: ApiError }

const NOTHING_SENT: ReadonlySet<ErrorCode> = new Set(['payout_not_created', 'bank_unavailable'])
const ABOUT_THE_CODE: ReadonlySet<ErrorCode> = new Set(['code_not_accepted', 'confirm_code_required'])

export function outcomeOf(error: Error): SendOutcome {
  if (!(error instanceof ApiError)) return { kind: 'unknown', requestId: null }
  const { code, status, requestId } = error
  if (NOTHING_SENT.has(code)) return { kind: 'not_sent', requestId }
  if (ABOUT_THE_CODE.has(code)) return { kind: 'code', error }
  if (code === 'idempotency_key_reused') {
    const id = error.details['payout_id']
    return { kind: 'reused', payoutId: typeof id === 'string' ? id : null }
  }
  // A server that broke down in the middle cannot say how far it got.
  const isUnknown = status >= 500 || status === 408 || code === 'idempotency_key_in_progress'
  return isUnknown ? { kind: 'unknown', requestId } : { kind: 'refused', error }
}
