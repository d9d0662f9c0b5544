import type { MicroUsdc } from '../core/money.ts'
import type { Tx } from './sql.ts'

/** Money that was added to a transfer which had become too small. */
export interface TopUp {
  readonly id: string
  readonly transferId: string
  readonly walletId: string
  readonly amount: MicroUsdc
  readonly createdAt: Date
}

export async function insertTopUp(tx: Tx, topUp: TopUp): Promise<void> {
  await tx.query(
    'insert into top_ups (id, transfer_id, wallet_id, amount_micro, created_at) values ($1, $2, $3, $4, $5)',
    [topUp.id, topUp.transferId, topUp.walletId, topUp.amount, topUp.createdAt],
  )
}
