// Takes the money of transfers that leave `awaiting_funds`, where their order has not taken it. A transfer whose wallet
// holds too little goes on waiting, and is tried again.
import { after } from '../core/clock.ts'
import { type MicroUsdc, microUsdc, negateUsdc, subtractUsdc } from '../core/money.ts'
import type { TransferState } from '../core/transfer-moves.ts'
import type { Tx } from '../storage/sql.ts'
import { type Transfer, updateTransfers } from '../storage/transfers.ts'
import { postMovements } from '../storage/wallet-movements.ts'
import { findWallet } from '../storage/wallets.ts'
import type { BankDeps } from './bank-deps.ts'

interface Move {
  readonly transfer: Transfer
  readonly to: TransferState
}

/** Returns the moves that can be made now. The caller holds the locks of the transfers and of their wallets. */
export async function drawWallets<M extends Move>(deps: BankDeps, tx: Tx, moves: readonly M[]): Promise<M[]> {
  const now = deps.clock.now()
  const left = new Map<string, MicroUsdc>()
  const ready: M[] = []
  for (const move of moves) {
    const { transfer } = move
    const { walletId, amount, id: cause } = transfer
    if (!needsMoney(move)) {
      ready.push(move)
      continue
    }
    const balance = left.get(walletId) ?? (await findWallet(tx, walletId))?.balance ?? microUsdc(0n)
    if (balance < amount) {
      updateTransfers(tx, [{ ...transfer, dueAt: after(now, deps.pace.settleAfterMs) }])
      continue
    }
    left.set(walletId, subtractUsdc(balance, amount))
    postMovements(tx, [{ walletId, kind: 'transfer', cause, amount: negateUsdc(amount) }], now)
    ready.push({ ...move, transfer: { ...transfer, isDebited: true } })
  }
  return ready
}

/** What is cancelled or cannot be delivered needs none. */
export function needsMoney({ transfer, to }: Move): boolean {
  const goesOn = to === 'payment_submitted' || to === 'in_review'
  return transfer.state === 'awaiting_funds' && !transfer.isDebited && goesOn
}
