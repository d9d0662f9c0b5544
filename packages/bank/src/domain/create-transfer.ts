// Takes an order to pay: who, how much, from which wallet, and which story the transfer will follow.
import { type BankError, TooManyRequests, duplicateRecord, invalidParameters } from '../core/bank-error.ts'
import { after } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import { type MicroUsdc, type Pence, formatPence, formatUsdc, microUsdc, negateUsdc } from '../core/money.ts'
import type { Rate } from '../core/rate.ts'
import { leastAmount, paddedAmount } from '../core/transfer-price.ts'
import { type SandboxStory, storyNamedBy } from '../outcomes.ts'
import { readRate } from '../storage/bank-state.ts'
import { type BankTerms, readTerms } from '../storage/bank-terms.ts'
import { type Customer, findCustomer } from '../storage/customers.ts'
import { recordEvents } from '../storage/events.ts'
import { type ExternalAccount, findExternalAccount } from '../storage/external-accounts.ts'
import type { Tx } from '../storage/sql.ts'
import { type Transfer, insertTransfer, lockClientReference } from '../storage/transfers.ts'
import { postMovements } from '../storage/wallet-movements.ts'
import { type Wallet, findWallet, lockKnownWallet, lockWallet } from '../storage/wallets.ts'
import type { BankDeps } from './bank-deps.ts'
import { transferCreated } from './bank-events.ts'
import { refuseWithoutPounds } from './onboarding.ts'
import { LATE_BY_MS } from './pace.ts'
import { REFUSED_AT_ONCE, nextStep } from './transfer-story.ts'

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

interface AcceptedOrder {
  readonly order: TransferOrder
  readonly wallet: Wallet
  readonly story: SandboxStory
  readonly amount: MicroUsdc
  readonly rate: string
  readonly terms: BankTerms
}

/**
 * Checks everything that could be wrong with an order, without creating anything. The wallet is locked only where it was not
 * what it had been: whoever waits for it waits for everything that its holder waits for.
 */
export async function checkOrder(tx: Tx, order: TransferOrder, isLocked = false): Promise<AcceptedOrder> {
  const [customer, account, wallet, rate, terms] = await Promise.all([
    findCustomer(tx, order.customerId),
    findExternalAccount(tx, order.externalAccountId),
    isLocked ? lockWallet(tx, order.walletId) : findWallet(tx, order.walletId),
    readRate(tx),
    readTerms(tx),
  ])
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

/** What it writes goes out together. If the wallet has less by then, it fails by `wallet_is_never_negative`. */
export async function createTransfer(
  deps: BankDeps,
  tx: Tx,
  order: TransferOrder,
  { isLocked }: { isLocked: boolean },
): Promise<Transfer> {
  // Whoever waits for both waits for the reference first.
  if (isLocked && order.clientReferenceId !== null) await lockClientReference(tx, order.clientReferenceId)
  const accepted = await checkOrder(tx, order, isLocked)
  const [missing] = missingCapabilities(accepted.terms)
  if (missing !== undefined) throw invalidParameters('body', [missing.key], missing.note)
  if (deps.readings.is('client_references_are_unique')) await refuseSecond(tx, order)
  const transfer = firstState(deps, accepted)
  const { walletId, id: cause, amount, isDebited, createdAt } = transfer
  const debit = { walletId, kind: 'transfer', cause, amount: negateUsdc(amount) } as const
  lockKnownWallet(tx, walletId)
  insertTransfer(tx, transfer)
  postMovements(tx, isDebited ? [debit] : [], createdAt)
  recordEvents(tx, [transferCreated(deps, transfer)], createdAt)
  return transfer
}

function firstState(deps: BankDeps, { order, wallet, story, amount, rate }: AcceptedOrder): Transfer {
  const now = deps.clock.now()
  const visibleFrom = story === 'late' ? after(now, LATE_BY_MS) : now
  const isRefused = story === 'refuse'
  // What the bank cancels by itself has not been drawn for good yet.
  const isAwaited = story === 'cancel' || deps.readings.is('transfers_await_funds_first')
  const state = isRefused ? 'undeliverable' : isAwaited ? 'awaiting_funds' : 'pending'
  const step = nextStep({ story, state }, deps.pace)
  return {
    seq: null,
    id: newId(),
    clientReferenceId: order.clientReferenceId,
    idempotencyKey: order.idempotencyKey,
    customerId: order.customerId,
    walletId: wallet.id,
    walletAddress: wallet.address,
    externalAccountId: order.externalAccountId,
    amount,
    developerFee: order.developerFee,
    // What is never sent is never exchanged.
    surplus: isRefused ? microUsdc(0n) : null,
    toppedUp: microUsdc(0n),
    shown: null,
    missing: null,
    destination: order.destination,
    rate,
    reference: order.reference,
    story,
    isDebited: state === 'pending' || (state === 'awaiting_funds' && deps.readings.is('orders_draw_the_wallet')),
    state,
    returnReason: isRefused ? REFUSED_AT_ONCE : null,
    refundReference: null,
    refunded: null,
    dueAt: step === null ? null : after(visibleFrom, step.afterMs),
    visibleFrom,
    createdAt: now,
    updatedAt: visibleFrom,
  }
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

/** The lock makes one of two at once wait for the other. */
async function refuseSecond(tx: Tx, { clientReferenceId }: TransferOrder): Promise<void> {
  if (clientReferenceId === null) return
  const existing = await lockClientReference(tx, clientReferenceId)
  if (existing === null) return
  throw duplicateRecord('client_reference_id', 'Another transfer has this client_reference_id.', existing.id)
}
