// Everything that could be wrong with an order to pay, and the story that its transfer will follow.
import { type BankError, TooManyRequests, invalidParameters } from '../core/bank-error.ts'
import { type MicroUsdc, type Pence, formatPence, formatUsdc } from '../core/money.ts'
import type { Rate } from '../core/rate.ts'
import { leastAmount, paddedAmount } from '../core/transfer-price.ts'
import { type SandboxStory, storyNamedBy } from '../outcomes.ts'
import type { BankTerms } from '../storage/bank-terms.ts'
import type { Customer } from '../storage/customers.ts'
import type { ExternalAccount } from '../storage/external-accounts.ts'
import type { Wallet } from '../storage/wallets.ts'
import { refuseWithoutPounds } from './onboarding.ts'

export interface TransferOrder {
  readonly idempotencyKey: string
  readonly clientReferenceId: string | null
  readonly customerId: string
  readonly walletId: string
  readonly externalAccountId: string
  readonly destination: Pence
  /** What the wallet is to be debited; null: the bank works it out. */
  readonly offered: MicroUsdc | null
  readonly developerFee: MicroUsdc
  readonly reference: string | null
}

/** What the bank has at the moment of an order. */
export interface AroundOrder {
  readonly customer: Customer | null
  readonly account: ExternalAccount | null
  readonly wallet: Wallet | null
  readonly rate: Rate
  readonly terms: BankTerms
}

export interface AcceptedOrder {
  readonly order: TransferOrder
  readonly wallet: Wallet
  readonly story: SandboxStory
  readonly amount: MicroUsdc
  readonly rate: string
  readonly terms: BankTerms
}

/** Throws the refusal. */
export function judgeOrder(order: TransferOrder, around: AroundOrder): AcceptedOrder {
  const { customer, account, wallet, rate, terms } = around
  refuseInactiveCustomer(customer)
  refuseWithoutPounds(customer!, 'destination.currency')
  if (account === null || account.customerId !== order.customerId) {
    throw invalidParameters('body', ['destination.external_account_id'], 'Unknown external account id')
  }
  if (wallet === null || wallet.customerId !== order.customerId) {
    throw invalidParameters('body', ['source.bridge_wallet_id'], 'Unknown wallet id')
  }
  const story = storyFor(account, order)
  refuseByStory(story)
  refuseTooLittle(order, terms)
  const amount = amountFor(order, rate)
  if (story !== 'refuse' && wallet.balance < amount) throw insufficientFunds(wallet, amount)
  return { order, wallet, story, amount, rate: rate.text, terms }
}

function refuseInactiveCustomer(customer: Customer | null): void {
  if (customer === null) throw invalidParameters('body', ['on_behalf_of'], 'Unknown customer id')
  if (customer.status !== 'active') {
    throw invalidParameters('body', ['on_behalf_of'], 'Customer has not completed onboarding')
  }
}

/** What the bank's sales team would have to switch on, with the field that needs it. */
export function missingCapabilities({ notEnabled }: BankTerms): { key: string; note: string }[] {
  return notEnabled.map((each) =>
    each === 'gbp'
      ? { key: 'destination.currency', note: 'GBP and Faster Payments are not enabled for this developer.' }
      : { key: 'destination.amount', note: 'Fixed outputs are not enabled for this developer.' },
  )
}

function refuseTooLittle({ destination }: TransferOrder, { smallest }: BankTerms): void {
  if (destination >= smallest) return
  const message = `The minimum for a transfer in GBP is ${formatPence(smallest)}.`
  throw invalidParameters('body', ['destination.amount'], message)
}

function amountFor(order: TransferOrder, rate: Rate): MicroUsdc {
  const { destination, developerFee, offered } = order
  if (offered === null) return paddedAmount({ destination, developerFee, rate })
  if (offered >= leastAmount({ destination, developerFee, rate })) return offered
  const message = 'The source amount does not buy the destination amount at the current rate.'
  throw invalidParameters('body', ['source.amount'], message)
}

function storyFor(account: ExternalAccount, order: TransferOrder): SandboxStory {
  return account.endsInFourZeros ? 'refuse' : (storyNamedBy(order.reference) ?? 'settle')
}

function refuseByStory(story: SandboxStory): void {
  if (story === 'reject') {
    const message = 'The receiving bank rejected these account details.'
    throw invalidParameters('body', ['destination.external_account_id'], message)
  }
  if (story === 'down') {
    throw new TooManyRequests(1)
  }
}

function insufficientFunds(wallet: Wallet, amount: MicroUsdc): BankError {
  return invalidParameters(
    'body',
    ['source.bridge_wallet_id'],
    `Insufficient funds: the wallet holds ${formatUsdc(wallet.balance)} USDC and this transfer needs ${formatUsdc(amount)}.`,
  )
}
