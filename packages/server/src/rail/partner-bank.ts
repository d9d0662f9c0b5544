// The other half of the port to the bank: what a partner, our customer, needs there besides payments. The simulated
// rail has none of it.
import type { VerificationStatus } from '@kestrel/contract'

import type { MicroUsdc } from '../core/money.ts'
import type { WalletAtBank } from './rail.ts'

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

export interface TopUpWays {
  readonly virtualAccountRef: string
  readonly bank: DepositAccount
  readonly liquidationAddressRef: string
  /** The address that feeds the wallet. It is never the wallet's own. */
  readonly chainAddress: string
}

export interface Verification {
  readonly verificationRef: string
  readonly holderRef: string | null
  readonly status: VerificationStatus
  readonly bankStatus: string
  readonly continueUrl: string | null
  readonly termsUrl: string | null
  /** The bank's reasons for a rejection, worded for the business. */
  readonly reasons: readonly string[]
}

/** Money that has arrived in a wallet. */
export interface Deposit {
  readonly depositRef: string
  readonly holderRef: string
  readonly source: 'bank' | 'chain'
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
}

export interface DepositPage {
  readonly deposits: readonly Deposit[]
  readonly undone: readonly UndoneDeposit[]
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
  readonly category: string
  readonly objectRef: string
}

/** The bank of a partner: what our customer has and does there. It is never our customer itself. */
export interface PartnerBank {
  /** An account holder of the sandbox, who needs no verification. */
  openSandboxHolder(partner: { id: string; name: string; email: string | null }): Promise<string>
  /** There is one wallet per holder; asking again gives the same one. */
  openWallet(holderRef: string, key: string): Promise<OpenedAccount>
  openTopUp(account: WalletAtBank, key: string): Promise<TopUpWays>
  /** In a sandbox only: adds test USDC, which arrives as a deposit on chain. */
  addTestMoney(account: WalletAtBank, amount: MicroUsdc, key: string): Promise<void>
  readWalletBalance(account: WalletAtBank): Promise<MicroUsdc>
  /** `after` is the verification that was rejected, when a new one is started. */
  startVerification(
    partner: { id: string; name: string; email: string },
    how: { returnUrl: string | null; after: string | null },
  ): Promise<Verification>
  readVerification(verificationRef: string): Promise<Verification>
  listDeposits(source: Deposit['source'], since: Date, cursor: string | null): Promise<DepositPage>
  readDeposit(source: Deposit['source'], depositRef: string): Promise<DepositReading>
  /** Every deposit that ever arrived in one account. Throws when a row cannot be read. */
  listAccountDeposits(account: WalletAtBank, ways: TopUpWays): Promise<Deposit[]>
  registerWebhook(url: string): Promise<RegisteredWebhook>
  removeWebhook(webhookRef: string): Promise<void>
  /** Checks the signature over the raw bytes, and the message's age. Throws WebhookRefused when either is wrong. */
  readWebhook(message: { signature: string | undefined; body: Buffer; publicKey: string; now: Date }): BankEvent
}

export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}
