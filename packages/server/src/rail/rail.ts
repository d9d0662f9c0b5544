// The port to the bank. Four answers to "send this" that must never be merged, and nothing of any one bank's words.
import type { RailName } from '@kestrel/contract'

import type { MicroPence, MicroUsdc, Pence } from '../core/money.ts'
import type { Rate } from '../core/rate.ts'

/**
 * A row may appear in the bank's list up to this long after the time that it bears, and the bank's clock may differ
 * from ours by as much. Reading less far back misses rows, and calling a row missing any sooner may be wrong.
 */
export const ROWS_COME_WITHIN_MS = 60 * 60_000

export type TransferState =
  | 'accepted' // the bank has it, nothing has moved yet
  | 'awaiting_funds' // the bank could not draw the wallet in full
  | 'in_review' // held for screening
  | 'submitted' // handed to Faster Payments
  | 'settled' // in the recipient's account
  | 'undeliverable' // never left
  | 'returned' // left, and came back
  | 'cancelled' // stopped before it left
  | 'unknown' // a word that this program does not know: nothing is guessed

/** Whether money that did not stay with the recipient is back in the wallet, as the bank says. */
export type TransferRefund = 'none' | 'in_flight' | 'done' | 'failed'

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

/** A partner's wallet at the bank. (The BankAccount of a modulus check is a sort code and an account number.) */
export interface WalletAtBank {
  /** The bank's id for our customer, who holds the wallet. */
  readonly holderRef: string
  readonly walletRef: string
}

export interface TransferRequest {
  /** Null on the simulated rail, which has no accounts. */
  readonly account: WalletAtBank | null
  /** The recipient's id at the bank; null on the simulated rail. */
  readonly recipientRef: string | null
  /** Our payout's id. It never changes: the bank must not act on it twice. */
  readonly clientReference: string
  readonly receive: Pence
  readonly walletSends: MicroUsdc
  readonly recipient: RecipientDetails
  /** The caller's own text, whole, and as Faster Payments carries it. */
  readonly reference: string | null
  readonly statementReference: string | null
  /** When the payout was created; the same at every attempt. */
  readonly requestedAt: Date
  /** Counts up when the bank has refused an attempt, whose answer it may have kept and would give again. */
  readonly attempt: number
}

/** What the bank says that a transfer cost us. */
export interface TransferReceipt {
  readonly networkCost?: MicroPence
  /** The cost of a return, a recall or a trace. */
  readonly exceptionCost?: MicroPence
}

export interface TransferSnapshot {
  readonly transferRef: string
  readonly state: TransferState
  readonly refund: TransferRefund
  /** The bank's own words, when something went wrong. */
  readonly reason: string | null
  /** The bank's own word for the state. */
  readonly bankState: string
  /** When the next change is expected, if the bank says so. */
  readonly nextChangeAt: Date | null
  /** Absent when the bank gives none; the plan's own figures are used then. */
  readonly receipt?: TransferReceipt
  /** What was taken from the wallet, what arrives, and when the bank last changed either, if it says so. */
  readonly send?: MicroUsdc
  readonly receive?: Pence
  readonly updatedAt?: Date
}

export type SubmitAnswer =
  | { readonly kind: 'accepted'; readonly transfer: TransferSnapshot }
  /** The bank refused these details. Nothing moved and nothing will. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly isVerdict?: true }
  /** Certain: no byte of the request can have been acted on. */
  | {
      readonly kind: 'not_sent'
      readonly reason: string
      /** The bank has read this very request and refused it, so it may have kept that answer under its key. */
      readonly isVerdict?: true
      /** What was wrong, when it matters what we do next: the rate had moved, or the bank's wallet holds too little. */
      readonly trouble?: 'rate' | 'funds'
    }
  /** No proof either way. The money stays reserved until there is one. */
  | {
      readonly kind: 'unknown'
      readonly reason: string
      /** This time nothing was asked that the bank could still act on. */
      readonly nothingNew?: true
    }

export type RegisterAnswer =
  | { readonly kind: 'registered'; readonly recipientRef: string | null }
  /** The bank does not take this account. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** Anything else that went wrong: without a recipient no transfer was asked for, so nothing was sent. */
  | { readonly kind: 'not_sent'; readonly reason: string }

/** A transfer in the bank's list, with its account holder and the reference that it is for. */
export interface ListedTransfer extends TransferSnapshot {
  readonly clientReference: string | null
  readonly holderRef: string
  readonly send: MicroUsdc
  readonly receive: Pence
  readonly updatedAt: Date
}

/** What a transfer is looked for by. Only a bank that stores nothing needs the whole request. */
export type SoughtTransfer = Pick<TransferRequest, 'account' | 'clientReference' | 'requestedAt'> &
  Partial<Pick<TransferRequest, 'recipient' | 'statementReference'>>

/**
 * The transfers under a payout's reference. More than one of our own is the bank's error, which a person has to see.
 */
export interface FoundTransfers {
  readonly own: readonly TransferSnapshot[]
  /** The bank's ids of transfers that bear our reference but belong to another account holder. */
  readonly others: readonly string[]
}

/**
 * A row of the bank's list that cannot be read as a transfer. Without an id of its own it is given a stable substitute.
 */
export interface UnreadTransfer {
  readonly transferRef: string
  readonly clientReference: string | null
  readonly why: string
}

export interface TransferPage {
  readonly transfers: readonly ListedTransfer[]
  readonly unread: readonly UnreadTransfer[]
  readonly next: string | null
}

export type CancelAnswer = 'cancelled' | 'too_late' | 'unknown'

export interface RateReading {
  readonly rate: Rate
  readonly validForMs: number
}

export interface PayoutRail {
  readonly name: RailName
  /** How long repeating the same request is answered with the same transfer. */
  readonly remembersForMs: number
  registerRecipient(account: WalletAtBank, recipient: RecipientDetails, key: string): Promise<RegisterAnswer>
  /** Asks the bank to pay. Asking again with the same request never pays again. */
  submit(request: TransferRequest): Promise<SubmitAnswer>
  /** How transfers stand now. One that the bank does not know is left out; that proves nothing. */
  readTransfers(transferRefs: readonly string[]): Promise<ReadonlyMap<string, TransferSnapshot>>
  /** One transfer as the bank lists it; null when the bank does not have it. Throws when it cannot be asked or read. */
  readListed(transferRef: string): Promise<ListedTransfer | null>
  /** What the bank has under a payout's reference now. Finding none proves nothing. Throws when it cannot be told. */
  findTransfers(request: SoughtTransfer): Promise<FoundTransfers>
  /** What changed since a moment, newest first, one page per call. */
  listTransfers(since: Date, cursor: string | null): Promise<TransferPage>
  cancelTransfer(transferRef: string): Promise<CancelAnswer>
  /** Throws RailUnavailable when the bank gives no rate. */
  readRate(): Promise<RateReading>
}

export class RailUnavailable extends Error {
  override readonly name = 'RailUnavailable'
  /** How long the bank asks us to wait; 0 when it does not say. */
  readonly retryAfterMs: number

  constructor(message: string, options: ErrorOptions & { readonly retryAfterMs?: number | undefined } = {}) {
    super(message, options)
    this.retryAfterMs = options.retryAfterMs ?? 0
  }
}

/** An answer that cannot be read counts as none, and asking again at once will not change it. */
export class UnreadableAnswer extends RailUnavailable {}
