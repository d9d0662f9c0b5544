// A payment as the port speaks of it: what is asked for, how it stands, and how the bank lists it. No bank's own words.
import type { MicroPence, MicroUsdc, Pence } from '../core/money.ts'

export type TransferState =
  | 'accepted' // the bank has it, nothing has moved yet
  | 'awaiting_funds' // the bank has not drawn the wallet in full yet, or lacks something since the rate moved
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
  /** Null on a rail without wallets. */
  readonly account: WalletAtBank | null
  /** The recipient's id at the bank; null on a rail without wallets. */
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
  /** What the bank has put into the operator's own wallet, of what it took and did not need; absent: it has not said. */
  readonly surplus?: MicroUsdc
  /** What it says of that instead, where it is no amount of dollars. */
  readonly surplusSaid?: string
  /** The bank's words that say that the payment has left, which stays true whatever it says afterwards. */
  readonly handedOverWords?: ReadonlySet<string>
  /** The bank's words after which this one cannot be true, besides a payment that was handed over: it had left by then. */
  readonly impossibleAfter?: ReadonlySet<string>
  /** A sandbox bank of ours was told to take the payment back and to stop it, so that this is true after those words too. */
  readonly isTakenBack?: true
  /** The bank's words that stay true whatever this one says: the payment has left, and is only looked at again. */
  readonly leavesStanding?: ReadonlySet<string>
  /** What the bank lacks to go on, because the rate has moved. */
  readonly missing?: MicroUsdc
  /** The bank's id of who is paid; absent: it has not said. */
  readonly recipientRef?: string
  /** The payout that it is for, as the bank says; null: the bank leaves that out. Absent on a rail that never says it. */
  readonly clientReference?: string | null
}

/** A transfer in the bank's list, with its account holder and the reference that it is for. */
export interface ListedTransfer extends TransferSnapshot {
  readonly clientReference: string | null
  readonly holderRef: string
  readonly updatedAt: Date
}

/** What a transfer is looked for by. Only a bank that stores nothing needs the whole request. */
export type SoughtTransfer = Pick<TransferRequest, 'account' | 'clientReference' | 'requestedAt'> &
  Partial<Pick<TransferRequest, 'recipient' | 'statementReference'>> & {
    /** When the payout was first tried, if that was before it was asked for now. */
    readonly since?: Date
    /** The transfer that the payout has already, which is its own even if the bank leaves the reference out. */
    readonly transferRef?: string | null
    /** The references of earlier attempts, of which it is enough to know whether the bank has them. */
    readonly earlier?: readonly string[]
  }

/**
 * The transfers under a payout's reference. More than one of our own is the bank's error, which a person has to see.
 */
export interface FoundTransfers {
  readonly own: readonly TransferSnapshot[]
  /** The bank's ids of transfers that bear our reference but belong to another account holder. */
  readonly others: readonly string[]
  /** Transfers of the earlier attempts, whoever's they are. */
  readonly earlier: readonly { readonly clientReference: string; readonly transferRef: string }[]
  /** The same account holder's transfers that bear no reference: unless another payout has it, one may be the sought one. */
  readonly nameless: readonly string[]
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
