// The only way for transfers to change state. The state, the money that moves with it and the events about both are one
// transaction.
import { assert } from '../core/assert.ts'
import { after, later } from '../core/clock.ts'
import { newTransactionHash } from '../core/ids.ts'
import { type MicroUsdc, microUsdc, subtractUsdc } from '../core/money.ts'
import { type TransferState, givesMoneyBack, mayMove } from '../core/transfer-moves.ts'
import { readRate } from '../storage/bank-state.ts'
import { type BankTerms, readTerms } from '../storage/bank-terms.ts'
import { recordEvents } from '../storage/events.ts'
import type { Tx } from '../storage/sql.ts'
import { type Transfer, updateTransfers } from '../storage/transfers.ts'
import { postMovements } from '../storage/wallet-movements.ts'
import { findWallet, lockWallets } from '../storage/wallets.ts'
import type { BankDeps } from './bank-deps.ts'
import { transferMoved, walletActivity } from './bank-events.ts'
import { drawWallets, needsMoney } from './draw-wallets.ts'
import { type MoneyBack, exchange, moneyBack, movementsOf } from './exchange.ts'

export interface TransferMove {
  /** The transfer as it is now, locked by the caller. */
  readonly transfer: Transfer
  readonly to: TransferState
  readonly reason?: string | undefined
  /** When it moves on by itself; null: it waits for the control plane. */
  readonly dueAt: Date | null
  /** What comes back, where the control plane says so. */
  readonly refunded?: MicroUsdc | undefined
}

interface Changed {
  readonly was: Transfer
  readonly is: Transfer
  readonly back: MoneyBack | null
}

export async function moveTransfers(deps: BankDeps, tx: Tx, moves: readonly TransferMove[]): Promise<Transfer[]> {
  if (moves.length === 0) return []
  const now = deps.clock.now()
  const terms = await readTerms(tx)
  // A wallet whose money does not move is left to those who order from it.
  const walletIds = moves.filter(movesMoney).map(({ transfer }) => transfer.walletId)
  await lockWallets(tx, [...new Set([...walletIds, terms.excessWalletId])])
  const ready = await drawWallets(deps, tx, moves)
  if (ready.length === 0) return []
  const changes = await changesOf(tx, { moves: ready, terms, now })
  updateTransfers(
    tx,
    changes.map(({ is }) => is),
  )
  const movements = changes.flatMap((change) => movementsOf(change, terms.excessWalletId))
  postMovements(tx, movements, now)
  const refunds = movements.filter(({ kind }) => kind === 'refund')
  const activities = await Promise.all(refunds.map((refund) => activityOf(tx, refund, now)))
  const news = changes.map((change) => transferMoved(deps, change))
  recordEvents(tx, [...news, ...activities], now)
  return changes.map(({ is }) => is)
}

function movesMoney(move: TransferMove): boolean {
  return needsMoney(move) || (move.transfer.isDebited && givesMoneyBack(move.to))
}

async function activityOf(tx: Tx, { walletId, amount }: { walletId: string; amount: MicroUsdc }, now: Date) {
  const wallet = await findWallet(tx, walletId)
  assert(wallet !== null, 'a movement is one of a wallet')
  return walletActivity({ wallet, amount, at: now })
}

async function changesOf(
  tx: Tx,
  { moves, terms, now }: { moves: readonly TransferMove[]; terms: BankTerms; now: Date },
): Promise<Changed[]> {
  const rate = await readRate(tx)
  let excess = (await findWallet(tx, terms.excessWalletId))?.balance ?? microUsdc(0n)
  return moves.map((move) => {
    const was = move.transfer
    const isRefund = was.isDebited && givesMoneyBack(move.to)
    const back = isRefund ? moneyBack(was, { terms, excess, asked: move.refunded ?? null }) : null
    excess = subtractUsdc(excess, back?.surplusBack ?? microUsdc(0n))
    const exchanged = move.to === 'payment_submitted' ? exchange(was, rate) : { missing: null }
    return { was, back, is: moved(move, { exchanged, back, now }) }
  })
}

function moved(
  { transfer, to, reason, dueAt }: TransferMove,
  { exchanged, back, now }: { exchanged: Partial<Transfer>; back: MoneyBack | null; now: Date },
): Transfer {
  const state = exchanged.state ?? to
  assert(mayMove(transfer.state, state), `a transfer does not move from ${transfer.state} to ${state}`)
  const refund = back === null ? {} : { refundReference: newTransactionHash(), refunded: back.refunded }
  const surplus =
    back === null || transfer.surplus === null ? {} : { surplus: subtractUsdc(transfer.surplus, back.surplusBack) }
  return {
    ...transfer,
    ...exchanged,
    ...refund,
    ...surplus,
    state,
    returnReason: reason ?? transfer.returnReason,
    dueAt: state === 'underfunded' ? null : dueAt,
    // Two moves in one millisecond would look like one to a client that asks what changed since.
    updatedAt: later(now, after(transfer.updatedAt, 1)),
  }
}
