// The other half of the port: what a partner needs at the bank besides payments. The simulated rail has none of it.
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
  /** The address that feeds the wallet: never the wallet's own. */
  readonly chainAddress: string
}

export interface Verification {
  readonly verificationRef: string
  readonly customerRef: string | null
  readonly status: VerificationStatus
  readonly providerStatus: string
  readonly continueUrl: string | null
  readonly termsUrl: string | null
  /** Why it was rejected, in words that the bank means for the business. */
  readonly reasons: readonly string[]
}

/** Money that has arrived in a wallet. */
export interface Deposit {
  readonly depositRef: string
  readonly customerRef: string
  readonly source: 'bank' | 'chain'
  readonly amount: MicroUsdc
  readonly receivedAt: Date
  readonly updatedAt: Date
}

/** A row of the bank's that is no deposit that we can read, under its own id or what stands in for one. */
export interface UnreadDeposit {
  readonly depositRef: string
  readonly why: string
}

export interface DepositPage {
  readonly deposits: readonly Deposit[]
  readonly unread: readonly UnreadDeposit[]
  readonly next: string | null
}

/** What the bank has of one deposit. One that it knows and that is not in the wallet yet is neither of the two. */
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

export interface PartnerBank {
  /** A customer of the sandbox, who needs no verification. */
  openSandboxCustomer(partner: { id: string; name: string; email: string | null }): Promise<string>
  /** One wallet a customer; asking again gives the same one. */
  openWallet(customerRef: string, key: string): Promise<OpenedAccount>
  openTopUp(account: WalletAtBank, key: string): Promise<TopUpWays>
  /** In a sandbox only: USDC from nowhere, which arrives as a deposit on chain. */
  addTestMoney(account: WalletAtBank, amount: MicroUsdc, key: string): Promise<void>
  readWalletBalance(account: WalletAtBank): Promise<MicroUsdc>
  /** `after` names the one that was rejected, when it is started again. */
  startVerification(
    partner: { id: string; name: string; email: string },
    how: { returnUrl: string | null; after: string | null },
  ): Promise<Verification>
  readVerification(verificationRef: string): Promise<Verification>
  listDeposits(source: Deposit['source'], since: Date, cursor: string | null): Promise<DepositPage>
  readDeposit(source: Deposit['source'], depositRef: string): Promise<DepositReading>
  /** All that ever arrived in one account; throws when a row of it cannot be read. */
  listAccountDeposits(account: WalletAtBank, ways: TopUpWays): Promise<Deposit[]>
  registerWebhook(url: string): Promise<RegisteredWebhook>
  removeWebhook(webhookRef: string): Promise<void>
  /** Checks the signature over the raw bytes and the age; throws WebhookRefused when either is off. */
  readWebhook(message: { signature: string | undefined; body: Buffer; publicKey: string; now: Date }): BankEvent
}

export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}
