// Takes orders to pay, several at once: each is judged by what those before it have left in the wallet.
import { BankError, duplicateRecord, invalidParameters, orRefusal } from '../core/bank-error.ts'
import { after } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import { microUsdc, negateUsdc, subtractUsdc } from '../core/money.ts'
import { readRate } from '../storage/bank-state.ts'
import { readTerms } from '../storage/bank-terms.ts'
import { findCustomers } from '../storage/customers.ts'
import { recordEvents } from '../storage/events.ts'
import { findExternalAccounts } from '../storage/external-accounts.ts'
import type { Tx } from '../storage/sql.ts'
import { type Transfer, insertTransfers, lockClientReference } from '../storage/transfers.ts'
import { postMovements } from '../storage/wallet-movements.ts'
import { lockWallets } from '../storage/wallets.ts'
import type { BankDeps } from './bank-deps.ts'
import { transferCreated } from './bank-events.ts'
import {
  type AcceptedOrder,
  type AroundOrder,
  type TransferOrder,
  judgeOrder,
  missingCapabilities,
} from './judge-order.ts'
import { LATE_BY_MS } from './pace.ts'
import { REFUSED_AT_ONCE, nextStep } from './transfer-story.ts'

/** One transfer, or its refusal, which is thrown. */
export async function createTransfer(deps: BankDeps, tx: Tx, order: TransferOrder): Promise<Transfer> {
  // Whoever waits for both waits for the reference first.
  if (deps.readings.is('client_references_are_unique')) await refuseSecond(tx, order)
  const [outcome] = await createTransfers(deps, tx, [order])
  if (outcome instanceof BankError) throw outcome
  return outcome!
}

/** Returns one transfer or refusal per order. What it writes goes out together, and nobody waits for it here. */
export async function createTransfers(
  deps: BankDeps,
  tx: Tx,
  orders: readonly TransferOrder[],
): Promise<(Transfer | BankError)[]> {
  const books = await openBooks(tx, orders)
  const now = deps.clock.now()
  const outcomes = orders.map((order) =>
    orRefusal(() => {
      const accepted = judgeOrder(order, books.around(order))
      const [missing] = missingCapabilities(accepted.terms)
      if (missing !== undefined) throw invalidParameters('body', [missing.key], missing.note)
      const transfer = firstState(deps, accepted, now)
      if (transfer.isDebited) books.draw(transfer)
      return transfer
    }),
  )
  const made = outcomes.filter((outcome): outcome is Transfer => !(outcome instanceof BankError))
  const debits = made.filter(({ isDebited }) => isDebited)
  insertTransfers(tx, made)
  postMovements(
    tx,
    debits.map(({ walletId, id, amount }) => ({ walletId, kind: 'transfer', cause: id, amount: negateUsdc(amount) })),
    now,
  )
  recordEvents(
    tx,
    made.map((transfer) => transferCreated(deps, transfer)),
    now,
  )
  return outcomes
}

/** What could be wrong with an order, without creating anything. */
export async function checkOrder(tx: Tx, order: TransferOrder): Promise<AcceptedOrder> {
  return judgeOrder(order, (await openBooks(tx, [order])).around(order))
}

interface Books {
  readonly around: (order: TransferOrder) => AroundOrder
  readonly draw: (transfer: Transfer) => void
}

/** Reads all that orders are judged by, and locks their wallets. */
async function openBooks(tx: Tx, orders: readonly TransferOrder[]): Promise<Books> {
  const [customers, accounts, wallets, rate, terms] = await Promise.all([
    findCustomers(tx, [...new Set(orders.map(({ customerId }) => customerId))]),
    findExternalAccounts(tx, [...new Set(orders.map(({ externalAccountId }) => externalAccountId))]),
    lockWallets(tx, [...new Set(orders.map(({ walletId }) => walletId))]),
    readRate(tx),
    readTerms(tx),
  ])
  const customerById = new Map(customers.map((each) => [each.id, each]))
  const accountById = new Map(accounts.map((each) => [each.id, each]))
  const walletById = new Map(wallets.map((each) => [each.id, each]))
  return {
    around: ({ customerId, externalAccountId, walletId }) => ({
      customer: customerById.get(customerId) ?? null,
      account: accountById.get(externalAccountId) ?? null,
      wallet: walletById.get(walletId) ?? null,
      rate,
      terms,
    }),
    draw: ({ walletId, amount }) => {
      const wallet = walletById.get(walletId)!
      walletById.set(walletId, { ...wallet, balance: subtractUsdc(wallet.balance, amount) })
    },
  }
}

function firstState(deps: BankDeps, accepted: AcceptedOrder, now: Date): Transfer {
  const { order, wallet, story, amount, rate } = accepted
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

/** The lock makes one of two at once wait for the other. */
async function refuseSecond(tx: Tx, { clientReferenceId }: TransferOrder): Promise<void> {
  if (clientReferenceId === null) return
  const existing = await lockClientReference(tx, clientReferenceId)
  if (existing === null) return
  throw duplicateRecord('client_reference_id', 'Another transfer has this client_reference_id.', existing.id)
}
