// The only way for transfers to change state. The state, the money that comes back and the event about it are one
// transaction.
import { assert } from '../core/assert.ts'
import { after, later } from '../core/clock.ts'
import { newTransactionHash } from '../core/ids.ts'
import { type TransferState, givesMoneyBack, mayMove } from '../core/transfer-moves.ts'
import { recordEvents } from '../storage/events.ts'
import type { Tx } from '../storage/sql.ts'
import { type Transfer, updateTransfers } from '../storage/transfers.ts'
import { type Movement, postMovements } from '../storage/wallet-movements.ts'
import { lockWallets } from '../storage/wallets.ts'
import type { BankDeps } from './bank-deps.ts'
import { transferMoved } from './bank-events.ts'

export interface TransferMove {
  /** The transfer as it is now, locked by the caller. */
  readonly transfer: Transfer
  readonly to: TransferState
  readonly reason?: string | undefined
  /** When it moves on by itself; null: it waits for the control plane. */
  readonly dueAt: Date | null
}

export async function moveTransfers(deps: BankDeps, tx: Tx, moves: readonly TransferMove[]): Promise<Transfer[]> {
  if (moves.length === 0) return []
  const now = deps.clock.now()
  const changes = moves.map((move) => ({ was: move.transfer, is: moved(move, now) }))
  await updateTransfers(
    tx,
    changes.map(({ is }) => is),
  )
  const refunds = changes.map(({ is }) => is).filter((transfer) => transfer.isDebited && givesMoneyBack(transfer.state))
  await lockWallets(tx, [...new Set(refunds.map((transfer) => transfer.walletId))])
  await postMovements(tx, refunds.map(refundOf), now)
  await recordEvents(
    tx,
    changes.map(({ was, is }) => transferMoved(was, is, deps.publicUrl())),
    now,
  )
  return changes.map(({ is }) => is)
}

function moved({ transfer, to, reason, dueAt }: TransferMove, now: Date): Transfer {
  assert(mayMove(transfer.state, to), `a transfer does not move from ${transfer.state} to ${to}`)
  const isRefund = transfer.isDebited && givesMoneyBack(to)
  return {
    ...transfer,
    state: to,
    returnReason: reason ?? transfer.returnReason,
    refundReference: isRefund ? newTransactionHash() : transfer.refundReference,
    dueAt,
    // Two moves in one millisecond would look like one to a client that asks what changed since.
    updatedAt: later(now, after(transfer.updatedAt, 1)),
  }
}

function refundOf(transfer: Transfer): Movement {
  return { walletId: transfer.walletId, kind: 'refund', cause: transfer.id, amount: transfer.amount }
}
