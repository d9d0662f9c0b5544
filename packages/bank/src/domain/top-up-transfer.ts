// Adds money to a transfer that the rate has made too small. If it is enough then, the transfer is handed over.
import { invalidParameters } from '../core/bank-error.ts'
import { after } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import { type MicroUsdc, addUsdc, formatUsdc, negateUsdc } from '../core/money.ts'
import { readRate } from '../storage/bank-state.ts'
import { readTerms } from '../storage/bank-terms.ts'
import { recordEvents } from '../storage/events.ts'
import type { Tx } from '../storage/sql.ts'
import { type TopUp, insertTopUp } from '../storage/top-ups.ts'
import { type Transfer, lockTransfer, updateTransfers } from '../storage/transfers.ts'
import { postMovements } from '../storage/wallet-movements.ts'
import { lockWallet } from '../storage/wallets.ts'
import type { BankDeps } from './bank-deps.ts'
import { topUpMade } from './bank-events.ts'
import { exchange } from './exchange.ts'
import { moveTransfers } from './move-transfers.ts'
import { nextStep } from './transfer-story.ts'

export type TopUpOrder = Omit<TopUp, 'id' | 'createdAt'>

export async function topUpTransfer(deps: BankDeps, tx: Tx, order: TopUpOrder): Promise<TopUp> {
  const transfer = await lockTransfer(tx, order.transferId)
  if (transfer === null) throw invalidParameters('body', ['destination.bridge_transfer_id'], 'Unknown transfer id')
  if (transfer.state !== 'underfunded') {
    const message = `A transfer that is ${transfer.state} takes no additional funds.`
    throw invalidParameters('body', ['destination.bridge_transfer_id'], message)
  }
  const wallet = await lockWallet(tx, order.walletId)
  const isOwn = wallet !== null && (wallet.customerId === null || wallet.customerId === transfer.customerId)
  if (!isOwn) throw invalidParameters('body', ['source.bridge_wallet_id'], 'Unknown wallet id')
  if (wallet.balance < order.amount) {
    const message = `The wallet holds ${formatUsdc(wallet.balance)} USDC and this transfer needs ${formatUsdc(order.amount)}.`
    throw invalidParameters('body', ['amount'], message)
  }
  const topUp: TopUp = { ...order, id: newId(), createdAt: deps.clock.now() }
  await insertTopUp(tx, topUp)
  const taken = { walletId: wallet.id, kind: 'top_up', cause: topUp.id, amount: negateUsdc(order.amount) } as const
  postMovements(tx, [taken], topUp.createdAt)
  recordEvents(tx, [topUpMade(topUp)], topUp.createdAt)
  await addTo(deps, tx, transfer, order.amount)
  return topUp
}

async function addTo(deps: BankDeps, tx: Tx, transfer: Transfer, amount: MicroUsdc): Promise<void> {
  const toppedUp = addUsdc(transfer.toppedUp, amount)
  const { amountShows } = await readTerms(tx)
  const shown = amountShows === 'source' ? transfer.shown : addUsdc(transfer.amount, toppedUp)
  const added = { ...transfer, toppedUp, shown }
  const now = deps.clock.now()
  const { state, missing } = exchange(added, await readRate(tx))
  if (state === 'underfunded') {
    updateTransfers(tx, [{ ...added, missing, updatedAt: after(now, 1) }])
    return
  }
  updateTransfers(tx, [added])
  const step = nextStep({ story: transfer.story, state: 'payment_submitted' }, deps.pace)
  await moveTransfers(deps, tx, [
    { transfer: added, to: 'payment_submitted', dueAt: step === null ? null : after(now, step.afterMs) },
  ])
}
