// What a partner, our customer, has at the bank besides payments, as the port speaks of it. No bank's own words.
import type { VerificationStatus } from '@kestrel/contract'

import type { MicroUsdc } from '../core/money.ts'
import type { WalletAtBank } from './transfer.ts'

export interface OpenedAccount extends WalletAtBank {
  readonly chain: string
}

/** Where a top-up by bank transfer goes. */
export interface DepositAccount {
  readonly accountName: string
  readonly bankName: string
  readonly sortCode: string
  readonly accountNumber: string
  readonly reference: string | null
}

/** Two ways for money into a wallet, each with the bank's id for it. */
export interface TopUpWays {
  /** Null where the bank opens no account in pounds for this holder, or not yet. */
  readonly bankRef: string | null
  readonly bank: DepositAccount | null
  /** Why there is none, in the bank's words, for the operator. */
  readonly bankRefusal: string | null
  readonly chainRef: string
  /** The address that feeds the wallet. It is never the wallet's own. */
  readonly chainAddress: string
}

/** What the bank lets an account holder do. */
export interface HolderStanding {
  /** Whether anything is opened for the holder at all. */
  readonly isApproved: boolean
  /** Whether the holder may receive and send pounds. */
  readonly hasPounds: boolean
  /** What is missing, in words for the business. */
  readonly missing: readonly string[]
}

export interface Verification {
  readonly verificationRef: string
  readonly holderRef: string | null
  readonly status: VerificationStatus
  /** The bank's own word for the status. */
  readonly bankStatus: string
  readonly continueUrl: string | null
  readonly termsUrl: string | null
  /** The bank's reasons for a rejection, worded for the business. */
  readonly reasons: readonly string[]
  /** What keeps a business that the bank knows from paying in pounds, worded for the business. */
  readonly missing: readonly string[]
}

export type DepositSource = 'bank' | 'chain'

/** Money that came into a wallet, in whatever way. */
export interface Received {
  readonly amount: MicroUsdc
  readonly at: Date
}

/** Money that has arrived in a wallet. */
export interface Deposit {
  readonly depositRef: string
  /** The transaction on chain that brought it; absent: there is none, or the bank does not say. */
  readonly transactionRef?: string
  readonly holderRef: string
  readonly source: DepositSource
  readonly amount: MicroUsdc
  readonly receivedAt: Date
  readonly updatedAt: Date
}

/**
 * A row of the bank's list that cannot be read as a deposit. Without an id of its own it is given a stable substitute.
 */
export interface UnreadDeposit {
  readonly depositRef: string
  readonly why: string
}

/** A deposit that the bank has sent back, or says did not arrive after all. */
export interface UndoneDeposit {
  readonly depositRef: string
  /** The bank's word for it. */
  readonly bankState: string
  /** When the bank said so; null: it does not say. */
  readonly updatedAt: Date | null
}

/** The transaction on chain that brought a deposit, whatever else the bank says of it. */
export interface DepositTransaction {
  readonly depositRef: string
  readonly transactionRef: string
}

/** A deposit that was undone may be among those that arrived too: the bank shows both, or has changed its mind. */
export interface DepositPage {
  readonly deposits: readonly Deposit[]
  readonly undone: readonly UndoneDeposit[]
  /** Of every row that names one, also of those that cannot be read otherwise. */
  readonly transactions: readonly DepositTransaction[]
  readonly unread: readonly UnreadDeposit[]
  readonly next: string | null
}

/**
 * What the bank has of one deposit. A deposit that the bank knows but has not put into the wallet yet is in none of the
 * lists.
 */
export interface DepositReading extends Omit<DepositPage, 'next'> {
  readonly isKnown: boolean
}

export interface RegisteredWebhook {
  readonly webhookRef: string
  readonly publicKey: string
}

/** What the bank's signed message is about. */
export interface BankEvent {
  readonly eventId: string
  /** The bank's own word for the kind of object; what we make of it says `topicOf`. */
  readonly category: string
  readonly objectRef: string
  /** When that happened, by the bank's clock: where to look for it. Null: it does not say. */
  readonly happenedAt: Date | null
  /** The bank's own word for the state that it is in since then. Null: it does not say. */
  readonly state: string | null
}

/** The object that a message names, and how it is read back. Nothing is done about any `other`. */
export type EventTopic =
  | { readonly kind: 'transfer' }
  | { readonly kind: 'deposit'; readonly source: DepositSource }
  | { readonly kind: 'verification' }
  /** An account holder, of whom the bank may have decided something. */
  | { readonly kind: 'holder' }
  | { readonly kind: 'wallet' }
  | { readonly kind: 'other' }
