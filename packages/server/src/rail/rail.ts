// The port to the bank. Four answers to "send this" that must never be merged, and nothing of any one bank's words.
import type { RailName } from '@kestrel/contract'

import type { MicroUsdc, Pence } from '../core/money.ts'
import type { Rate } from '../core/rate.ts'

export type TransferState =
  | 'accepted' // the bank has it, nothing has moved yet
  | 'awaiting_funds' // the bank could not draw the wallet in full
  | 'in_review' // held for screening
  | 'submitted' // handed to Faster Payments
  | 'settled' // in the recipient's account
  | 'undeliverable' // never left
  | 'returned' // left, and came back
  | 'cancelled' // stopped before it left

/** Whether money that did not stay with the recipient is back in the wallet. */
export type RefundState = 'none' | 'in_flight' | 'done' | 'failed'

/** A type and not an interface, so that it can be compared and sealed as plain data. */
export type RecipientDetails = {
  readonly type: 'individual' | 'business'
  readonly first_name: string
  readonly last_name: string
  readonly email?: string
  readonly address: {
    readonly line1: string
    readonly line2?: string
    readonly city: string
    readonly postal_code: string
    readonly region: string
  }
  readonly bank: { readonly bank_name: string; readonly sort_code: string; readonly account_number: string }
}

export interface TransferRequest {
  /** Our payout's id, for ever the same: the bank must not act twice on it. */
  readonly clientReference: string
  readonly receive: Pence
  readonly mostToSend: MicroUsdc
  readonly recipient: RecipientDetails
  /** The caller's own words, whole, and as Faster Payments carries them. */
  readonly reference: string | null
  readonly statementReference: string | null
  /** When the payout was made; the same at every attempt. */
  readonly requestedAt: Date
}

export interface TransferSnapshot {
  readonly transferRef: string
  readonly state: TransferState
  readonly refund: RefundState
  /** The bank's own words, when something went wrong. */
  readonly reason: string | null
  /** When the next change is expected, if the bank says so. */
  readonly nextChangeAt: Date | null
}

export type SubmitAnswer =
  | { readonly kind: 'accepted'; readonly transfer: TransferSnapshot }
  /** The bank refused these details. Nothing moved and nothing will. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** Certain: no byte of the request can have been acted on. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** No proof either way. The money stays reserved until there is one. */
  | { readonly kind: 'unknown'; readonly reason: string }

export interface PayoutRail {
  readonly name: RailName
  /** Asks the bank to pay. Asking again with the same request never pays again. */
  submit(request: TransferRequest): Promise<SubmitAnswer>
  /** How transfers stand now. One that the bank does not know is left out, which proves nothing. */
  readTransfers(transferRefs: readonly string[]): Promise<ReadonlyMap<string, TransferSnapshot>>
  /** Throws RailUnavailable when there is none to be had. */
  readRate(): Promise<Rate>
}

export class RailUnavailable extends Error {
  override readonly name = 'RailUnavailable'
}
