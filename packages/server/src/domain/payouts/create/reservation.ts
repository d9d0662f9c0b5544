// What the first step answers for each payout of a batch.
import type { MicroUsdc } from '../../../core/money.ts'
import type { PayoutAsRead, PayoutRow } from '../../../storage/payouts.ts'
import type { GivenUp } from '../record/held-back.ts'

export type Reservation =
  | ({ readonly kind: 'reserved'; readonly payoutId: string } & Pick<
      PayoutRow,
      'createdAt' | 'bankAttempt' | 'sendAttempts' | 'listedBy'
    > & {
        /** Whether the bank has refused another request with this key. */
        readonly followsRefusal: boolean
        /** What it was before; null when it is new. */
        readonly givenUpAs: GivenUp | null
        /** The row, where this has just written it. */
        readonly asRead: PayoutAsRead | null
      })
  /** It is on its way already: its rail had said so beforehand. */
  | { readonly kind: 'sent'; readonly row: PayoutRow }
  | { readonly kind: 'taken'; readonly row: PayoutRow }
  | { readonly kind: 'closed'; readonly row: PayoutRow }
  | { readonly kind: 'unfunded'; readonly available: MicroUsdc }
  /** The key was freed during this batch: retry. */
  | { readonly kind: 'retry' }
  /** The wallet is on another rail now: retry over that one. */
  | { readonly kind: 'moved' }
  /** The API key that asks for it has been revoked or has expired since it was looked up. */
  | { readonly kind: 'keyless' }
  /** All payouts of the account are paused. */
  | { readonly kind: 'paused' }
  /** Whoever asks for it has a spending limit, and no room left for it. */
  | { readonly kind: 'over_limit' }
  /** This one alone failed; the others of its batch may have been made. */
  | { readonly kind: 'failed'; readonly error: unknown }
